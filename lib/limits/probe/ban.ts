import { isRejected, waitEnds } from '../history/observation.js';
import { minuteMs } from '../tolerances.js';
import { probed, type LimitSession, type Probed } from './limit-session.js';
import { sendParts, type Part } from './part.js';
import type { ProbeOptions } from './probe-options.js';
import { listings } from './requests.js';
import { awaitServed } from './served-again.js';

/** Requests sent on after the first 429; to a remote target one a second, as a stubborn client would. */
const ignoring = 20;

const exhausting: Part = {
  phase: 'ban',
  requests: (session) => {
    const { perMinute } = session.options.facts.plan;
    return listings(session, 'LIMIT-12', session.isUnrestrained ? 2 * perMinute + 2 : perMinute + 1);
  },
  until: 'not admitted',
};

const inSpite = Array.from({ length: ignoring }, (): Part => ({
  phase: 'ban ignored',
  wait: async ({ isNear, options: { clock, signal } }) => (isNear ? undefined : clock.sleep(1_000, signal)),
  requests: (session) => listings(session, 'LIMIT-12', 1),
}));

/**
 * Exhausts a window with a key that was given for it, continues although it was asked to wait, and then waits to see
 * whether the key is served again (section 8.3: it may be banned for a time). Only on a key that may be lost.
 */
export function probeBan(options: ProbeOptions): Promise<Probed> {
  return probed(options, async (session: LimitSession) => {
    session.tell('exhausting a window');
    session.begin('ban');
    const first = await session.look('LIMIT-12');
    if (isRejected(first)) await awaitServed(session, first);
    await sendParts(session, [exhausting]);
    if (session.history.at(-1)?.outcome !== 'rejected') return;
    session.tell('sending in spite of the 429');
    await sendParts(session, inSpite);
    session.begin('ban afterwards');
    const last = session.history.at(-1);
    if (last && isRejected(last)) return awaitServed(session, last);
    // A ban may have another status, and tell no time.
    const until = (last && waitEnds(last, session.clock)) ?? session.now + minuteMs;
    await session.waitUntil(until, 'waiting to see whether the key is served again');
    await session.one(session.list('LIMIT-12'));
  });
}
