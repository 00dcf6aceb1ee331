import { z } from 'zod';
import { explanationSchema } from './explanation.js';
import { factSchema } from './fact.js';
import { planNames } from '../specification/plan.js';

/**
 * The run record, `report.json`: what remains of a run, and all that a report reads. A public contract, published as
 * JSON Schema: fields are added, never renamed or removed.
 */

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
const classVerdictSchema = z.enum(classVerdicts);
export type ClassVerdict = z.infer<typeof classVerdictSchema>;

const findingSchema = z.object({
  /** One sentence: what is wrong. */
  message: z.string(),
  expected: z.string().optional(),
  received: z.string().optional(),
  /** Ids of the exchanges that show it (a sample if there are many). */
  exchanges: z.array(z.string()),
  /** A curl line that shows it again, with `$PETSTORE_API_KEY` in place of the key. */
  reproduce: z.string().optional(),
  /** The place of the fault in a body or a description, as a JSON pointer: `/0/categoryId`. */
  pointer: z.string().optional(),
  /** How many exchanges show it, if more than are listed. */
  occurrences: z.int().optional(),
  /** What it is about, for the rules that find the cause of several findings. */
  fact: factSchema.optional(),
});
export type Finding = z.infer<typeof findingSchema>;

const observationSchema = z.object({
  /** What was requested: `limit=0`. */
  subject: z.string(),
  /** What the target did: `refused with 400`. */
  behaviour: z.string(),
  exchanges: z.array(z.string()),
});
export type Observation = z.infer<typeof observationSchema>;

const requirementResultSchema = z.object({
  /** Of the catalogue; a record of a later version may hold others, which reports show all the same. */
  id: z.string().regex(/^[A-Z]+-\d{2,}$/),
  level: z.enum(['MUST', 'SHOULD', 'OBSERVE']),
  section: z.string(),
  title: z.string(),
  verdict: verdictSchema,
  /** On `not-tested`: false or absent if the run did not select it, true if it was selected and never reached. */
  selected: z.boolean().optional(),
  /** Always there for `inconclusive`, `not-applicable` and `not-tested`. */
  reason: z.string().optional(),
  /** The requirements that judge what kept this one from being judged. */
  leftTo: z.array(z.string()).optional(),
  /** How many single comparisons the verdict rests on. */
  checks: z.int(),
  findings: z.array(findingSchema),
  observations: z.array(observationSchema).optional(),
  /** What a reader has to know beside the verdict: a refill allowed for, a repeated request. */
  notes: z.array(z.string()).optional(),
  /** What ended the probe early: no rule can infer that from the evidence. */
  ended: z
    .object({
      verdict: verdictSchema,
      reason: z.string(),
      selected: z.boolean().optional(),
      /** The requirement that judges what ended it. */
      see: z.string().optional(),
    })
    .optional(),
  /** Set if a waiver covers the failure. */
  waived: z.object({ reason: z.string(), owner: z.string(), until: z.string() }).optional(),
});
export type RequirementResult = z.infer<typeof requirementResultSchema>;

/** One defect of the target, and what it explains. Reports find it again in the findings; it is here for other readers. */
const causeSchema = z.object({
  /** The id of its first requirement, with a number if another cause has the same. */
  id: z.string(),
  message: z.string(),
  /** The requirements that fail or warn because of it. */
  requirements: z.array(z.string()),
  /** Those that can't be judged because of it. */
  leftOpen: z.array(z.string()).optional(),
  exchanges: z.array(z.string()),
  reproduce: z.string().optional(),
});

const countsSchema = z.record(verdictSchema, z.int());

const classResultSchema = z.object({
  id: z.enum(['functional', 'limits', 'description']),
  verdict: classVerdictSchema,
  counts: countsSchema,
  /** How many of the counted failures and warnings a waiver covers. */
  waived: z.int().optional(),
});
export type ClassResult = z.infer<typeof classResultSchema>;

/** One point of a limit run's time series; `t` in milliseconds since the series' beginning. */
const limitPointSchema = z.object({
  t: z.number(),
  status: z.int().nullable(),
  remaining: z.int().optional(),
  /** Unix seconds as announced. */
  reset: z.number().optional(),
  latencyMs: z.number().optional(),
});

const latencySchema = z.object({
  /** Milliseconds. */
  min: z.number(),
  p50: z.number(),
  p90: z.number(),
  p99: z.number(),
  p999: z.number(),
  max: z.number(),
  mean: z.number(),
});
export type Latency = z.infer<typeof latencySchema>;

/** What a program has counted of a volley. */
export const volleyCountSchema = z.object({
  /** Requests that were written to a connection. */
  sent: z.int(),
  byStatus: z.record(z.string(), z.int()),
  /** Requests that were lost, and those that found no connection. */
  errors: z.int(),
});
export type VolleyCount = z.infer<typeof volleyCountSchema>;

/** The same requests, counted twice by programs that know nothing of each other. */
const twoCountsSchema = z.object({ ledger: volleyCountSchema, autocannon: volleyCountSchema });
export type TwoCounts = z.infer<typeof twoCountsSchema>;

/** What one plan's limit checks measured: the figures, and the series that a report plots. */
const planMeasurementSchema = z.object({
  plan: z.enum(planNames),
  perMinute: z.int(),
  perDay: z.int(),
  /** The variables that hold the plan's key and the one beside it, as exchanges name their caller. */
  caller: z.string().optional(),
  otherCaller: z.string().optional(),
  /** Why its probes did not get to their end. */
  stopped: z.string().optional(),
  /** LIMIT verdicts for this plan alone; the results of the whole run have the least favourable of all plans. */
  requirements: z.array(requirementResultSchema),
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
      /** Nothing of the day had been used before. */
      fresh: z.boolean(),
      /** When the day began by our clock, in epoch milliseconds, as its 429 tells. */
      began: z.number().optional(),
      /** From when on the next day can be counted as a whole, by our clock, in epoch milliseconds. */
      wholeAt: z.number().optional(),
      counts: twoCountsSchema.optional(),
      /** Why the counting did not get to its end. */
      stopped: z.string().optional(),
    })
    .optional(),
  /** How the limiter is explained, window by window. */
  explanation: explanationSchema.optional(),
  phases: z.array(
    z.object({
      /** `sequence`, `burst`, `mixed`, `recovery`, `day`, … */
      name: z.string(),
      startedAt: z.string(),
      durationMs: z.number(),
      sent: z.int(),
      admitted: z.int(),
      refused: z.int(),
      failed: z.int(),
      /** Requests sent after the first 429 of the phase had arrived. */
      sentAfterFirst429: z.int(),
      /** Which sender produced it, and whether its ledger accounts for every request. */
      sender: z.string(),
      exact: z.boolean(),
      counts: twoCountsSchema.optional(),
      windows: z.array(z.object({ from: z.number(), to: z.number() })),
      latency: latencySchema.optional(),
      series: z.array(limitPointSchema),
      /** Points left out of the series to keep the record small. */
      seriesOmitted: z.int(),
    }),
  ),
});
export type PlanMeasurement = z.infer<typeof planMeasurementSchema>;

/** A sustained load (`npm run load`): what was sent at a steady rate, what came back, and the bounds that it had to keep. */
const loadSchema = z.object({
  /** Arrivals a second, evenly spaced. */
  ratePerSecond: z.number(),
  durationMs: z.number(),
  /** Shares of the operations. */
  mix: z.record(z.string(), z.number()),
  /** Requests that were to be sent. */
  planned: z.int().optional(),
  sent: z.int(),
  /** Answered with success. */
  good: z.int(),
  goodputPerSecond: z.number(),
  /** Answered with 429. */
  refused: z.int(),
  /** Answered with any other error, or not at all. */
  errors: z.int(),
  /** Requests that were not sent because the target required a wait. */
  withheld: z.int(),
  /** Requests that were not sent because no connection was free for them in time. */
  notSent: z.int().optional(),
  /** Why it ended before its last request (`--abort-on-missed`). */
  ended: z.string().optional(),
  byStatus: z.record(z.string(), z.int()),
  /** From the moment planned for each request to its response, as users feel it. */
  latency: latencySchema.optional(),
  /** From sending to the response: the target's part. */
  service: latencySchema.optional(),
  /** From the planned moment to sending: waiting for a connection, and what the harness itself was late. */
  lateness: latencySchema.optional(),
  /** The same requests, counted by the ledger and by autocannon. */
  counts: twoCountsSchema.optional(),
  /** The parts of the load, in order. */
  stages: z
    .array(
      z.object({
        durationMs: z.number(),
        ratePerSecond: z.number(),
        sent: z.int(),
        good: z.int(),
        refused: z.int(),
        errors: z.int(),
        notSent: z.int(),
        latency: latencySchema.optional(),
      }),
    )
    .optional(),
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
      stages: z.array(z.object({ durationMs: z.number(), ratePerSecond: z.number() })).optional(),
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
        sent: z.int(),
        good: z.int(),
        refused: z.int(),
        errors: z.int(),
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

export const runRecordSchema = z.object({
  format: z.literal('petstore-conformance/1'),
  suite: z.object({
    name: z.string(),
    version: z.string(),
    /** SHA-256 of its code, in hexadecimal: the same in a checkout and in the package that was built from it. */
    digest: z.string().optional(),
  }),
  run: z.object({
    id: z.string(),
    startedAt: z.string(),
    finishedAt: z.string(),
    seed: z.int(),
    profile: z.enum(['quick', 'standard', 'thorough']),
    limits: z.enum(['none', 'minute', 'day']),
    /** False if the run was interrupted or lost its target. */
    complete: z.boolean(),
    /** Why it is not complete. */
    stopped: z.string().optional(),
    command: z.string(),
    /** `--strict`: warnings fail the run. */
    strict: z.boolean().optional(),
    environment: z
      .object({
        /** The version of Node. */
        node: z.string(),
        /** System and architecture: `linux x64`. */
        platform: z.string(),
        /** The commit that the CI service says it tests, and the page of its job. */
        commit: z.string().optional(),
        ciJob: z.string().optional(),
      })
      .optional(),
    /** The file of waivers that was applied. */
    waivers: z
      .object({
        file: z.string(),
        sha256: z.string(),
        /** Those in it that hold for another target, and were not used: `LIST-02 (production)`. */
        ofOtherTargets: z.array(z.string()).optional(),
      })
      .optional(),
    /** Nothing was sent: the exchanges were recorded by another program. */
    traffic: z
      .object({
        file: z.string(),
        sha256: z.string(),
        /** The program that recorded them, as the file names it. */
        tool: z.string(),
        /** How many entries show nothing of the service, by why. */
        leftOut: z.record(z.string(), z.int()),
      })
      .optional(),
    /** What else was asked for: what it takes to judge the exchanges again. */
    options: z
      .object({
        only: z.array(z.string()),
        except: z.array(z.string()),
        maximumRequests: z.int().optional(),
        /** The run was to stop after so many failures. */
        bail: z.int().optional(),
        /** Milliseconds within which a created animal must be listed. */
        consistencyMs: z.number(),
        /** A category that the target is said to accept. */
        categoryId: z.string().optional(),
        /** How the options of the target are called, for what its user must do. */
        names: z.object({ baseUrl: z.string(), apiKey: z.string(), plan: z.string() }).optional(),
        /** The interface description that was given, and the files that it consists of; none if they are too long. */
        description: z
          .object({
            source: z.string(),
            /** SHA-256 of the file or address itself, without those that it refers to. */
            sha256: z.string().optional(),
            files: z
              .array(
                z.object({
                  address: z.string(),
                  text: z.string().optional(),
                  problem: z.string().optional(),
                }),
              )
              .optional(),
          })
          .optional(),
        /** The day of an interrupted run was continued. */
        resumed: z.boolean(),
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
    /** The source addresses that were chosen (`--local-address`): the vantage points. */
    localAddresses: z.array(z.string()).optional(),
    /** The key is a plain word or number, so that an echo of it can't be told from other text. */
    keyMayBeWord: z.boolean().optional(),
    /** The target's clock minus ours; null without a `Date` header. */
    clockDifferenceMs: z.number().nullable(),
    /** Where the connections of the run went. */
    addresses: z
      .array(
        z.object({
          address: z.string(),
          port: z.int(),
          /** It is the address of a proxy. */
          proxy: z.boolean().optional(),
          certificate: z
            .object({ sha256: z.string(), validFrom: z.string(), validUntil: z.string() })
            .optional(),
        }),
      )
      .optional(),
  }),
  verdict: classVerdictSchema,
  classes: z.array(classResultSchema),
  /** The causes of all findings, the most fundamental first. */
  causes: z.array(causeSchema).optional(),
  requirements: z.array(requirementResultSchema),
  requests: z.object({
    sent: z.int(),
    byOperation: z.record(z.string(), z.int()),
    waitedMs: z.number(),
    /** Requests by the origin that they went to. */
    byOrigin: z.record(z.string(), z.int()).optional(),
    /** Requests repeated after a broken connection, a gateway error or an unasked 429, with the reason. */
    repeated: z.array(z.object({ exchange: z.string(), reason: z.string() })).optional(),
  }),
  /** Animals that the run left in the store: there is no delete operation. */
  leftovers: z.array(z.object({ id: z.string(), name: z.string() })),
  /** Limit runs: a measurement for each plan. */
  plans: z.array(planMeasurementSchema).optional(),
  /** `npm run load`: the run judges no requirement, only its own bounds. */
  load: loadSchema.optional(),
  /** Why nothing could be judged: a refused key, an address without its version. It is said before all else. */
  obstacle: z.string().optional(),
  /** What a reader has to know of the run as a whole: a network that broke. */
  notes: z.array(z.string()).optional(),
  /** What came out otherwise than in the run of the same target before this one, as far as its folder was beside this run's. */
  previous: z
    .object({
      id: z.string(),
      startedAt: z.string(),
      broke: z.array(z.string()),
      fixed: z.array(z.string()),
      /** Judged in one of the two runs alone, or observed to behave differently. */
      otherwise: z.array(z.string()),
    })
    .optional(),
  /** Waivers that expired or matched no failure; any of them fails the run. */
  waiverProblems: z.array(z.string()).optional(),
});
export type RunRecord = z.infer<typeof runRecordSchema>;
