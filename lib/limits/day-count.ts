import { isAdmittedStatus } from '../load/ledger.js';
import { seen, type Seen } from './seen.js';
import type { Exchange } from '../http/exchange.js';

/** What a key was used for before a day's counting began, as far as can be told: some answers may not count. */
export interface UsedBefore {
  readonly least: number;
  readonly most: number;
}

/** How far a day's counting has come; enough to go on from. Times are epoch milliseconds by our clock. */
export interface DayCount {
  /** Requests of the counting that were admitted. */
  readonly admitted: number;
  readonly sent: number;
  /** Sent, and no answer came: they may have been admitted. */
  readonly uncertain: number;
  readonly firstAt: number | undefined;
  readonly lastAt: number | undefined;
  /** The first answer of the counting: what its headers told. */
  readonly first: Seen | undefined;
}

export const nothingCounted: DayCount = {
  admitted: 0,
  sent: 0,
  uncertain: 0,
  firstAt: undefined,
  lastAt: undefined,
  first: undefined,
};

/** The purpose that the counting's exchanges are recorded under. */
export const dayPurpose = 'LIMIT-10';

/** The count with one more exchange in it. */
export function counted(count: DayCount, exchange: Exchange): DayCount {
  const status = exchange.response?.status ?? null;
  const sentAt = Date.parse(exchange.sentAt);
  return {
    admitted: count.admitted + (isAdmittedStatus(status) ? 1 : 0),
    sent: count.sent + 1,
    uncertain: count.uncertain + (status === null ? 1 : 0),
    firstAt: count.firstAt ?? sentAt,
    lastAt: sentAt,
    first: count.first ?? (status === null ? undefined : seen(exchange)),
  };
}

/**
 * How far an interrupted counting had come, from its evidence.
 * @param authorization what stands for the key in the evidence: one run may have counted for several plans.
 * @param lost requests that may have been under way when it was cut off, and left no trace
 */
export async function countFrom(
  exchanges: AsyncIterable<Exchange>,
  authorization: string,
  lost: number,
): Promise<DayCount> {
  let count = nothingCounted;
  for await (const exchange of exchanges) {
    const own = exchange.request.headers.some(([name, value]) => name === 'Authorization' && value === authorization);
    if (exchange.purpose === dayPurpose && own) count = counted(count, exchange);
  }
  return { ...count, uncertain: count.uncertain + lost };
}
