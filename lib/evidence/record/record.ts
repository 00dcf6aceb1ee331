import { z } from 'zod';
import { Interrupted } from '../../http/client/run-end.js';
import { planNames } from '../../specification/plan.js';
import { loadSchema, planMeasurementSchema } from './measurements.js';
import {
  causeSchema,
  classResultSchema,
  classVerdictSchema,
  requirementResultSchema,
} from './requirement-result.js';

const texts = z.array(z.string());
const counts = z.record(z.string(), z.int());
/** A file of the user's, and what proves that it is the same. */
const file = { file: z.string(), sha256: z.string() };

/** What else was asked for: what it takes to judge the exchanges again. */
const optionsSchema = z.object({
  only: texts,
  except: texts,
  /** Milliseconds within which a created animal must be listed. */
  consistencyMs: z.number(),
  /** A category that the target is said to accept. */
  categoryId: z.string().optional(),
  /** The user's own requirements, and whether they are a class of the verdict. */
  rules: z.object({ ...file, strict: z.boolean() }).optional(),
  /** The interface description that was given, with the hash and the text of its file. */
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
});

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
    /** `--strict`: warnings fail the run. */
    strict: z.boolean().optional(),
    /** The version of Node, and system and architecture: `linux x64`. */
    environment: z.object({ node: z.string(), platform: z.string() }).optional(),
    /** The file of waivers that was applied, and those in it that hold for another target: `LIST-02 (production)`. */
    waivers: z.object({ ...file, ofOtherTargets: texts.optional() }).optional(),
    /** Nothing was sent: a program recorded these exchanges. How many entries of its file show nothing of the service, by why. */
    traffic: z.object({ ...file, tool: z.string(), leftOut: counts }).optional(),
    options: optionsSchema.optional(),
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
    /** The source addresses that were chosen (`--local-address`). */
    localAddresses: texts.optional(),
    /** The key is a plain word or number, so that an echo of it can't be told from other text. */
    keyMayBeWord: z.boolean().optional(),
    /** The target's clock minus ours; null without a `Date` header. */
    clockDifferenceMs: z.number().nullable(),
  }),
  verdict: classVerdictSchema,
  classes: z.array(classResultSchema),
  /** The most fundamental first. */
  causes: z.array(causeSchema).optional(),
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
