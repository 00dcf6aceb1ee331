import type { Exchange } from '../../evidence/exchange.js';
import { gatewayStatuses, isNoConnection } from '../../evidence/recorded-exchange.js';
import { integer } from '../../explain/count.js';
import {
  afterExchange,
  afterSending,
  freshPace,
  longestWait,
  mostAtOnce,
  pauseBefore,
  waitAfter,
  type Pace,
  type Pause,
  type Terms,
} from './pace.js';

/** Limiters count callers separately: what a response without the key says is nothing about the key. */
export type Caller = 'key' | 'other';

/** What the client knows of its target. Times are milliseconds since the Unix epoch, by our clock. */
export type State = Readonly<ReturnType<typeof initialState>>;

/** How often one request was sent again: limiter or key did not let it pass, no connection was opened, its response was lost. */
export const noRetries = { limited: 0, expired: 0, unreachable: 0, broken: 0 };
type Cause = keyof typeof noRetries;

/** An exchange of ours that is complete. */
export interface Ended {
  readonly type: 'ended';
  readonly now: number;
  readonly exchange: Exchange;
  readonly caller: Caller;
  readonly retries: typeof noRetries;
  /** Another request is sent in its place if its own effect is unknown. */
  readonly hasSubstitute?: boolean;
  /** The key was refused because it had run out, and there is another one. */
  readonly hasRunOut?: boolean;
}

/** A caller has so many requests to send together; `left` is what the budget allows. */
interface Wanted {
  readonly type: 'wanted';
  readonly now: number;
  readonly caller: Caller;
  readonly count: number;
  readonly left: number;
}

/** An exchange of another sender with the key. */
type Observed = { readonly type: 'observed' } & Pick<Ended, 'now' | 'exchange'>;

export type Event = Wanted | Ended | Observed;

export type Action =
  | { readonly do: 'send'; readonly count: number }
  /** Without a moment, until a request is no longer under way. */
  | ({ readonly do: 'wait' } & Partial<Pause>)
  | { readonly do: 'accept' }
  /** Send it again, ahead of all that this caller has not sent yet. */
  | { readonly do: 'retry'; readonly cause: Cause; readonly reason: string }
  /** Send a request that the target has answered before. Without a response the run ends; with one, `after` is done. */
  | { readonly do: 'probe'; readonly reason: string; readonly after: Action }
  /** End the run. Without a reason the budget is used up. */
  | { readonly do: 'stop'; readonly reason?: string };

type Step = readonly [State, Action];

const minute = 60_000;
/** Waits of one request for the limiter. Section 8.3 threatens clients that go on with a ban. */
export const maximumWaits = 6;
/** The same for a target that has never sent anything but 429: its window may have been used up before the run. */
const waitsForFirst = 2;
/** Failures in a row after which the target counts as lost. Each may cost a whole deadline. */
const lostAfter = 8;
/** Sent twice, they have the effect of once (RFC 9110 9.2.2). */
const idempotentMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

export function initialState(terms: Terms) {
  const pace = freshPace(terms);
  const paces: Readonly<Record<Caller, Pace>> = { key: pace, other: pace };
  return {
    terms,
    paces,
    sent: 0,
    underWay: 0,
    /** Requests that may be under way at once: half as many after one of them was lost. */
    atOnce: terms.concurrency,
    /** The target has sent a response other than 429 at least once. */
    admitted: false,
    /** Nothing is sent before: the target may be restarting. */
    pausedUntil: 0,
    /** Broken exchanges in a row, since when. Those that were under way together may fail for one reason: the first counts. */
    failures: 0,
    failedAt: 0,
    /** Milliseconds that 429s and lost responses have cost, until when; what several cost at once counts once. */
    lostMs: 0,
    lostUntil: 0,
  };
}

/**
 * Decides what the client does next. Every retry is an exchange of its own that counts against the budget. While one
 * request is tried again, its caller's others wait. The response to the retry counts; only ROBUST-01 judges broken
 * exchanges.
 */
export function next(state: State, event: Event): Step {
  if (event.type === 'wanted') return mayBeSent(state, event);
  const learnt = event.type === 'ended' ? learn(state, event) : observe(state, event);
  const { failure } = event.exchange;
  // A target can't be judged by what was never sent.
  if (failure?.kind === 'exhausted') return [learnt, { do: 'stop', reason: failure.message }];
  return event.type === 'ended' ? decide(learnt, event) : [learnt, { do: 'accept' }];
}

function observe(state: State, { now, exchange }: Observed): State {
  const { key } = state.paces;
  const sent = exchange.status === 429 ? key : afterSending(key, now, 1);
  const paces = { ...state.paces, key: afterExchange(sent, now, exchange, 0, state.terms) };
  return { ...state, paces };
}

function mayBeSent(state: State, { now, caller, count, left }: Wanted): Step {
  const { terms, underWay, pausedUntil, atOnce } = state;
  if (left < 1) return [state, { do: 'stop' }];
  if (pausedUntil > now) return [state, { do: 'wait', until: pausedUntil }];
  const pace = state.paces[caller];
  const pause = pauseBefore(pace, now, count, terms);
  if (pause.until > now) return [state, { do: 'wait', ...pause }];
  // A burst that is larger than what may be under way goes alone.
  if (underWay > 0 && underWay + count > Math.min(atOnce, mostAtOnce(pace, now)))
    return [state, { do: 'wait' }];
  const granted = Math.min(count, left);
  const paces = { ...state.paces, [caller]: afterSending(pace, now, granted) };
  const sending = { ...state, paces, sent: state.sent + granted, underWay: underWay + granted };
  return [sending, { do: 'send', count: granted }];
}

function learn(state: State, ended: Ended): State {
  const { now, exchange, caller, retries } = ended;
  const { status, broken, timing } = exchange;
  const learnt = afterExchange(state.paces[caller], now, exchange, retries.limited, state.terms);
  // Another sender may provoke 429s on purpose.
  const pace = status === 429 ? { ...learnt, surprisedUntil: learnt.pausedUntil } : learnt;
  const lostFrom = broken === undefined ? now : now - timing.total;
  const lostUntil = status === 429 ? pace.pausedUntil : now;
  return {
    ...state,
    ...(broken === undefined ? { failures: 0 } : afterFailure(state, ended)),
    paces: { ...state.paces, [caller]: pace },
    underWay: state.underWay - 1,
    admitted: state.admitted || (status !== undefined && status !== 429),
    lostMs: state.lostMs + Math.max(0, lostUntil - Math.max(lostFrom, state.lostUntil)),
    lostUntil: Math.max(state.lostUntil, lostUntil),
  };
}

function afterFailure(state: State, { now, exchange, retries }: Ended): Partial<State> {
  const { failure, status, sentAt } = exchange;
  const { failures, failedAt, underWay } = state;
  const after = (pause: number): number => Math.max(state.pausedUntil, now + pause);
  if (failure && isNoConnection(failure.kind)) return { pausedUntil: after(500 * 2 ** retries.unreachable) };
  if (failures > 0 && sentAt < failedAt) return {};
  const isGone = status === undefined || gatewayStatuses.has(status);
  // None after a single failure; then more the more there are in a row, so that a target that restarts has time.
  const pause = isGone && failures > 0 ? 100 * 2 ** Math.min(failures, 4) : 0;
  return {
    failures: failures + 1,
    failedAt: failures === 0 ? now : failedAt,
    pausedUntil: after(pause),
    atOnce: underWay > 1 ? Math.min(state.atOnce, Math.floor(underWay / 2)) : state.atOnce,
  };
}

/** What follows an exchange that was learnt from. */
function decide(state: State, ended: Ended): Step {
  const { exchange, retries } = ended;
  const { broken = '', status, failure } = exchange;
  const isLimited = status === 429;
  if (!ended.hasRunOut && !isLimited && exchange.broken === undefined) return [state, { do: 'accept' }];
  const lost = failure && isNoConnection(failure.kind) ? 'unreachable' : 'broken';
  const cause = ended.hasRunOut ? 'expired' : isLimited ? 'limited' : lost;
  const { most, reason = broken, end } = rulesOf(state, ended)[cause];
  const isTriedOut = retries[cause] >= most;
  const stop = (isTriedOut ? end : undefined) ?? excessOf(state, ended);
  if (stop !== undefined) return [state, { do: 'stop', reason: stop }];
  const after: Action = isTriedOut ? { do: 'accept' } : { do: 'retry', cause, reason };
  const isSilent = status === undefined || failure?.kind === 'timeout';
  if (state.failures <= lostAfter || !isSilent) return [state, after];
  const what =
    status === undefined ? `respond to ${state.failures} requests` : `finish ${state.failures} responses`;
  return [
    { ...state, failures: 0 },
    { do: 'probe', reason: `the target did not ${what} in a row: ${broken}`, after },
  ];
}

/** How often a request is sent again, why (or what broke), and why the run ends after that, if it does. */
function rulesOf(
  { admitted }: State,
  { exchange, hasSubstitute }: Ended,
): Record<Cause, { most: number; reason?: string; end?: string }> {
  const { request, broken = '' } = exchange;
  const waits = admitted ? maximumWaits : waitsForFirst;
  return {
    // A run has other keys at most so often.
    expired: { most: maximumWaits, reason: 'the key had run out; another was taken' },
    limited: {
      most: waits,
      reason: 'the limiter responded with 429',
      end: admitted
        ? `the target still responds with 429 after ${waits} waits as long as it asked for`
        : `the target responds with 429 to every request, after ${waits} waits as long as it asked for, too: the key may have used up its day, or be banned. Use another key, or begin later`,
    },
    unreachable: { most: admitted ? 3 : 1, end: `the target can't be reached: ${broken}` },
    // A create may have had its effect: another one is sent, under another name.
    broken: { most: hasSubstitute || idempotentMethods.has(request.method) ? 1 : 0 },
  };
}

/** What the target asks for, or has cost, if that is more than the run waits. */
function excessOf({ terms, lostMs, sent }: State, { now, exchange, retries }: Ended): string | undefined {
  const seconds = (milliseconds: number): string => integer(milliseconds / 1000);
  const wait = exchange.status === 429 ? waitAfter(exchange, now, retries.limited) : 0;
  if (wait > longestWait)
    return `the target asks for a wait of ${seconds(wait)} s; the run waits ${seconds(longestWait)} s at most`;
  // Five minutes, and as long as the plan takes for what was sent.
  if (lostMs <= 5 * minute + (sent / terms.plan.perMinute) * minute) return undefined;
  return `429s and lost responses have cost the run ${seconds(lostMs)} s: it waits no longer`;
}
