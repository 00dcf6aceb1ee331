import { isAdmitted as isAdmittedEntry } from '../../load/ledger.js';
import type { Judgement } from '../../verdict/judgement.js';
import { Inconclusive } from '../../verdict/outcome.js';
import { isServed, type Observation, waitEnds } from '../history/observation.js';
import type { LimitEvidence } from '../limit-evidence.js';
import { minuteMs } from '../tolerances.js';
import { probed, type ProbeOptions, type Probed } from './limit-session.js';
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

/** LIMIT-12: what a client meets that ignores 429. */
export function observeBan(judgement: Judgement, { facts, sent, history }: LimitEvidence): void {
  const { clock, others } = history;
  // A banned key may look like one that is not valid.
  const refused = others.filter(({ caller }) => caller === facts.caller);
  const own = [...sent, ...refused].toSorted((a, b) => a.sentAt - b.sentAt);
  const first = own.findLast(({ phase, outcome }) => phase === 'ban' && outcome === 'rejected');
  const ignored = own.filter(({ phase }) => phase === 'ban ignored');
  const after = own.findLast(({ phase }) => phase === 'ban afterwards');
  const last = ignored.at(-1);
  if (!first || !last) throw new Inconclusive('no 429 was seen that could be ignored');
  const asked = (one: Observation): number =>
    Math.round(((waitEnds(one, clock) ?? one.receivedAt) - one.receivedAt) / 1000);
  const changed = ignored.find((one) => one.status !== 429 || asked(one) > asked(first) + 5);
  const number = changed ? ignored.indexOf(changed) + 1 : 0;
  judgement.observe(
    `${ignored.length} requests in spite of a 429`,
    !changed
      ? 'each is rejected with 429 as the first one was'
      : changed.status === 429
        ? `from response ${number} on, Retry-After is ${asked(changed)} s instead of ${asked(first)} s: the key is banned for a time`
        : `response ${number} is ${changed.status ?? 'missing'} instead of 429`,
    (changed ?? first).exchange,
  );
  const final = after ?? last;
  const seconds = Math.round((final.receivedAt - last.receivedAt) / 1000);
  const wait = final.headers.retryAfter ? `, Retry-After: ${final.headers.retryAfter.text}` : '';
  judgement.observe(
    'the key afterwards',
    isServed(final)
      ? `is served again after ${seconds} s`
      : `still gets ${final.status ?? 'no response'} after ${seconds} s${wait}`,
    final.exchange,
  );
}
