import { observed, type Check, type Checks } from '../../verdict/check.js';
import { Inconclusive, NotTested } from '../../verdict/outcome.js';
import { behavesLike, unexplained } from '../judge/certificate.js';
import { bits } from '../tolerances.js';
import { follow } from '../judge/follow.js';
import type { Diagnosis } from '../judge/judge.js';
import type { Hypothesis } from '../judge/hypothesis.js';
import {
  isRejected,
  isServed,
  reportsRemaining,
  responsesOf,
  type Observation,
  waitEnds,
} from '../history/history.js';
import { isFixedWindow } from '../limiter/algorithms.js';
import type { LimitEvidence } from '../limits-of-run.js';

/** What the record says of the algorithm, and how surely. */
export function algorithmOf(diagnosis: Diagnosis): { readonly name: string; readonly certainty: string } {
  const { conforming, deviation, best, history } = diagnosis;
  if (history.own.length < 2) return { name: 'unknown', certainty: 'unknown' };
  if (deviation) return { name: behavesLike(diagnosis), certainty: 'likely' };
  const namedWithin = (distance: number): string[] => {
    const near = conforming.filter((one) => one.total - best.total <= distance);
    return [...new Set(near.map(({ hypothesis }) => hypothesis.algorithm))];
  };
  const named = namedWithin(bits.named);
  if (named.length > 1) return { name: named.join(' or '), certainty: 'ambiguous' };
  if (best.total > bits.near) return { name: behavesLike(diagnosis), certainty: 'likely' };
  return {
    name: named.join(),
    certainty: namedWithin(bits.odds).length === 1 ? 'certain' : 'likely',
  };
}

/** LIMIT-11: which algorithm limits, as far as the explanation proves it. */
export function* observeAlgorithm({ diagnosis, history }: LimitEvidence): Checks {
  if (history.own.length === 0) throw new Inconclusive('nothing was sent');
  const { name, certainty } = algorithmOf(diagnosis);
  yield observed('algorithm', `${name} (${certainty})`);
  const open = unexplained(diagnosis.best);
  if (open.length > 0) yield observed('left unexplained', open.join('; '));
}

/** LIMIT-13: what counts against the limit, where counting it and not counting it explain the history differently. */
export function observeCosts({ diagnosis, history }: LimitEvidence): Checks {
  const { algorithm, renewedBy, uncharged } = diagnosis.best.hypothesis;
  const behaviourOf = (status: number): string => {
    const counted = new Set([...uncharged].filter((one) => one !== status));
    const free = new Set([...uncharged, status]);
    if (status !== 429) return dearerOf(diagnosis, { uncharged: free }, { uncharged: counted });
    if (renewedBy?.includes('rejected')) return 'puts the end of the window off';
    return isFixedWindow(algorithm) && !diagnosis.deviation
      ? 'no effect: the window ends when it would have ended'
      : dearerOf(diagnosis, { chargesRejected: false }, { chargesRejected: true });
  };
  const made = [400, 404, 429].flatMap((status): Check[] => {
    const seen = history.own.filter((one) => one.status === status).slice(0, 2);
    return seen.length > 0 ? [observed(String(status), behaviourOf(status), ...responsesOf(...seen))] : [];
  });
  const unauthorized = history.others.filter(({ status }) => status === 401).slice(0, 1);
  const quiet = diagnosis.otherTraffic === 0 && reportsRemaining(history.own) && !diagnosis.deviation;
  if (unauthorized.length > 0 && quiet)
    made.push(observed('401', 'does not use the limit of a valid key up', ...responsesOf(...unauthorized)));
  if (made.length === 0) throw new Inconclusive('no request that could tell was sent');
  return made;
}

/** Which of two ways to count explains the history better. */
function dearerOf(
  { best, history }: Diagnosis,
  free: Partial<Hypothesis>,
  counted: Partial<Hypothesis>,
): string {
  const cost = (change: Partial<Hypothesis>): number =>
    follow({ ...best.hypothesis, ...change }, history)?.total ?? Number.POSITIVE_INFINITY;
  const difference = cost(free) - cost(counted);
  if (!(Math.abs(difference) >= bits.named)) return 'not shown: the responses fit both';
  return difference > 0 ? 'uses the limit up like any other request' : 'does not use the limit up';
}

/** LIMIT-12: what a client meets that ignores 429, with whichever key it was tried. */
export function* observeBan({ sent, history: { clock, others } }: LimitEvidence): Checks {
  const all = [...sent, ...others].toSorted((a, b) => a.sentAt - b.sentAt);
  const tried = all.filter(({ phase }) => phase === 'ban');
  if (tried.length === 0)
    throw new NotTested('a ban is provoked only on a key given for it (--observe-ban=KEY)');
  const over = tried.findIndex(isRejected);
  // What time gives back meanwhile is served.
  const [first, ...ignored] = over < 0 ? [] : tried.slice(over).filter((one) => !isServed(one));
  const last = ignored.at(-1);
  if (!first || !last) throw new Inconclusive('no 429 was seen that could be ignored');
  const asked = (one: Observation): number =>
    Math.round(((waitEnds(one, clock) ?? one.receivedAt) - one.receivedAt) / 1000);
  const index = ignored.findIndex((one) => !isRejected(one) || asked(one) > asked(first) + 5);
  const changed = ignored[index];
  const behaviour = !changed
    ? 'each is rejected with 429 as the first one was'
    : isRejected(changed)
      ? `from response ${index + 1} on, Retry-After is ${asked(changed)} s instead of ${asked(first)} s: the key is banned for a time`
      : `response ${index + 1} is ${changed.status ?? 'missing'} instead of 429`;
  yield observed(`${ignored.length} requests in spite of a 429`, behaviour, (changed ?? first).exchange);
  const final = all.findLast(({ phase }) => phase === 'ban afterwards') ?? last;
  const is = isServed(final) ? 'is served again' : `still gets ${final.status ?? 'no response'}`;
  const seconds = Math.round((final.receivedAt - last.receivedAt) / 1000);
  yield observed('the key afterwards', `${is} after ${seconds} s`, final.exchange);
}
