import type { Judgement } from '../../verdict/judgement.js';
import { Inconclusive } from '../../verdict/outcome.js';
import { isServed, type Observation, waitEnds } from '../history/observation.js';
import type { LimitEvidence } from '../limit-evidence.js';

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
