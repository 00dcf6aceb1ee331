import { z } from 'zod';

/** What a check says of a failure. Rules compare it: they find the cause of several findings in it. */
const factOfFailureSchema = z.discriminatedUnion('kind', [
  /** Another status than one of those expected. */
  z.object({ kind: z.literal('status'), expected: z.array(z.int()) }),
  /** A header that is missing, there more than once, or not what it must be. */
  z.object({
    kind: z.literal('header'),
    header: z.string(),
    problem: z.enum(['missing', 'repeated', 'wrong']),
  }),
  /** A body that is not of its form. `field` is empty for the body as a whole. */
  z.object({ kind: z.literal('body'), form: z.enum(['JSON', 'Pet', 'Pets', 'Error']), field: z.string() }),
  /** A field of an animal with another value than the one sent, or shown before. */
  z.object({ kind: z.literal('value'), field: z.string() }),
  /** The limiter as a whole. `deviation` is empty if none explains its history; `says` completes "the limiter …". */
  z.object({ kind: z.literal('limiter'), deviation: z.string(), says: z.string() }),
  /** Anything else that a response shows. */
  z.object({ kind: z.literal('response') }),
]);

/** The response that shows a finding: `judgement.ts` fills it in from the evidence. */
const shownSchema = z.object({
  /** Absent if no operation shows it: a rule of the limiter, or a place in a description. */
  operation: z.string().optional(),
  /** Absent if no response came. */
  status: z.int().optional(),
  /** The query parameters of a listing, sorted: `limit status`. */
  parameters: z.string().optional(),
  /** What was received, as far as it tells one defect from another. */
  value: z.string().optional(),
});

/** What a finding is about. */
export const factSchema = z.intersection(factOfFailureSchema, shownSchema);
export type Fact = z.infer<typeof factSchema>;
export type FactOfFailure = z.infer<typeof factOfFailureSchema> & Pick<Fact, 'value'>;
