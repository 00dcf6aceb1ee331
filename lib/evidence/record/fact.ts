import { z } from 'zod';

/** The response that shows a finding. The checks fill it in from their evidence. */
const shown = {
  /** Absent if no operation shows it: a rule of the limiter, or a place in a description. */
  operation: z.string().optional(),
  /** Absent if no response came. */
  status: z.int().optional(),
  /** The query parameters of a listing, sorted: `limit status`. */
  parameters: z.string().optional(),
  /** What was received, as far as it tells one defect from another. */
  value: z.string().optional(),
};

/**
 * What a finding is about, in a form that rules compare: they find the cause of several findings in it. A check says it
 * where it fails; `judgement.ts` fills in the rest.
 */
export const factSchema = z.discriminatedUnion('kind', [
  /** Another status than one of those expected. */
  z.object({ kind: z.literal('status'), ...shown, expected: z.array(z.int()) }),
  /** A header that is missing, there more than once, or not what it must be. */
  z.object({
    kind: z.literal('header'),
    ...shown,
    header: z.string(),
    problem: z.enum(['missing', 'repeated', 'wrong']),
  }),
  /** A body that is not of its form. `field` is empty for the body as a whole. */
  z.object({
    kind: z.literal('body'),
    ...shown,
    form: z.enum(['JSON', 'Pet', 'Pets', 'Error']),
    field: z.string(),
  }),
  /** A field of an animal with another value than the one sent, or shown before. */
  z.object({ kind: z.literal('value'), ...shown, field: z.string() }),
  /** The limiter as a whole. `deviation` is empty if none explains its history; `says` completes "the limiter …". */
  z.object({
    kind: z.literal('limiter'),
    ...shown,
    deviation: z.string(),
    says: z.string(),
  }),
  /** Anything else that a response shows. */
  z.object({ kind: z.literal('response'), ...shown }),
]);
export type Fact = z.infer<typeof factSchema>;

type WithoutShown<Member> = Member extends unknown
  ? Omit<Member, Exclude<keyof typeof shown, 'value'>>
  : never;
/** What a check says of a failure; the response that shows it is known from its evidence. */
export type FactOfFailure = WithoutShown<Fact>;
