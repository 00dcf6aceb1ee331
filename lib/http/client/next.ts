import type { Exchange } from '../../evidence/exchange.js';
import { gatewayStatuses, isNoConnection } from '../../evidence/recorded-exchange.js';
import { integer } from '../../explain/count.js';
import {
  afterOther,
  afterResponse,
  afterSending,
  freshPace,
  mostAtOnce,
  pauseBefore,
  type Pace,
  type Pause,
  type Terms,
} from './pace.js';

/** Limiters count callers separately: what a response without the key says is nothing about the key. */
export type Caller = 'key' | 'other';

/** What the client knows of its target. */
export type State = Readonly<ReturnType<typeof initialState>>;

/** How often one request was retried: limiter or key did not let it pass, no connection was opened, its response was lost. */
type Retries = Readonly<Record<'limited' | 'unreachable' | 'broken', number>>;
export const noRetries: Retries = { limited: 0, unreachable: 0, broken: 0 };

/** An exchange of another sender with the key. */
export interface Observed {
  readonly type: 'observed';
  readonly now: number;
  readonly exchange: Exchange;
}

/** An exchange of ours that is complete. */
export interface Ended extends Omit<Observed, 'type'> {
  readonly type: 'ended';
  readonly caller: Caller;
  readonly retries: Retries;
  /** It has a substitute, which is sent in its place if its own effect is unknown. */
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

export type Event = Wanted | Ended | Observed;

export type Action =
  | { readonly do: 'send'; readonly count: number }
  /** Without a moment, until a request is no longer under way. */
  | ({ readonly do: 'wait' } & Partial<Pause>)
  | { readonly do: 'accept' }
  /** Send it again, ahead of all that this caller has not sent yet. */
  | { readonly do: 'retry'; readonly cause: keyof Retries; readonly reason: string }
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
/** Retries if no connection is opened: more for a target that was there before. */
const reconnections = { before: 3, never: 1 };
/** Sent twice, they have the effect of once (RFC 9110 9.2.2). */
const idempotentMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

const neverAdmitted = `the target responds with 429 to every request, after ${waitsForFirst} waits as long as it asked for, too: the key may have used up its day, or be banned. Use another key, or begin later`;
const stillLimited = `the target still responds with 429 after ${maximumWaits} waits as long as it asked for`;

/** Times are milliseconds since the Unix epoch, by our clock. */
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
    /** The target has sent a response at least once, and one other than 429. */
    reached: false,
    admitted: false,
    /** Nothing is sent before: the target may be restarting. */
    pausedUntil: 0,
    /** Broken exchanges in a row. Of those that were under way together, which may fail for one reason, the first counts. */
    failures: 0,
    /** When the first of them failed. */
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

function mayBeSent(state: State, { now, caller, count, left }: Wanted): Step {
  if (left < 1) return [state, { do: 'stop' }];
  const { terms, underWay, pausedUntil } = state;
  if (pausedUntil > now) return [state, { do: 'wait', until: pausedUntil }];
  const pace = state.paces[caller];
  const pause = pauseBefore(pace, now, count, terms);
  if (pause.until > now) return [state, { do: 'wait', ...pause }];
  // A burst that is larger than what may be under way goes alone.
  if (underWay > 0 && underWay + count > Math.min(state.atOnce, mostAtOnce(pace, now)))
    return [state, { do: 'wait' }];
  const granted = Math.min(count, left);
  const paces = { ...state.paces, [caller]: afterSending(pace, now, granted) };
  const sending = { ...state, paces, sent: state.sent + granted, underWay: underWay + granted };
  return [sending, { do: 'send', count: granted }];
}

function observe(state: State, observed: Observed): State {
  return { ...state, paces: { ...state.paces, key: afterOther(state.paces.key, observed, state.terms) } };
}

function learn(state: State, ended: Ended): State {
  const { now, exchange, caller } = ended;
  const { status, broken, timing } = exchange;
  const pace = afterResponse(state.paces[caller], ended, state.terms);
  const failed = broken === undefined ? { failures: 0 } : afterFailure(state, ended);
  const lostFrom = broken === undefined ? now : now - timing.total;
  const lostUntil = status === 429 ? pace.pausedUntil : now;
  return {
    ...state,
    ...failed,
    paces: { ...state.paces, [caller]: pace },
    underWay: state.underWay - 1,
    reached: state.reached || status !== undefined,
    admitted: state.admitted || (status !== undefined && status !== 429),
    lostMs: state.lostMs + Math.max(0, lostUntil - Math.max(lostFrom, state.lostUntil)),
    lostUntil: Math.max(state.lostUntil, lostUntil),
  };
}

function afterFailure(state: State, { now, exchange, retries }: Ended): Partial<State> {
  const { failure, status, sentAt } = exchange;
  const after = (pause: number): number => Math.max(state.pausedUntil, now + pause);
  if (failure && isNoConnection(failure.kind)) return { pausedUntil: after(500 * 2 ** retries.unreachable) };
  const isFirst = state.failures === 0;
  const isCounted = isFirst || sentAt >= state.failedAt;
  const failures = state.failures + (isCounted ? 1 : 0);
  const isGone = status === undefined || gatewayStatuses.has(status);
  // None after a single failure; then more the more there are in a row, so that a target that restarts has time.
  const pause = isGone && failures > 1 ? 100 * 2 ** Math.min(failures - 1, 4) : 0;
  const isCrowded = isCounted && state.underWay > 1;
  return {
    failures,
    failedAt: isFirst ? now : state.failedAt,
    pausedUntil: after(pause),
    ...(isCrowded && { atOnce: Math.min(state.atOnce, Math.floor(state.underWay / 2)) }),
  };
}

/** What follows an exchange that was learnt from. */
function decide(state: State, ended: Ended): Step {
  const { exchange, retries, hasSubstitute = false, hasRunOut = false } = ended;
  const { broken, status, failure, request } = exchange;
  const isLimited = hasRunOut || status === 429;
  if (!isLimited && broken === undefined) return [state, { do: 'accept' }];
  const cause = isLimited ? 'limited' : failure && isNoConnection(failure.kind) ? 'unreachable' : 'broken';
  const isSafe = hasSubstitute || idempotentMethods.has(request.method);
  const most = {
    limited: hasRunOut || state.admitted ? maximumWaits : waitsForFirst,
    unreachable: reconnections[state.reached ? 'before' : 'never'],
    // A create may have had its effect: another one is sent, under another name.
    broken: isSafe ? 1 : 0,
  }[cause];
  const isTriedOut = retries[cause] >= most;
  // A run has other keys at most so often.
  if (hasRunOut && isTriedOut) return [state, { do: 'accept' }];
  const end = endOf(state, ended, isTriedOut);
  if (end !== undefined) return [state, { do: 'stop', reason: end }];
  const unlimited = hasRunOut ? 'the key had run out; another was taken' : 'the limiter responded with 429';
  const action: Action = isTriedOut ? { do: 'accept' } : { do: 'retry', cause, reason: broken ?? unlimited };
  const isSilent = status === undefined || failure?.kind === 'timeout';
  if (state.failures <= lostAfter || !isSilent) return [state, action];
  const what =
    status === undefined ? `respond to ${state.failures} requests` : `finish ${state.failures} responses`;
  const lost = `the target did not ${what} in a row: ${broken}`;
  return [
    { ...state, failures: 0 },
    { do: 'probe', reason: lost, after: action },
  ];
}

/** Why the run ends after an exchange that shows nothing. */
function endOf(state: State, { now, exchange, caller }: Ended, isTriedOut: boolean): string | undefined {
  const { terms, lostMs } = state;
  const { status, failure, broken } = exchange;
  const seconds = (milliseconds: number): string => integer(milliseconds / 1000);
  if (status === 429) {
    if (isTriedOut) return state.admitted ? stillLimited : neverAdmitted;
    const wait = state.paces[caller].pausedUntil - now;
    const most = seconds(terms.longestWait);
    if (wait > terms.longestWait)
      return `the target asks for a wait of ${seconds(wait)} s; the run waits ${most} s at most`;
  }
  // Five minutes, and as long as the plan takes for what was sent.
  if (lostMs > 5 * minute + (state.sent / terms.plan.perMinute) * minute)
    return `429s and lost responses have cost the run ${seconds(lostMs)} s: it waits no longer`;
  const isGone = isTriedOut && failure && isNoConnection(failure.kind);
  return isGone ? `the target can't be reached: ${broken}` : undefined;
}
