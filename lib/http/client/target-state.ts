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
  /** Broken exchanges in a row. Of those that were under way together, which may fail for one reason, the first counts. */
  readonly failures: number;
  /** When the first of them failed. */
  readonly failedAt: number;
  /** Milliseconds that 429s and lost responses have cost; what several cost at once counts once. */
  readonly lostMs: number;
  readonly lostUntil: number;
}

export const unknownTarget: TargetState = {
  reached: false,
  admitted: false,
  pausedUntil: 0,
  failures: 0,
  failedAt: 0,
  lostMs: 0,
  lostUntil: 0,
};

/** The state after an exchange. @param waitsUntil when a 429 lets requests be sent again */
export function afterExchange(state: TargetState, ended: Ended, waitsUntil: number): TargetState {
  const { now, exchange } = ended;
  const { status, broken } = exchange;
  const lostFrom = broken === undefined ? now : now - exchange.timing.total;
  const lostUntil = status === 429 ? Math.max(now, waitsUntil) : now;
  return {
    ...state,
    ...(broken === undefined ? { failures: 0 } : afterFailure(state, ended)),
    reached: state.reached || status !== undefined,
    admitted: state.admitted || (status !== undefined && status !== 429),
    lostMs: state.lostMs + Math.max(0, lostUntil - Math.max(lostFrom, state.lostUntil)),
    lostUntil: Math.max(state.lostUntil, lostUntil),
  };
}

function afterFailure(state: TargetState, ended: Ended): Partial<TargetState> {
  const { now, exchange, retries } = ended;
  const after = (pause: number): number => Math.max(state.pausedUntil, now + pause);
  if (exchange.failure && isNoConnection(exchange.failure.kind))
    return { pausedUntil: after(500 * 2 ** retries.unreachable) };
  const isFirst = state.failures === 0;
  const failures = state.failures + (isFirst || exchange.sentAt >= state.failedAt ? 1 : 0);
  const isGone = exchange.status === undefined || gatewayStatuses.has(exchange.status);
  // None after a single failure; then more the more there are in a row, so that a target that restarts has time.
  const pause = isGone && failures > 1 ? 100 * 2 ** Math.min(failures - 1, 4) : 0;
  return { failures, failedAt: isFirst ? now : state.failedAt, pausedUntil: after(pause) };
}
