import { Exchange } from '../../../evidence/exchange.js';
import { initialState, next, noRetries, type Action, type Event } from '../next.js';
import type { Terms } from '../pace.js';

/** A target, which is asked when a request is sent: what comes of it, and after how many milliseconds. */
export type Target = (now: number, number: number) => { readonly exchange: Exchange; readonly takes: number };

/** What requests came to, in simulated time. */
export interface Simulation {
  readonly took: number;
  /** When each request was sent, retries and probes included, and how many were under way then. */
  readonly sent: ReadonlyArray<{ readonly at: number; readonly underWay: number }>;
  readonly rejected: number;
  readonly accepted: number;
  /** Milliseconds of each pause. */
  readonly pauses: readonly number[];
  readonly reasons: ReadonlySet<string>;
  readonly stopped: string | undefined;
}

/** Obeys `next` as the client does, for so many requests with the key that are wanted at once. */
export function simulate(
  target: Target,
  requests: number,
  terms: Terms,
  { start = Date.UTC(2026, 0, 1), budget = Number.POSITIVE_INFINITY } = {},
): Simulation {
  let now = start;
  let state = initialState(terms);
  let stopped: string | undefined;
  let accepted = 0;
  let rejected = 0;
  const sent: Array<{ at: number; underWay: number }> = [];
  const pauses: number[] = [];
  const reasons = new Set<string>();
  const underWay: Array<{ readonly until: number; readonly end: () => void }> = [];

  const decided = (event: Event): Action => {
    const [after, action] = next(state, event);
    state = after;
    if (action.do === 'stop') stopped ??= action.reason ?? 'the budget is used up';
    return action;
  };
  type Follow = (action: Action, exchange: Exchange, retries: typeof noRetries) => void;
  /** A request, to be sent when it is allowed. */
  const attempt = (retries: typeof noRetries, follow: Follow) => (): void => {
    sent.push({ at: now, underWay: state.underWay });
    const { exchange: responded, takes } = target(now, sent.length);
    const exchange = new Exchange({ ...responded.line, sentAt: new Date(now).toISOString() });
    const end = (): void => {
      if (exchange.status === 429) rejected += 1;
      const ended = { type: 'ended', caller: 'key', now, exchange, retries } as const;
      follow(decided(ended), exchange, retries);
    };
    underWay.push({ until: now + takes, end });
  };
  const follow: Follow = (action, exchange, retries) => {
    if (action.do === 'accept') accepted += 1;
    if (action.do === 'retry') {
      const { cause } = action;
      queue.unshift(attempt({ ...retries, [cause]: retries[cause] + 1 }, follow));
    }
    if (action.do !== 'probe') return;
    const { reason, after } = action;
    const probed: Follow = (_action, { response, failure }) => {
      if (response && !failure) follow(after, exchange, retries);
      else stopped ??= reason;
    };
    queue.unshift(attempt(noRetries, probed));
  };
  const queue = Array.from({ length: requests }, () => attempt(noRetries, follow));

  for (;;) {
    if (stopped !== undefined || queue.length + underWay.length === 0) break;
    if (sent.length > 100 * (requests + 10)) throw new Error('this run does not end');
    const left = budget - sent.length;
    const [first] = queue;
    const action = first ? decided({ type: 'wanted', now, caller: 'key', count: 1, left }) : undefined;
    if (action?.do === 'send') {
      queue.shift();
      first?.();
      continue;
    }
    if (action?.do === 'stop') continue;
    // Whatever comes first: the end of the pause, or a response.
    const { until = Number.POSITIVE_INFINITY, reason = '' } = action?.do === 'wait' ? action : {};
    if (reason !== '') reasons.add(reason);
    if (until < Number.POSITIVE_INFINITY) pauses.push(until - now);
    const [soonest] = underWay.toSorted((one, other) => one.until - other.until);
    if (until === Number.POSITIVE_INFINITY && !soonest) throw new Error('this run waits for nothing');
    now = Math.min(until, soonest?.until ?? until);
    if (!soonest || soonest.until > now) continue;
    underWay.splice(underWay.indexOf(soonest), 1);
    soonest.end();
  }
  return { took: now - start, sent, rejected, accepted, pauses, reasons, stopped };
}
