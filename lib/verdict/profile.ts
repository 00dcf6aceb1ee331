import type { Pauses } from '../session/retry.js';

export const profiles = ['quick', 'standard', 'thorough'] as const;
export type Profile = (typeof profiles)[number];

/** What a requirement has room for in each profile. Text in its place says why the profile has none. */
export type Rooms<Room> = Readonly<Record<Profile, Room | string>>;

/** What distinguishes the profiles beside the room that each requirement declares. */
interface ProfileTraits {
  /** About so many requests in a run of everything; quick fits into one minute of the Free plan. */
  readonly requests: number;
  /** Between two looks at what the target shows with a delay: quick has few requests, the others save time. */
  readonly pauses: Pauses;
  /** The option that makes a run cheaper. */
  readonly cheaper: string;
}

export const profileTraits: Readonly<Record<Profile, ProfileTraits>> = {
  quick: { requests: 60, pauses: 'sparing', cheaper: '--max-requests' },
  standard: { requests: 300, pauses: 'soon', cheaper: '--profile=quick' },
  thorough: { requests: 900, pauses: 'soon', cheaper: '--profile=quick' },
};

/** The room of a requirement that is left out of quick, and that the other profiles treat alike. */
export function notInQuick(why: string): Rooms<null> {
  return { quick: why, standard: null, thorough: null };
}
