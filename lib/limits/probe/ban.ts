import { isRejected, waitEnds } from '../history/observation.js';
import { minuteMs } from '../tolerances.js';
import { probed, type LimitSession, type Part, type Probed } from './limit-session.js';
import type { ProbeOptions } from './probe-options.js';

/** Requests sent on after the first 429; to a remote target one a second, as a stubborn client would. */
const ignoring = 20;

const wasRejected = ({ history }: LimitSession): boolean =>
  history.some((one) => one.phase === 'ban' && isRejected(one));

const stubborn: readonly Part[] = [
  {
    phase: 'ban',
    requests: ({ options, isUnrestrained, listings }) => {
      const { perMinute } = options.facts.plan;
      return listings('LIMIT-12', isUnrestrained ? 2 * perMinute + 2 : perMinute + 1);
    },
  },
  ...Array.from({ length: ignoring }, (): Part => ({
    phase: 'ban ignored',
    when: wasRejected,
    wait: async ({ isNear, options: { clock, signal } }) => (isNear ? undefined : clock.sleep(1_000, signal)),
    requests: ({ listings }) => listings('LIMIT-12', 1),
  })),
];

/**
 * Exhausts a window with a key that was given for it, continues although it was asked to wait, and then waits to see
 * whether the key is served again (section 8.3: it may be banned for a time). Only on a key that may be lost.
 */
export function probeBan(options: ProbeOptions): Promise<Probed> {
  return probed(options, async (session) => {
    await session.perform(stubborn);
    const last = session.history.at(-1);
    if (!last || !wasRejected(session)) return;
    session.phase = 'ban afterwards';
    // A ban may have another status, and tell no time.
    await session.look('LIMIT-12', waitEnds(last, session.clock) ?? session.now + minuteMs);
  });
}
