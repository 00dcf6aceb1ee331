import { z } from 'zod';
import { planNames } from '../../specification/plan.js';

/** What probes of the limits and loads measured, as a record keeps it. Durations are milliseconds. */

/** How long many requests took. */
const latencySchema = z.record(z.enum(['min', 'p50', 'p90', 'p99', 'p999', 'max', 'mean']), z.number());
export type Latency = z.infer<typeof latencySchema>;

const countsByStatus = z.record(z.string(), z.int());

const explanationWindowSchema = z.object({
  startedAt: z.string(),
  durationMs: z.number(),
  /** Parts of the run that it belongs to: `opening`, `sequence`, `burst`, … */
  phases: z.array(z.string()),
  /** An exchange each, with when it was sent and when its response came, from `startedAt` on. */
  points: z.array(
    z.object({
      id: z.string(),
      sent: z.number(),
      received: z.number(),
      outcome: z.enum(['admitted', 'rejected', 'failed', 'unknown']),
      /** Absent if the header describes the day. */
      remaining: z.int().optional(),
      /** What would remain after the burst by the conforming limiter of that kind, at the least and at the most. */
      explained: z.tuple([z.number(), z.number()]).optional(),
    }),
  ),
});
export type ExplanationWindow = z.infer<typeof explanationWindowSchema>;

/** How a run explains what a limiter did (LIMIT-11). */
const explanationSchema = z.object({
  /** "a sliding log of 61 in 60 s"; "no known limiter; nearest: …". */
  behavesLike: z.string(),
  conforming: z.boolean(),
  /** Hypotheses, the cheapest first, with what each has to assume, or can't explain, in words. */
  candidates: z.array(
    z.object({
      name: z.string(),
      conforming: z.boolean(),
      cost: z.number(),
      unexplained: z.array(z.string()),
    }),
  ),
  windows: z.array(explanationWindowSchema),
});
export type ExplanationRecord = z.infer<typeof explanationSchema>;

/** What LIMIT-10 is judged by. */
const daySchema = z.object({
  dayMs: z.number().optional(),
  /** Of a minute or so each, in epoch milliseconds; `uncertain` got no response or an error, and may have counted. */
  stretches: z.array(
    z.object({
      from: z.number(),
      to: z.number(),
      admitted: z.int(),
      rejected: z.int(),
      uncertain: z.int(),
      remaining: z.int().optional(),
    }),
  ),
  /** Requests of this run; those of an interrupted one stand in the stretches alone. */
  sent: z.int().optional(),
  /** The exchange of the day's 429. */
  rejection: z.string().optional(),
  /** Nobody else had used anything of the day, as Remaining shows. */
  fresh: z.boolean(),
  stopped: z.string().optional(),
});

export const planMeasurementSchema = z.object({
  plan: z.enum(planNames),
  perMinute: z.int(),
  perDay: z.int(),
  /** The variables that hold the plan's key and the one beside it, as exchanges name their caller. */
  caller: z.string().optional(),
  otherCaller: z.string().optional(),
  /** Why its probes did not get to their end. */
  stopped: z.string().optional(),
  algorithm: z.object({ name: z.string(), certainty: z.string() }).optional(),
  day: daySchema.optional(),
  explanation: explanationSchema.optional(),
});
export type PlanMeasurement = z.infer<typeof planMeasurementSchema>;

/** One of the shares of a load that several machines send. All but its number is of the whole load. */
const shareSchema = z.object({
  /** From 1. */
  number: z.int(),
  of: z.int(),
  /** The planned moment of the first request, ISO 8601. */
  begin: z.string(),
  ratePerSecond: z.number(),
  durationMs: z.number(),
  requests: z.int(),
  /** As they were typed: they are judged when the shares are merged. */
  bounds: z.record(z.string(), z.string()),
});

/** A sustained load (`npm run load`): what was sent at a steady rate, what came back, and the bounds that it had to keep. */
export const loadSchema = z.object({
  ratePerSecond: z.number(),
  durationMs: z.number(),
  /** Shares of the operations. */
  mix: z.record(z.string(), z.number()),
  planned: z.int().optional(),
  sent: z.int(),
  /** Answered with success, with 429, and with any other error or not at all. */
  good: z.int(),
  refused: z.int(),
  errors: z.int(),
  goodputPerSecond: z.number(),
  /** Not sent because the target required a wait, or because no connection was free in time. */
  withheld: z.int(),
  notSent: z.int().optional(),
  byStatus: countsByStatus,
  /** From the moment planned for each request to its response, as users feel it. */
  latency: latencySchema.optional(),
  /** From sending to the response: the target's part. */
  service: latencySchema.optional(),
  /** From the planned moment to sending: waiting for a connection, and what the harness itself was late. */
  lateness: latencySchema.optional(),
  byOperation: z.record(z.string(), z.object({ sent: z.int(), latency: latencySchema.optional() })),
  /** The figures above are those of this share. */
  share: shareSchema.optional(),
  /** The figures above are those of all shares that were merged, each with the id of its run. */
  shares: z
    .array(z.object({ number: z.int(), run: z.string(), sent: z.int(), latency: latencySchema.optional() }))
    .optional(),
  thresholds: z.array(
    z.object({
      name: z.string(),
      bound: z.string(),
      measured: z.string(),
      /** `open`: the requests were too few to tell, or another reason. */
      outcome: z.enum(['kept', 'broken', 'open']),
      reason: z.string().optional(),
      /** With which a percentile is said to be kept or broken: 0.95. */
      confidence: z.number().optional(),
    }),
  ),
});
export type LoadMeasurement = z.infer<typeof loadSchema>;
