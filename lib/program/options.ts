import { z } from 'zod';
import { didYouMean } from '../usage/nearest-name.js';
import type { CommandLine } from '../command-line/parse.js';
import { UsageProblem } from '../usage/usage-problem.js';
import type { RequirementResult } from '../record/record.js';
import { planNames, type PlanName } from '../specification/plans.js';
import { profiles, type Profile } from '../session/probe.js';

/** What a run tells while it goes on. */
export type RunProgress =
  /** A requirement was judged. */
  | { readonly kind: 'judged'; readonly requirement: RequirementResult }
  /** A request was answered; how many have been sent so far. */
  | { readonly kind: 'sent'; readonly requests: number }
  /** The target's limit makes the run wait; `until` in milliseconds since the epoch. */
  | { readonly kind: 'waiting'; readonly until: number; readonly reason: string }
  /** The wait is over. */
  | { readonly kind: 'going on' };

/** The key of a plan, and of an Enterprise key what it was granted. */
export interface PlanKeyOption {
  readonly apiKey: string;
  /** Requests a minute, 1 to 1,000,000. */
  readonly perMinute?: number | undefined;
  /** Requests a day, 1 to 1,000,000,000. */
  readonly perDay?: number | undefined;
}

/** What `runConformance` is asked to do; each option means what the command line's of the same name does. */
export interface RunConformanceOptions {
  /** The target's base address, `https://host/v1`. Without it: the embedded reference service, for as long as the run. */
  readonly baseUrl?: string | undefined;
  /** The key that every request carries; needed with `baseUrl`. It is in nothing that the run writes or returns. */
  readonly apiKey?: string | undefined;
  /** The plan of the key (section 8). Without it, requests are paced as on Free, and RATE-04 is left out. */
  readonly plan?: PlanName | undefined;
  /** Requests a minute of an Enterprise key, 1 to 1,000,000. */
  readonly perMinute?: number | undefined;
  /** Requests a day of an Enterprise key, 1 to 1,000,000,000. */
  readonly perDay?: number | undefined;
  /** A second key, for LIMIT-08. */
  readonly otherApiKey?: string | undefined;
  /** A category that the target accepts, an int64 (section 2 does not show how categories come to be). */
  readonly categoryId?: bigint | number | undefined;
  /** How deep: `quick` fits into 60 requests; `standard` is the default. */
  readonly profile?: Profile | undefined;
  /** Requirement ids or prefixes: `['AUTH', 'LIST-02']`. */
  readonly only?: readonly string[] | undefined;
  readonly except?: readonly string[] | undefined;
  /** Send nothing that could create. */
  readonly readOnly?: boolean | undefined;
  /** Warnings fail. */
  readonly strict?: boolean | undefined;
  /** 0 to 2,147,483,647: the same seed sends the same requests. */
  readonly seed?: number | undefined;
  /** Requests that may be sent at the most, 1 to 10,000,000. */
  readonly maxRequests?: number | undefined;
  /** Whether the limits of the plan are tried with load; `none` is the default. */
  readonly limits?: 'none' | 'minute' | 'day' | undefined;
  /** The keys of several plans, whose limits are tried side by side; Enterprise with its figures. */
  readonly planKeys?: Partial<Record<PlanName, PlanKeyOption>> | undefined;
  /** A key that may get banned, to see whether a 429 that is ignored bans it (LIMIT-12). */
  readonly observeBanKey?: string | undefined;
  /** The `output` of a day's counting that was interrupted, to go on with; `limits` is `day` then. */
  readonly resume?: string | undefined;
  /** A file or an address of the target's OpenAPI document, to be judged too. */
  readonly description?: string | undefined;
  /** References of the description may be fetched from other hosts. */
  readonly allowOtherHosts?: boolean | undefined;
  /** A file with a certificate authority (PEM) to be trusted beside the well-known ones. */
  readonly ca?: string | undefined;
  /** Accept any certificate; for targets on this machine alone. */
  readonly insecure?: boolean | undefined;
  /** Milliseconds for one request as a whole, up to 600,000; 10,000 by default. */
  readonly deadlineMs?: number | undefined;
  /** Milliseconds after which a created animal has to be listed, up to 600,000; 2,000 by default. */
  readonly consistencyMs?: number | undefined;
  /** The folder for `report.json` and `exchanges.jsonl`, made where it is missing. Without it no file is written. */
  readonly output?: string | undefined;
  /** Ends the run early; its record then says `complete: false`. */
  readonly signal?: AbortSignal | undefined;
  /** Called while the run goes on. */
  readonly onProgress?: ((progress: RunProgress) => void) | undefined;
}

const milliseconds = z.int().min(1).max(600_000).optional();
const int64 = z.union([z.int().transform(BigInt), z.bigint()]).pipe(z.int64());

/** Types alone: ranges and meanings are the command line's to check. */
const optionsSchema = z.strictObject({
  baseUrl: z.string().optional(),
  apiKey: z.string().optional(),
  plan: z.enum(planNames).optional(),
  perMinute: z.number().optional(),
  perDay: z.number().optional(),
  otherApiKey: z.string().optional(),
  categoryId: int64.optional(),
  profile: z.enum(profiles).optional(),
  only: z.array(z.string()).readonly().optional(),
  except: z.array(z.string()).readonly().optional(),
  readOnly: z.boolean().optional(),
  strict: z.boolean().optional(),
  seed: z.number().optional(),
  maxRequests: z.number().optional(),
  limits: z.enum(['none', 'minute', 'day']).optional(),
  planKeys: z
    .partialRecord(
      z.enum(planNames),
      z.strictObject({ apiKey: z.string(), perMinute: z.number().optional(), perDay: z.number().optional() }),
    )
    .optional(),
  observeBanKey: z.string().optional(),
  resume: z.string().optional(),
  description: z.string().optional(),
  allowOtherHosts: z.boolean().optional(),
  ca: z.string().optional(),
  insecure: z.boolean().optional(),
  deadlineMs: milliseconds,
  consistencyMs: milliseconds,
  output: z.string().min(1).optional(),
  signal: z.instanceof(AbortSignal).optional(),
  onProgress: z.custom<(progress: RunProgress) => void>((value) => typeof value === 'function').optional(),
}) satisfies z.ZodType<unknown, RunConformanceOptions>;

export type CheckedOptions = z.output<typeof optionsSchema>;

/** @throws UsageProblem that names the first option that is unknown or of another type. */
export function checkOptions(options: unknown): CheckedOptions {
  const checked = optionsSchema.safeParse(options);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  if (issue?.code === 'unrecognized_keys') {
    const [unknown = ''] = issue.keys;
    throw new UsageProblem(
      `unknown option ${unknown}.${didYouMean(unknown, Object.keys(optionsSchema.shape))}`,
    );
  }
  const where = issue?.path.join('.') ?? '';
  throw new UsageProblem(
    `${where === '' ? 'the options' : `the option ${where}`}: ${issue?.message ?? 'not understood'}`,
  );
}

/** The variables that the command line reads the keys of several plans from. */
export function asEnvironment({ planKeys = {} }: CheckedOptions): Record<string, string> {
  const variables = Object.entries(planKeys).flatMap(([plan, { apiKey, perMinute, perDay }]) =>
    Object.entries({ API_KEY: apiKey, PER_MINUTE: perMinute, PER_DAY: perDay }).flatMap(
      ([what, value]): Array<[string, string]> =>
        value === undefined ? [] : [[`PETSTORE_${plan.toUpperCase()}_${what}`, String(value)]],
    ),
  );
  return Object.fromEntries(variables);
}

/** The command line that asks for the same: it is what the record shows, without the keys. */
export function asCommandLine(options: CheckedOptions): CommandLine {
  const { only, except } = options;
  const values = {
    'base-url': options.baseUrl,
    'api-key': options.apiKey,
    plan: options.plan,
    'per-minute': options.perMinute,
    'per-day': options.perDay,
    'other-api-key': options.otherApiKey,
    profile: options.profile,
    only: only?.length === 0 ? undefined : only?.join(','),
    except: except?.length === 0 ? undefined : except?.join(','),
    'read-only': options.readOnly,
    strict: options.strict,
    seed: options.seed,
    'max-requests': options.maxRequests,
    limits: options.limits,
    plans: options.planKeys && Object.keys(options.planKeys).join(','),
    'observe-ban': options.observeBanKey,
    resume: options.resume,
    description: options.description,
    'allow-other-hosts': options.allowOtherHosts,
    ca: options.ca,
    insecure: options.insecure,
    output: options.output,
  } satisfies Partial<Record<keyof CommandLine['values'], unknown>>;
  const typed = Object.entries(values).flatMap(([name, value]): Array<[string, string | true]> => {
    if (value === undefined || value === false) return [];
    return [[name, value === true ? true : String(value)]];
  });
  return { values: Object.fromEntries(typed), vitest: [] };
}
