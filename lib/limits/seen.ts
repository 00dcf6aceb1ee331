import { parseTimestamp } from '../http/clock/clock.js';
import type { Exchange } from '../http/exchange/exchange.js';
import { isAdmittedStatus } from '../load/ledger.js';
import { ApiResponse } from '../session/api-response.js';
import { toldBy, type Told } from './told.js';

/** One request of a limit run and its answer, as judgements see it. Times are epoch milliseconds by our clock. */
export interface Seen {
  readonly exchange: Exchange;
  readonly sentAt: number;
  /** When the head of the answer had come, or the failure was seen. */
  readonly at: number;
  /** `null` where no answer came. */
  readonly status: number | null;
  readonly told: Told;
}

/** An exchange as a limit judgement sees it; the times default to those recorded, in whole milliseconds. */
export function seen(exchange: Exchange, times?: { readonly sentAt: number; readonly at: number }): Seen {
  const sentAt = times?.sentAt ?? parseTimestamp(exchange.sentAt);
  return {
    exchange,
    sentAt,
    at: times?.at ?? sentAt + (exchange.timing.firstByte ?? exchange.timing.total),
    status: exchange.response?.status ?? null,
    told: toldBy(exchange),
  };
}

export function answerOf({ exchange }: Seen): ApiResponse {
  return new ApiResponse(exchange);
}

/** The limiter let it through. */
export function admitted({ status }: Seen): boolean {
  return isAdmittedStatus(status);
}

export function refused({ status }: Seen): boolean {
  return status === 429;
}
