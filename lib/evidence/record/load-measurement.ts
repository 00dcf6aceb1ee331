import { z } from 'zod';
import { latencySchema, twoCountsSchema } from './request-counts.js';

const counts = {
  sent: z.int(),
  /** Answered with success. */
  good: z.int(),
  /** Answered with 429. */
  refused: z.int(),
  /** Answered with any other error, or not at all. */
  errors: z.int(),
};

/** A sustained load (`npm run load`): what was sent at a steady rate, what came back, and the bounds that it had to keep. */
export const loadSchema = z.object({
  /** Arrivals a second, evenly spaced. */
  ratePerSecond: z.number(),
  durationMs: z.number(),
  /** Shares of the operations. */
  mix: z.record(z.string(), z.number()),
  /** Requests that were to be sent. */
  planned: z.int().optional(),
  ...counts,
  goodputPerSecond: z.number(),
  /** Requests that were not sent because the target required a wait. */
  withheld: z.int(),
  /** Requests that were not sent because no connection was free for them in time. */
  notSent: z.int().optional(),
  byStatus: z.record(z.string(), z.int()),
  /** From the moment planned for each request to its response, as users feel it. */
  latency: latencySchema.optional(),
  /** From sending to the response: the target's part. */
  service: latencySchema.optional(),
  /** From the planned moment to sending: waiting for a connection, and what the harness itself was late. */
  lateness: latencySchema.optional(),
  /** The same requests, counted by the ledger and by autocannon. */
  counts: twoCountsSchema.optional(),
  byOperation: z.record(z.string(), z.object({ sent: z.int(), latency: latencySchema.optional() })),
  /** One of the shares of a load that several machines send; the figures above are those of this share. */
  share: z
    .object({
      /** From 1. */
      number: z.int(),
      of: z.int(),
      /** The planned moment of the whole load's first request, ISO 8601. */
      begin: z.string(),
      /** Of the whole load. */
      ratePerSecond: z.number(),
      durationMs: z.number(),
      requests: z.int(),
      /** The bounds of the whole load, as they were typed: they are judged when the shares are merged. */
      bounds: z.record(z.string(), z.string()),
    })
    .optional(),
  /** The shares that were merged; the figures above are those of all. */
  shares: z
    .array(
      z.object({
        number: z.int(),
        /** The id of its own run. */
        run: z.string(),
        ...counts,
        withheld: z.int(),
        latency: latencySchema.optional(),
        /** The target's clock minus the clock of the share's machine. */
        clockDifferenceMs: z.number().nullable(),
      }),
    )
    .optional(),
  thresholds: z.array(
    z.object({
      name: z.string(),
      bound: z.string(),
      measured: z.string(),
      kept: z.boolean(),
      /** `open`: the requests were too few to tell. Absent in records that knew kept and broken alone. */
      outcome: z.enum(['kept', 'broken', 'open']).optional(),
      /** With which a percentile is said to be kept or broken: 0.95. */
      confidence: z.number().optional(),
      /** Why it is open. */
      reason: z.string().optional(),
    }),
  ),
});
export type LoadMeasurement = z.infer<typeof loadSchema>;
