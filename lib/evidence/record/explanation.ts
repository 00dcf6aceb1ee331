import { z } from 'zod';

/** How a run explains what a limiter did (LIMIT-11): what the report draws and names. All ids are those of exchanges. */

const explanationPointSchema = z.object({
  id: z.string(),
  /** Milliseconds since the window's `startedAt`: when the request was sent and when the response came. */
  sent: z.number(),
  received: z.number(),
  operation: z.string().nullable(),
  outcome: z.enum(['admitted', 'rejected', 'failed', 'unknown']),
  status: z.int().nullable(),
  /** As reported in the response; absent if the header describes the day. */
  remaining: z.int().optional(),
  /** What would remain after the burst by the conforming limiter of that kind, at the least and at the most. */
  explained: z.tuple([z.number(), z.number()]).optional(),
  /** Part of a certificate. */
  marked: z.boolean().optional(),
});
export type ExplanationPoint = z.infer<typeof explanationPointSchema>;

const explanationWindowSchema = z.object({
  startedAt: z.string(),
  durationMs: z.number(),
  /** Parts of the run that it belongs to: `opening`, `sequence`, `burst`, … */
  phases: z.array(z.string()),
  points: z.array(explanationPointSchema),
});
export type ExplanationWindow = z.infer<typeof explanationWindowSchema>;

export const explanationSchema = z.object({
  /** What the limiter behaves like: "a sliding log of 61 in 60 s"; "no known limiter; nearest: …". */
  behavesLike: z.string(),
  conforming: z.boolean(),
  /** Hypotheses with what each leaves unexplained, the cheapest first; a reader may compare them. */
  candidates: z.array(
    z.object({
      name: z.string(),
      conforming: z.boolean(),
      cost: z.number(),
      /** What it has to assume, or can't explain, in words. */
      unexplained: z.array(z.string()),
    }),
  ),
  /** The few exchanges that no conforming limiter explains together, in a sentence that a person can check. */
  certificates: z.array(
    z.object({ requirement: z.string(), sentence: z.string(), exchanges: z.array(z.string()) }),
  ),
  windows: z.array(explanationWindowSchema),
});
export type ExplanationRecord = z.infer<typeof explanationSchema>;
