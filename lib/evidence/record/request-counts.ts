import { z } from 'zod';

/** Figures of many requests: how long they took, and what came of them. */

export const latencySchema = z.object({
  /** Milliseconds. */
  min: z.number(),
  p50: z.number(),
  p90: z.number(),
  p99: z.number(),
  p999: z.number(),
  max: z.number(),
  mean: z.number(),
});
export type Latency = z.infer<typeof latencySchema>;

/** What a program has counted of a volley. */
const volleyCountSchema = z.object({
  /** Requests that were written to a connection. */
  sent: z.int(),
  byStatus: z.record(z.string(), z.int()),
  /** Requests that were lost, and those that found no connection. */
  errors: z.int(),
});
export type VolleyCount = z.infer<typeof volleyCountSchema>;

/** What was counted of several volleys, or of the requests of one. */
export function sumOfCounts(counts: Iterable<VolleyCount>): VolleyCount {
  const sum: VolleyCount = { sent: 0, byStatus: {}, errors: 0 };
  for (const { sent, byStatus, errors } of counts) {
    sum.sent += sent;
    sum.errors += errors;
    for (const [status, number] of Object.entries(byStatus))
      sum.byStatus[status] = (sum.byStatus[status] ?? 0) + number;
  }
  return sum;
}

/** The same requests, counted twice by programs that know nothing of each other. */
export const twoCountsSchema = z.object({ ledger: volleyCountSchema, autocannon: volleyCountSchema });
export type TwoCounts = z.infer<typeof twoCountsSchema>;
