import { isAdmitted as isAdmittedEntry } from '../../load/ledger.js';
import { waitEnds } from '../history/observation.js';
import { minuteMs } from '../tolerances.js';
import { probed, type Probed } from './limit-session.js';
import type { ProbeOptions } from './probe-options.js';
import { awaitServed } from './served-again.js';

/** Requests sent on after the first 429; to a remote target one a second, as a stubborn client would. */
const ignoring = 20;

/**
 * Exhausts a window with a key that was given for it, continues although it was asked to wait, and then waits to see
 * whether the key is served again (section 8.3: it may be banned for a time). Only on a key that may be lost.
 */
export function probeBan(options: ProbeOptions): Promise<Probed> {
  return probed(options, async (session) => {
    const { isUnrestrained } = session;
    session.begin('ban', 'exhausting a window');
    const first = await session.look('LIMIT-12');
    if (first.outcome === 'rejected') await awaitServed(session, first);
    const { perMinute } = options.facts.plan;
    const listings = Array.from({ length: 2 * perMinute + 2 }, () => session.list('LIMIT-12'));
    await session.send(isUnrestrained ? listings : listings.slice(0, perMinute + 1), {
      stopAfter: (entry) => !isAdmittedEntry(entry),
    });
    if (session.history.at(-1)?.outcome !== 'rejected') return;
    session.begin('ban ignored', 'sending in spite of the 429');
    for (let sent = 0; sent < ignoring; sent += 1) {
      if (!isUnrestrained) await options.clock.sleep(1_000, options.signal);
      await session.one(session.list('LIMIT-12'));
    }
    session.begin('ban afterwards');
    const last = session.history.at(-1);
    if (last?.outcome === 'rejected') return awaitServed(session, last);
    // A ban may have another status, and tell no time.
    const until = last && waitEnds(last, session.clock);
    await session.waitUntil(
      until ?? session.now + minuteMs,
      'waiting to see whether the key is served again',
    );
    await session.one(session.list('LIMIT-12'));
  });
}
