import { credentialsFor, keyVariable, type Credential } from '../http/credential.js';
import { BudgetSpent } from '../http/stop.js';
import { measureMinute, minuteRequirements } from '../limits/minute-run.js';
import type { LimitRunOptions } from '../limits/limit-run.js';
import { catalogue, classOf, type RequirementId } from '../specification/catalogue.js';
import { writeJson } from '../specification/lossless-json.js';
import { NotTested } from '../verdict/outcome.js';
import { notTestedRow } from '../verdict/row.js';
import { suiteName, suiteVersion } from './identity.js';
import type { PlanMeasurement, RequirementResult } from './record.js';
import type { Session } from './session.js';
import type { Listener, PlanKey, Settings } from './settings.js';
import { worstOf } from './worst.js';

/** What the limits of all plans of a run came to. */
export interface LimitsOutcome {
  readonly plans: readonly PlanMeasurement[];
  readonly rows: ReadonlyMap<RequirementId, RequirementResult>;
  readonly created: ReadonlyArray<{ readonly id: string; readonly name: string }>;
  readonly notes: readonly string[];
  /** Why the measuring did not get to its end. */
  readonly stopped?: string | undefined;
}

/** Windows that a plan's minute run uses up, and requests beside them. */
const windowsUsed = 3;
const besides = 60;

/**
 * Measures the limits of every plan of the run, side by side: their windows run at the same time. The rows are the worst
 * of all plans.
 * @throws BudgetSpent before anything is sent, where `--max-requests` has no room for it; Inconclusive where the target
 * takes no body that the checks could create animals with.
 */
export async function measureLimits(
  session: Session,
  settings: Settings,
  signal: AbortSignal,
  listener: Listener,
): Promise<LimitsOutcome> {
  const { target } = settings;
  const keys: readonly PlanKey[] = settings.planKeys ?? [{ plan: target.plan, apiKey: target.apiKey, variable: keyVariable }];
  if (settings.planKeys === undefined && !target.planGiven) {
    throw new NotTested('the plan of the key was not given (--plan, or NAME_PLAN)');
  }
  const needed = keys.reduce((sum, { plan }) => sum + windowsUsed * (plan.perMinute + 1) + besides, 0);
  if (session.client.left < needed) throw new BudgetSpent(settings.maximumRequests ?? 0);
  const common = await prepare(session, settings, signal);
  const activities = new Map<string, string>();
  const runs = await Promise.all(
    keys.map(async ({ plan, apiKey, variable }) => {
      const credentials = credentialsFor(apiKey, variable);
      const run = await measureMinute({
        ...common,
        plan,
        credential: credentials.valid,
        unknownCredential: credentials.unknown(session.unknownKey(plan.name)),
        progress: (text) => {
          activities.set(plan.name, text);
          listener.activity?.([...activities.values()].join('; '));
        },
      });
      return { plan: plan.name, ...run };
    }),
  );
  listener.activity?.('');
  return {
    plans: runs.map(({ measurement }) => measurement),
    rows: rowsOf(runs.map(({ plan, measurement }) => ({ plan, rows: measurement.requirements }))),
    created: runs.flatMap(({ created }) => created),
    notes: runs.flatMap(({ plan, notes }) => notes.map((note) => (runs.length > 1 ? `${plan}: ${note}` : note))),
    stopped: runs.find(({ stopped }) => stopped !== undefined)?.stopped,
  };
}

/** What the runs of all plans share: how the target is reached, and what it takes. */
async function prepare(
  session: Session,
  { target, clock, environment }: Settings,
  signal: AbortSignal,
): Promise<Omit<LimitRunOptions, 'plan' | 'credential' | 'unknownCredential' | 'progress'>> {
  const { store, redact, client } = session;
  const body = target.readOnly ? undefined : (await store.accepted()).body;
  const petId = target.readOnly ? await store.animal().then(({ id }) => id, () => undefined) : undefined;
  const other: Credential | undefined =
    target.otherApiKey === undefined
      ? undefined
      : { ...credentialsFor(target.otherApiKey, 'PETSTORE_OTHER_API_KEY').valid, kind: 'other' };
  return {
    target: { baseUrl: target.baseUrl, timeoutMs: target.deadlineMs, ca: target.ca, insecure: target.insecure, environment },
    otherCredential: other,
    readOnly: target.readOnly,
    newPet: (status) => {
      const name = session.name('limits');
      return { name, body: writeJson({ name, categoryId: body?.categoryId ?? 1n, status }) };
    },
    quietStatus: await store.quietStatus(),
    petId,
    redact,
    record: (exchange) => client.record(exchange),
    clock,
    signal,
    userAgent: `${suiteName}/${suiteVersion}`,
  };
}

/** A row for every LIMIT requirement: the worst of the plans, or why none of them has one. */
function rowsOf(plans: ReadonlyArray<{ readonly plan: string; readonly rows: readonly RequirementResult[] }>): Map<RequirementId, RequirementResult> {
  return new Map(
    catalogue
      .filter(({ id }) => classOf(id) === 'limits')
      .map(({ id }) => {
        const own = plans.flatMap(({ plan, rows }) => rows.filter((row) => row.id === id).map((row) => ({ plan, row })));
        return [id, worstOf(own) ?? notTestedRow(id, reasonOf(id))];
      }),
  );
}

function reasonOf(id: RequirementId): string {
  if (id === 'LIMIT-10') return 'the day is counted with --limits=day';
  if (id === 'LIMIT-12') return 'a ban is provoked only on a key given for it (--observe-ban=KEY)';
  return Object.hasOwn(minuteRequirements, id) ? 'no plan was measured' : 'not tried by this run';
}

