export const profiles = ['quick', 'standard', 'thorough'] as const;
export type Profile = (typeof profiles)[number];

/** What a requirement has room for in each profile. */
export type Rooms<Room> = Readonly<Record<Profile, Room>>;
