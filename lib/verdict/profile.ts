export const profiles = ['quick', 'standard', 'thorough'] as const;
export type Profile = (typeof profiles)[number];

/** What a requirement has room for in each profile. Text in its place says why the profile has none. */
export type Rooms<Room> = Readonly<Record<Profile, Room | string>>;

/** The room of a requirement that is left out of quick, and that the other profiles treat alike. */
export function notInQuick(why: string): Rooms<null> {
  return { quick: why, standard: null, thorough: null };
}
