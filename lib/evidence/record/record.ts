import { z } from 'zod';
import { Interrupted } from '../../http/client/run-end.js';
import { planNames } from '../../specification/plan.js';
import { loadSchema, planMeasurementSchema } from './measurements.js';

const texts = z.array(z.string());
const counts = z.record(z.string(), z.int());
/** A file of the user's, and what proves that it is the same. */
const file = { file: z.string(), sha256: z.string() };

export const verdicts = [
  'pass',
  'fail',
  'warn',
  'observed',
  'inconclusive',
  'not-applicable',
  'not-tested',
] as const;
export type Verdict = (typeof verdicts)[number];

/** From the best to the worst: a run is as good as its worst class. */
export const classVerdicts = ['conformant', 'partial', 'incomplete', 'non-conformant'] as const;
export type ClassVerdict = (typeof classVerdicts)[number];

/** What a finding shows, as far as it tells one defect from another: the cause of several findings is found by it. */
const factSchema = z.object({
  /** `value`: a field of an animal has another value than the one sent, or shown before. */
  kind: z.enum(['status', 'header', 'body', 'value', 'limiter', 'response']),
  /** The statuses in whose place another one came. */
  expected: z.array(z.int()).optional(),
  header: z.string().optional(),
  problem: z.enum(['missing', 'repeated', 'wrong']).optional(),
  /** What a body should be, and which field of it is not; empty for the body as a whole. */
  form: z.enum(['JSON', 'Pet', 'Pets', 'Error']).optional(),
  field: z.string().optional(),
  /** Of the limiter as a whole; empty if none explains its history. */
  deviation: z.string().optional(),
  /** Completes "the limiter …". */
  says: z.string().optional(),
  /** The response that shows it, with the query parameters of a listing, sorted: `limit status`. */
  operation: z.string().optional(),
  status: z.int().optional(),
  parameters: z.string().optional(),
  /** What was received. */
  value: z.string().optional(),
});
export type Fact = z.infer<typeof factSchema>;

const findingSchema = z.object({
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

const requirementResultSchema = z.object({
  /** A record of a later version may hold others than those of the catalogue: reports show them all the same. */
  id: z.string().regex(/^[A-Z]+-\d{2,}$/),
  level: z.enum(['MUST', 'SHOULD', 'OBSERVE']),
  section: z.string(),
  title: z.string(),
  own: z.literal(true).optional(),
  verdict: z.enum(verdicts),
  /** On `not-tested`: false or absent if the run did not select it, true if it was selected and never reached. */
  selected: z.boolean().optional(),
  /** Always there for `inconclusive`, `not-applicable` and `not-tested`. */
  reason: z.string().optional(),
  /** The requirements that judge what kept this one from being judged. */
  leftTo: texts.optional(),
  /** How many comparisons the verdict rests on. */
  checks: z.int(),
  findings: z.array(findingSchema),
  /** What the target did (`refused with 400`) when something was requested (`limit=0`). */
  observations: z
    .array(z.object({ subject: z.string(), behaviour: z.string(), exchanges: texts }))
    .optional(),
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
  waived: z.object({ reason: z.string(), owner: z.string(), until: z.string() }).optional(),
});
export type RequirementResult = z.infer<typeof requirementResultSchema>;
export type Observation = NonNullable<RequirementResult['observations']>[number];

/**
 * The run record, `report.json`: what remains of a run, and all that a report reads. A public contract, published as
 * JSON Schema: fields are added, never renamed or removed.
 */
export const runRecordSchema = z.object({
  format: z.literal('petstore-conformance/1'),
  suite: z.object({ name: z.string(), version: z.string() }),
  run: z.object({
    id: z.string(),
    startedAt: z.string(),
    finishedAt: z.string(),
    seed: z.int(),
    profile: z.enum(['quick', 'standard', 'thorough']),
    limits: z.enum(['none', 'minute', 'day']),
    /** False if the run was interrupted or lost its target, and why. */
    complete: z.boolean(),
    stopped: z.string().optional(),
    command: z.string(),
    strict: z.boolean().optional(),
    /** The version of Node, and system and architecture: `linux x64`. */
    environment: z.object({ node: z.string(), platform: z.string() }).optional(),
    /** The file of waivers that was applied, and those in it that hold for another target: `LIST-02 (production)`. */
    waivers: z.object({ ...file, ofOtherTargets: texts.optional() }).optional(),
    /** Nothing was sent: a program recorded these exchanges. How many entries of its file show nothing of the service, by why. */
    traffic: z.object({ ...file, tool: z.string(), leftOut: counts }).optional(),
    /** What else was asked for: what it takes to judge the exchanges again. */
    options: z
      .object({
        only: texts,
        except: texts,
        /** Within which a created animal must be listed. */
        consistencyMs: z.number(),
        categoryId: z.string().optional(),
        /** The user's own requirements, and whether they are a class of the verdict. */
        rules: z.object({ ...file, strict: z.boolean() }).optional(),
        description: z
          .object({
            source: z.string(),
            sha256: z.string().optional(),
            files: z
              .object({ address: z.string(), text: z.string().optional(), problem: z.string().optional() })
              .array()
              .optional(),
          })
          .optional(),
      })
      .optional(),
  }),
  target: z.object({
    name: z.string(),
    baseUrl: z.string(),
    plan: z.enum(planNames),
    /** The plan's quotas; those of Enterprise are agreed with each client and stand nowhere else. */
    perMinute: z.int().optional(),
    perDay: z.int().optional(),
    /** False if the plan of the key is unknown: requests were paced as on the Free plan. */
    planGiven: z.boolean().optional(),
    readOnly: z.boolean(),
    localAddresses: texts.optional(),
    /** The key is a plain word or number, so that an echo of it can't be told from other text. */
    keyMayBeWord: z.boolean().optional(),
    /** The target's clock minus ours; null without a `Date` header. */
    clockDifferenceMs: z.number().nullable(),
  }),
  verdict: z.enum(classVerdicts),
  classes: z.array(
    z.object({
      /** `own`: the user's own requirements, which are a class with `--strict-rules` alone. */
      id: z.enum(['functional', 'limits', 'description', 'own']),
      verdict: z.enum(classVerdicts),
      counts: z.record(z.enum(verdicts), z.int()),
      /** How many of the counted failures and warnings a waiver covers. */
      waived: z.int().optional(),
    }),
  ),
  /** The defects of the target, the most fundamental first. Reports find them again in the findings. */
  causes: z
    .array(
      z.object({
        /** The id of its first requirement, with a number if another cause has the same. */
        id: z.string(),
        message: z.string(),
        /** Those that fail or warn because of it, and those that can't be judged. */
        requirements: texts,
        leftOpen: texts.optional(),
        exchanges: texts,
        reproduce: z.string().optional(),
      }),
    )
    .optional(),
  requirements: z.array(requirementResultSchema),
  requests: z.object({
    sent: z.int(),
    byOperation: counts,
    waitedMs: z.number(),
    /** Those after a broken connection, a gateway error or an unasked 429. */
    repeated: z.array(z.object({ exchange: z.string(), reason: z.string() })).optional(),
  }),
  /** Animals that the run left in the store: there is no delete operation. */
  leftovers: z.array(z.object({ id: z.string(), name: z.string() })),
  /** Limit runs: the measurement of the plan; older records may have several. */
  plans: z.array(planMeasurementSchema).optional(),
  /** `npm run load`: the run judges no requirement, only its own bounds. */
  load: loadSchema.optional(),
  /** Why nothing could be judged: a refused key, an address without its version. It is said before all else. */
  obstacle: z.string().optional(),
  /** What a reader has to know of the run as a whole: a network that broke. */
  notes: texts.optional(),
  /** What came out otherwise than in the run of this target before, or was judged in one of the two alone (`otherwise`). */
  previous: z
    .object({ id: z.string(), startedAt: z.string(), broke: texts, fixed: texts, otherwise: texts })
    .optional(),
  /** Waivers that expired or matched no failure; any of them fails the run. */
  waiverProblems: texts.optional(),
});
export type RunRecord = z.infer<typeof runRecordSchema>;
export type ClassResult = RunRecord['classes'][number];

/** How the record of a run that is still going on says that it is not whole. */
export const cutOff = 'the run was cut off';

/** Whether a run was killed: its record is as it was written last, and knows no more. */
export function wasKilled({ run: { stopped } }: Pick<RunRecord, 'run'>): boolean {
  return stopped === cutOff;
}

/** Whether a run was interrupted or killed: it might have sent more. One that lost its target ended by itself. */
export function wasCutOff({ run: { stopped } }: Pick<RunRecord, 'run'>): boolean {
  return stopped === cutOff || stopped === new Interrupted().message;
}

/** Why a requirement of a run that ended early by choice was not judged. */
export const notReached = 'not reached: the run stopped at a failure (--bail)';
