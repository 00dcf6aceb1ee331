import { z } from 'zod';
import { planNames } from '../../specification/plan.js';
import { explanationSchema } from './explanation.js';
import { twoCountsSchema } from './request-counts.js';

/** What the limit checks of the plan measured: the figures, and how the limiter is explained. */
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
  /** What LIMIT-10 is judged by: what was sent, a stretch of a minute or so each. */
  day: z
    .object({
      dayMs: z.number().optional(),
      /** Times in epoch milliseconds; `uncertain` got no response or an error, and may have counted. */
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
      counts: twoCountsSchema.optional(),
      /** Why the counting did not get to its end. */
      stopped: z.string().optional(),
    })
    .optional(),
  /** How the limiter is explained, window by window. */
  explanation: explanationSchema.optional(),
  /** The probes as the ledger and autocannon have counted them. */
  counts: twoCountsSchema.optional(),
});
export type PlanMeasurement = z.infer<typeof planMeasurementSchema>;
