import { z } from 'zod';

/** What a run says of requirements: verdicts, findings, observations, causes and classes. */

export const verdicts = [
  'pass',
  'fail',
  'warn',
  'observed',
  'inconclusive',
  'not-applicable',
  'not-tested',
] as const;
const verdictSchema = z.enum(verdicts);
export type Verdict = z.infer<typeof verdictSchema>;

/** From the best to the worst: a run is as good as its worst class. */
export const classVerdicts = ['conformant', 'partial', 'incomplete', 'non-conformant'] as const;
export const classVerdictSchema = z.enum(classVerdicts);
export type ClassVerdict = z.infer<typeof classVerdictSchema>;

const texts = z.array(z.string());

/** What a check says of a failure: the cause of several findings is found by it. */
const factOfFailureSchema = z.discriminatedUnion('kind', [
  /** Another status than one of those expected. */
  z.object({ kind: z.literal('status'), expected: z.array(z.int()) }),
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

/** The response that shows a finding, as `judgement.ts` takes it from the evidence, if an operation shows it. */
const shownSchema = z.object({
  operation: z.string().optional(),
  status: z.int().optional(),
  /** The query parameters of a listing, sorted: `limit status`. */
  parameters: z.string().optional(),
  /** What was received, as far as it tells one defect from another. */
  value: z.string().optional(),
});
const factSchema = z.intersection(factOfFailureSchema, shownSchema);
export type Fact = z.infer<typeof factSchema>;
export type FactOfFailure = z.infer<typeof factOfFailureSchema> & Pick<Fact, 'value'>;

const findingSchema = z.object({
  /** One sentence: what is wrong. */
  message: z.string(),
  expected: z.string().optional(),
  received: z.string().optional(),
  /** Those that show it, or a sample. */
  exchanges: texts,
  /** A curl line that shows it again, with `$PETSTORE_API_KEY` in place of the key. */
  reproduce: z.string().optional(),
  /** The place of the fault in a body or a description, as a JSON pointer: `/0/categoryId`. */
  pointer: z.string().optional(),
  /** How many exchanges show it, if more than one. */
  occurrences: z.int().optional(),
  fact: factSchema.optional(),
});
export type Finding = z.infer<typeof findingSchema>;

/** What the target did (`refused with 400`) when something was requested (`limit=0`). */
const observationSchema = z.object({ subject: z.string(), behaviour: z.string(), exchanges: texts });
export type Observation = z.infer<typeof observationSchema>;

export const requirementResultSchema = z.object({
  /** A record of a later version may hold others than those of the catalogue: reports show them all the same. */
  id: z.string().regex(/^[A-Z]+-\d{2,}$/),
  level: z.enum(['MUST', 'SHOULD', 'OBSERVE']),
  section: z.string(),
  title: z.string(),
  /** A requirement of the user's own (`--rules`), which is in no catalogue. */
  own: z.literal(true).optional(),
  verdict: verdictSchema,
  /** On `not-tested`: false or absent if the run did not select it, true if it was selected and never reached. */
  selected: z.boolean().optional(),
  /** Always there for `inconclusive`, `not-applicable` and `not-tested`. */
  reason: z.string().optional(),
  /** The requirements that judge what kept this one from being judged. */
  leftTo: texts.optional(),
  /** How many comparisons the verdict rests on. */
  checks: z.int(),
  findings: z.array(findingSchema),
  observations: z.array(observationSchema).optional(),
  /** What a reader has to know beside the verdict: a refill allowed for, a repeated request. */
  notes: texts.optional(),
  /** What ended the probe early, which no rule can infer, and the requirement that judges it. */
  ended: z
    .object({
      verdict: z.enum(['inconclusive', 'not-applicable', 'not-tested']),
      reason: z.string(),
      selected: z.boolean().optional(),
      see: z.string().optional(),
    })
    .optional(),
  /** Set if a waiver covers the failure. */
  waived: z.object({ reason: z.string(), owner: z.string(), until: z.string() }).optional(),
});
export type RequirementResult = z.infer<typeof requirementResultSchema>;

/** One defect of the target, and what it explains. Reports find it again in the findings; it is here for other readers. */
export const causeSchema = z.object({
  /** The id of its first requirement, with a number if another cause has the same. */
  id: z.string(),
  message: z.string(),
  /** Those that fail or warn because of it, and those that can't be judged. */
  requirements: texts,
  leftOpen: texts.optional(),
  exchanges: texts,
  reproduce: z.string().optional(),
});

export const classResultSchema = z.object({
  /** `own`: the user's own requirements, which are a class with `--strict-rules` alone. */
  id: z.enum(['functional', 'limits', 'description', 'own']),
  verdict: classVerdictSchema,
  counts: z.record(verdictSchema, z.int()),
  /** How many of the counted failures and warnings a waiver covers. */
  waived: z.int().optional(),
});
export type ClassResult = z.infer<typeof classResultSchema>;
