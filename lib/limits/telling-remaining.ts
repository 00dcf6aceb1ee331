import type { LimitEvidence } from './evidence.js';
import { admitted, type Seen } from './seen.js';
import { viewOf } from './told.js';

export type Shown = Pick<LimitEvidence, 'plan' | 'windowMs' | 'history'>;

/** An admitted answer that tells what remains of the minute. */
export interface Telling {
  readonly seen: Seen;
  readonly remaining: number;
  /** The limit that is told, else the plan's. */
  readonly limit: number;
}

/** The admitted answers that tell what remains of the minute. */
export function tellingRemaining({ plan, windowMs, history }: Shown): Telling[] {
  return history.flatMap((seen) => {
    const { remaining, limit = plan.perMinute } = seen.told;
    const minute = admitted(seen) && viewOf(seen.told, plan, windowMs) === 'minute';
    return minute && remaining !== undefined ? [{ seen, remaining, limit }] : [];
  });
}
