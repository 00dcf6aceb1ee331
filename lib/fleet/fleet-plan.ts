import { createHash } from 'node:crypto';
import { z } from 'zod';
import { operationNames } from '../http/exchange/exchange.js';
import { jsonOf } from '../record/record-text.js';
import { planNames } from '../specification/plan.js';
import { UsageProblem } from '../usage/usage-problem.js';

/** What every worker of a fleet is told: workers send each other nothing. It holds no key. */

const planFields = z.strictObject({
  format: z.literal('petstore-conformance-plan/1'),
  suite: z.strictObject({ name: z.string(), version: z.string(), digest: z.string() }),
  workers: z.int().min(1).max(1_000),
  seed: z.int(),
  target: z.strictObject({
    name: z.string(),
    baseUrl: z.url(),
    plan: z.strictObject({ name: z.enum(planNames), perMinute: z.int(), perDay: z.int() }),
    planGiven: z.boolean(),
    readOnly: z.boolean(),
    /** The environment variable that holds the key on each worker. */
    keyVariable: z.string(),
    insecure: z.boolean(),
    timeoutMs: z.number(),
    categoryId: z.string().optional(),
  }),
  load: z.strictObject({
    ratePerSecond: z.number().positive(),
    durationMs: z.number().positive(),
    mix: z.partialRecord(z.enum(operationNames), z.number()),
    /** Requests that are evenly spaced, and those that are sent at once when they are over. */
    count: z.int().min(0),
    volley: z.int().min(0),
    connections: z.int().min(1),
    thresholds: z.array(z.strictObject({ name: z.string(), text: z.string() })),
  }),
  /** The most requests of the fleet, those among them that measure the difference of the clocks. */
  budget: z.int(),
  start: z.strictObject({
    /** By the target's clock: at `notBefore` or so many times `everyMs` later, or when the limit resets as announced. */
    rule: z.enum(['grid', 'reset']),
    everyMs: z.int().min(1_000),
    /** Epoch milliseconds: the first moment at which the fleet may begin, and the last. */
    notBefore: z.number(),
    latest: z.number(),
  }),
});
export type FleetPlanFields = z.infer<typeof planFields>;

const planSchema = planFields.extend({ digest: z.string() });
export type FleetPlan = z.infer<typeof planSchema>;

/** The plan with the digest by which ledgers name it. */
export function fleetPlan(fields: FleetPlanFields): FleetPlan {
  return { ...fields, digest: digestOf(fields) };
}

function digestOf(fields: FleetPlanFields): string {
  return createHash('sha256')
    .update(JSON.stringify(planFields.parse(fields)))
    .digest('hex');
}

export function fleetPlanText(plan: FleetPlan): string {
  return `${JSON.stringify(plan, null, 2)}\n`;
}

/** @throws UsageProblem for a text that is no plan, or one that was changed. */
export function readFleetPlan(text: string, file: string): FleetPlan {
  const parsed = planSchema.safeParse(jsonOf(text));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new UsageProblem(
      `${file} is not a plan of a fleet: at ${issue?.path.join('.') || 'its top'}: ${issue?.message ?? ''}`,
    );
  }
  const { digest, ...fields } = parsed.data;
  if (digest !== digestOf(fields))
    throw new UsageProblem(`${file} was changed after it was written: make it again with load plan`);
  return parsed.data;
}
