import type { Exchange } from '../../evidence/exchange.js';
import { gatewayStatuses, isNoConnection } from '../../evidence/recorded-exchange.js';
import type { Ended } from './next.js';

/** What the exchanges so far tell about the target. Times are milliseconds since the Unix epoch, by our clock. */
export interface TargetState {
  /** It has sent a response at least once. */
  readonly reached: boolean;
  /** It has sent one other than 429. */
  readonly admitted: boolean;
  /** Nothing is sent before: it may be restarting. */
  readonly pausedUntil: number;
  /** Times in a row that no connection was opened. Until one is, one request goes ahead of all others. */
  readonly away: number;
  /** Requests in a row that got no response. */
  readonly unanswered: number;
  /** Of these, the ones sent after another had failed: requests under way together may fail for one reason. */
  readonly sentIntoSilence: number;
  /** Requests in a row whose response began and missed the deadline. */
  readonly unfinished: number;
  /** The exchanges since the last whole response. */
  readonly broken: readonly Exchange[];
  /** How often it seemed to be lost, and was probed. */
  readonly probes: number;
  /** Milliseconds that 429s and lost responses have cost; what several cost at once counts once. */
  readonly lostMs: number;
  readonly lostUntil: number;
}

export const unknownTarget: TargetState = {
  reached: false,
  admitted: false,
  pausedUntil: 0,
  away: 0,
  unanswered: 0,
  sentIntoSilence: 0,
  unfinished: 0,
  broken: [],
  probes: 0,
  lostMs: 0,
  lostUntil: 0,
};

/** Failures in a row after which a target that restarts has had enough time. */
const longestRestart = 12;

/** The state after an exchange. @param waitsUntil when a 429 lets requests be sent again */
export function afterExchange(state: TargetState, ended: Ended, waitsUntil: number): TargetState {
  const { now, exchange } = ended;
  const { response, failure, timing } = exchange;
  const lostFrom = exchange.broken === undefined ? now : now - timing.total;
  const lostUntil = response?.status === 429 ? Math.max(now, waitsUntil) : now;
  const after = {
    ...state,
    ...afterFailure(state, ended),
    lostMs: state.lostMs + Math.max(0, lostUntil - Math.max(lostFrom, state.lostUntil)),
    lostUntil: Math.max(state.lostUntil, lostUntil),
  };
  if (!response) return after;
  return {
    ...after,
    reached: true,
    admitted: state.admitted || response.status !== 429,
    away: 0,
    unanswered: 0,
    sentIntoSilence: 0,
    unfinished: failure?.kind === 'timeout' ? state.unfinished + 1 : 0,
  };
}

function afterFailure(state: TargetState, { now, exchange, intoSilence }: Ended): Partial<TargetState> {
  const { response, failure } = exchange;
  const broken = exchange.broken === undefined ? [] : [...state.broken, exchange];
  const hasNoConnection = failure !== undefined && isNoConnection(failure.kind);
  // Requests that were under way together fail together: that is one failure.
  const isAnother = now >= state.pausedUntil;
  const away = state.away + (hasNoConnection && isAnother ? 1 : 0);
  const isGone = response === undefined || gatewayStatuses.has(response.status);
  const pause = hasNoConnection ? 500 * 2 ** (away - 1) : isGone ? restartTime(broken.length) : 0;
  return {
    broken,
    away,
    pausedUntil: isAnother ? now + pause : state.pausedUntil,
    unanswered: state.unanswered + 1,
    sentIntoSilence: state.sentIntoSilence + (intoSilence && !hasNoConnection ? 1 : 0),
  };
}

/**
 * Milliseconds before anything is sent after failures: none after a single one, and more the more there are in a row, so
 * that a target that restarts has time.
 */
function restartTime(failures: number): number {
  return failures > 1 && failures <= longestRestart ? 100 * 2 ** Math.min(failures - 1, 4) : 0;
}
