import type { Exchange } from '../../evidence/exchange.js';
import { integer } from '../../explain/count.js';
import { isNoConnection } from '../../evidence/recorded-exchange.js';
import {
  afterResponse,
  afterSending,
  freshPace,
  isCareful,
  pauseBefore,
  type Pace,
  type Terms,
} from './pace.js';
import { afterExchange, unknownTarget, type TargetState } from './target-state.js';

/** Limiters count callers separately: what a response without the key says is nothing about the key. */
export type Caller = 'key' | 'other';

/** What the client knows of its target. */
export interface State {
  readonly terms: Terms;
  readonly target: TargetState;
  readonly paces: Readonly<Record<Caller, Pace>>;
  readonly sent: number;
  readonly underWay: number;
  /** Requests that may be under way at once: half as many after one of them was lost. */
  readonly atOnce: number;
}

/** How often one request was retried: limiter or key did not let it pass, no connection was opened, its response was lost. */
export type Retries = Readonly<Record<'limited' | 'unreachable' | 'broken', number>>;
export const noRetries: Retries = { limited: 0, unreachable: 0, broken: 0 };

/** An exchange that is complete. */
export interface Ended {
  /** Milliseconds since the Unix epoch, by our clock. */
  readonly now: number;
  /** The target's clock minus ours, in milliseconds. */
  readonly clockDifference: number;
  readonly caller: Caller;
  readonly exchange: Exchange;
  readonly retries: Retries;
  /** It has a substitute, which is sent in its place if its own effect is unknown. */
  readonly hasSubstitute?: boolean;
  /** The key was refused because it had run out, and there is another one. */
  readonly hasRunOut?: boolean;
}

/** A caller has so many requests to send together; `left` is what the budget allows. */
interface Wanted extends Pick<Ended, 'now' | 'caller'> {
  readonly count: number;
  readonly left: number;
}

export type Event =
  | ({ readonly type: 'wanted' } & Wanted)
  | ({ readonly type: 'ended' } & Ended)
  /** Another sender had an exchange with the key. */
  | ({ readonly type: 'observed' } & Pick<Ended, 'now' | 'exchange' | 'clockDifference'>);

export type Action =
  | { readonly do: 'send'; readonly count: number }
  /** Until a moment, with a reason for people; without a moment, until a request is no longer under way. */
  | { readonly do: 'wait'; readonly until?: number; readonly reason?: string }
  | { readonly do: 'accept' }
  /** Send it again, ahead of all that this caller has not sent yet. */
  | {
      readonly do: 'retry';
      readonly cause: keyof Retries;
      readonly reason: string;
      readonly retries: Retries;
    }
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

export function initialState(terms: Terms): State {
  const pace = freshPace(terms);
  const paces = { key: pace, other: pace };
  return { terms, target: unknownTarget, paces, sent: 0, underWay: 0, atOnce: terms.concurrency };
}

/**
 * Decides what the client does next. Every retry is an exchange of its own that names the one it repeats, counts against
 * the budget, and is listed with its reason in the record (`requests.repeated`). It goes ahead of what its caller has
 * not sent yet: while one request is tried again, the others wait.
 *
 * - **A 429** that no probe wanted is retried after the wait that it asks for, at most six times, or twice if nothing else
 *   ever came.
 * - **A 401 because the key had run out** is retried as often, with another one.
 * - **No connection**: nothing was sent, so any request is retried, with backoff.
 * - **A dropped connection, a missed deadline, a gateway's 502, 503 or 504**: an idempotent request is retried once. A
 *   create may have had its effect: another one is sent, under another name.
 * - **Any other response**, also one that is too long, is accepted.
 *
 * The response to the retry counts. Only ROBUST-01 judges broken exchanges.
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
  const { underWay } = state;
  const { pausedUntil } = state.target;
  const pace = state.paces[caller];
  if (pausedUntil > now) return [state, { do: 'wait', until: pausedUntil }];
  const pause = pauseBefore(pace, now, count, state.terms);
  if (pause.until > now) return [state, { do: 'wait', ...pause }];
  const atOnce = isCareful(pace, now) ? 1 : Math.min(state.atOnce, pace.left);
  // A burst that is larger than what may be under way goes alone.
  if (underWay > 0 && underWay + count > atOnce) return [state, { do: 'wait' }];
  const granted = Math.min(count, left);
  const paces = { ...state.paces, [caller]: afterSending(pace, now, granted) };
  const sending = { ...state, paces, sent: state.sent + granted, underWay: underWay + granted };
  return [sending, { do: 'send', count: granted }];
}

function observe(state: State, observed: Event & { readonly type: 'observed' }): State {
  const key = afterResponse(state.paces.key, observed, state.terms);
  return { ...state, paces: { ...state.paces, key } };
}

function learn(state: State, ended: Ended): State {
  const { underWay } = state;
  const pace = afterResponse(state.paces[ended.caller], ended, state.terms);
  const target = afterExchange(state.target, ended, pace.pausedUntil);
  const isLost = target.failures > state.target.failures && underWay > 1;
  return {
    ...state,
    target,
    paces: { ...state.paces, [ended.caller]: pace },
    underWay: underWay - 1,
    atOnce: isLost ? Math.min(state.atOnce, Math.floor(underWay / 2)) : state.atOnce,
  };
}

function decide(state: State, ended: Ended): Step {
  const { target } = state;
  const action = afterwards(ended);
  const { broken, response, failure } = ended.exchange;
  if (action.do === 'accept' && broken === undefined) return [state, action];
  const reason = endOf(state, ended);
  if (reason !== undefined) return [state, { do: 'stop', reason }];
  const isSilent = !response || failure?.kind === 'timeout';
  if (target.failures <= lostAfter || !isSilent) return [state, action];
  const what = response ? `finish ${target.failures} responses` : `respond to ${target.failures} requests`;
  const lost = `the target did not ${what} in a row: ${broken}`;
  return [
    { ...state, target: { ...target, failures: 0 } },
    { do: 'probe', reason: lost, after: action },
  ];
}

/** What follows an exchange if the run goes on. */
function afterwards({ exchange, retries, hasSubstitute = false, hasRunOut = false }: Ended): Action {
  const { failure, request, broken } = exchange;
  if (hasRunOut && retries.limited < maximumWaits) {
    const reason = 'the key had run out; another was taken';
    return { do: 'retry', cause: 'limited', reason, retries: { ...retries, limited: retries.limited + 1 } };
  }
  const isLimited = exchange.status === 429;
  if (!isLimited && broken === undefined) return { do: 'accept' };
  const cause = isLimited ? 'limited' : failure && isNoConnection(failure.kind) ? 'unreachable' : 'broken';
  const isSafe = hasSubstitute || idempotentMethods.has(request.method);
  if (cause === 'broken' && !(isSafe && retries.broken === 0)) return { do: 'accept' };
  const reason = broken ?? 'the limiter responded with 429';
  return { do: 'retry', cause, reason, retries: { ...retries, [cause]: retries[cause] + 1 } };
}

/** Why the run ends after an exchange that shows nothing. */
function endOf(
  { terms, target, paces, sent }: State,
  { now, exchange, caller, retries }: Ended,
): string | undefined {
  const { failure, broken } = exchange;
  const seconds = (milliseconds: number): string => integer(milliseconds / 1000);
  if (exchange.status === 429) {
    const wait = paces[caller].pausedUntil - now;
    if (!target.admitted && retries.limited >= waitsForFirst) return neverAdmitted;
    if (retries.limited >= maximumWaits) return stillLimited;
    const most = seconds(terms.longestWait);
    if (wait > terms.longestWait)
      return `the target asks for a wait of ${seconds(wait)} s; the run waits ${most} s at most`;
  }
  // Five minutes, and as long as the plan takes for what was sent.
  if (target.lostMs > 5 * minute + (sent / terms.plan.perMinute) * minute)
    return `429s and lost responses have cost the run ${seconds(target.lostMs)} s: it waits no longer`;
  if (!failure || !isNoConnection(failure.kind)) return undefined;
  const isGone = retries.unreachable >= reconnections[target.reached ? 'before' : 'never'];
  return isGone ? `the target can't be reached: ${broken}` : undefined;
}
