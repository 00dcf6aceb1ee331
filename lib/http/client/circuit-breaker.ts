import {
  brokenReason,
  gatewayStatuses,
  isNoConnection,
  type Exchange,
} from '../../evidence/recorded-exchange.js';
import { maximumWaits, stillLimited } from '../pacing/pacing.js';

/** What the exchanges so far tell about the target. */
export interface TargetState {
  /** The target has sent a response at least once. */
  readonly reached: boolean;
  /** It has sent one other than 429. */
  readonly admitted: boolean;
  /** Requests in a row that got no response. */
  readonly unanswered: number;
  /** Of these, the ones sent after another had failed: requests under way together may fail for one reason. */
  readonly sentIntoSilence: number;
  /** Requests in a row whose response began and missed the deadline. */
  readonly unfinished: number;
  /** The exchanges since the last whole response. */
  readonly broken: readonly Exchange[];
  /** How often the target seemed to be lost and responded to a probe. */
  readonly probes: number;
}

export const initialState: TargetState = {
  reached: false,
  admitted: false,
  unanswered: 0,
  sentIntoSilence: 0,
  unfinished: 0,
  broken: [],
  probes: 0,
};

/** How often one request was retried, by cause. */
export type Retries = Readonly<Record<RetryCause, number>>;

/**
 * `limited`: the limiter rejected the request. `unreachable`: no connection was opened. `broken`: the network, or a
 * gateway in it, may have lost the response.
 */
type RetryCause = 'limited' | 'unreachable' | 'broken';

/** What the client does after an exchange. */
export type Decision =
  | { readonly action: 'accept' }
  | {
      readonly action: 'retry';
      readonly cause: RetryCause;
      readonly reason: string;
      readonly delayMs: number;
    }
  /** Send a request that the target has answered before, alone, to see whether it is still there. */
  | { readonly action: 'probe'; readonly reason: string }
  /** End the run. */
  | { readonly action: 'abort'; readonly reason: string };

export interface Situation {
  readonly state: TargetState;
  readonly retries: Retries;
  /** Whether there is a request to probe with, and budget for it. */
  readonly canProbe: boolean;
}

/** Failures in a row after which the target counts as lost. Each may cost a whole deadline. */
const lostAfter = 8;
const maximumProbes = 3;
/** Retries if no connection is opened: more for a target that was there before. */
const reconnections = { before: 3, never: 1 };
/** Failures in a row after which a target that restarts has had enough time. */
const longestRestart = 12;

/** Waits for a target that has responded to every request with 429: its window may have been used up before the run. */
const waitsForFirst = 2;
const neverAdmitted = `the target responds with 429 to every request, after ${waitsForFirst} waits as long as it asked for, too: the key may have used up its day, or be banned. Use another key, or begin later`;

/** Sent twice, they have the effect of once (RFC 9110 9.2.2). */
const idempotentMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

/**
 * Decides what to do after an exchange. Every retry is an exchange of its own that names the one it repeats, counts
 * against the budget, and is listed with its reason in the record (`requests.repeated`).
 *
 * - **A 429** that no check wanted is retried after the wait that it asks for. After six waits the run ends, after two if
 *   nothing else ever came.
 * - **No connection**: nothing was sent, so any request is retried. One request tries, with backoff; the others wait.
 * - **A dropped connection, a missed deadline, a gateway's 502, 503 or 504**: an idempotent request is retried once. A
 *   create is not, because it may have had its effect; the session sends another one under another name.
 * - **Any other response**, also one that is too long, is accepted.
 *
 * The response to the retry counts. Only ROBUST-01 judges broken exchanges.
 */
export function decide(exchange: Exchange, { state, retries, canProbe }: Situation): Decision {
  const { response, failure, request } = exchange;
  const reason = brokenReason(exchange);
  if (response?.status === 429) {
    if (!state.admitted && retries.limited >= waitsForFirst)
      return { action: 'abort', reason: neverAdmitted };
    if (retries.limited >= maximumWaits) return { action: 'abort', reason: stillLimited };
    return { action: 'retry', cause: 'limited', reason: 'the limiter responded with 429', delayMs: 0 };
  }
  if (reason === undefined) return { action: 'accept' };
  if (failure && isNoConnection(failure.kind)) {
    if (retries.unreachable >= reconnections[state.reached ? 'before' : 'never'])
      return { action: 'abort', reason: `the target can't be reached: ${reason}` };
    return { action: 'retry', cause: 'unreachable', reason, delayMs: 500 * 2 ** retries.unreachable };
  }
  if (state.unfinished >= lostAfter) {
    return {
      action: 'abort',
      reason: `the target did not finish ${state.unfinished} responses in a row: ${reason}`,
    };
  }
  if (state.sentIntoSilence >= lostAfter) {
    const lost = `the target did not respond to ${state.unanswered} requests in a row: ${reason}`;
    return { action: canProbe && state.probes < maximumProbes ? 'probe' : 'abort', reason: lost };
  }
  if (retries.broken > 0 || !idempotentMethods.has(request.method)) return { action: 'accept' };
  return { action: 'retry', cause: 'broken', reason, delayMs: backoff(exchange, state) };
}

/**
 * Milliseconds before a broken request is retried: none after a single failure, and more the more failures in a row, so
 * that a target that restarts has time. A target that responds, though not correctly, does not restart.
 */
export function backoff({ response }: Exchange, { broken }: TargetState): number {
  const away = response === undefined || gatewayStatuses.has(response.status);
  if (!away || broken.length <= 1 || broken.length > longestRestart) return 0;
  return 100 * 2 ** Math.min(broken.length - 1, 4);
}

/**
 * The state after an exchange.
 * @param intoSilence whether requests before it had got no response when it was sent
 */
export function nextState(state: TargetState, exchange: Exchange, intoSilence: boolean): TargetState {
  const { response, failure } = exchange;
  const broken = brokenReason(exchange) === undefined ? [] : [...state.broken, exchange];
  if (response) {
    const unfinished = failure?.kind === 'timeout' ? state.unfinished + 1 : 0;
    const admitted = state.admitted || response.status !== 429;
    return { ...state, reached: true, admitted, unanswered: 0, sentIntoSilence: 0, unfinished, broken };
  }
  // Requests without a connection are retried by one request for all.
  const counts = intoSilence && !(failure && isNoConnection(failure.kind));
  return {
    ...state,
    unanswered: state.unanswered + 1,
    sentIntoSilence: state.sentIntoSilence + (counts ? 1 : 0),
    broken,
  };
}

/** The exchanges that the loss of the target explains: nothing that speaks, if not HTTP, is lost. */
export function lostExchanges({ unanswered, broken }: TargetState): readonly Exchange[] {
  return unanswered === 0 ? [] : broken.filter(({ failure }) => failure?.kind !== 'not-http');
}
