import { credentialsFor, type Credential } from '../http/exchange/credential.js';
import type { RecordedExchange } from '../evidence/recorded-exchange.js';
import { parseTimestamp } from '../http/clock/clock.js';
import { countDay, minutesOfDay } from '../limits/day/counting.js';
import { addTo, readDays, type Stretch } from '../limits/day/day-count.js';
import type { LimitFacts } from '../limits/history/history.js';
import { limitEvidence } from '../limits/limit-evidence.js';
import { repeatsWanted } from '../limits/rows/admission.js';
import { banVariable, limitsOf, type LimitsOfRun } from '../limits/limits-of-run.js';
import { probeBan } from '../limits/probe/ban.js';
import type { Activity, ProbeOptions, Sending } from '../limits/probe/probe-options.js';
import { probeMinute } from '../limits/probe/two-windows.js';
import { readExchanges } from '../evidence/record/read-exchanges.js';
import type { RequirementId } from '../specification/catalogue.js';
import { writeJson } from '../specification/json-value.js';
import { keyVariablesOf, type PlanKey } from '../options/target.js';
import { NotTested } from '../verdict/outcome.js';
import { keysOf, limitsAhead, partsOf } from './limits-ahead.js';
import { ledgerFile } from '../load/ledger-file.js';
import type { ResumedRun } from './resumed-run.js';
import type { Session } from './session.js';
import type { Listener, Settings } from './settings.js';

/** What the limits of a run are probed with. */
export interface LimitsJob {
  readonly session: Session;
  readonly settings: Settings;
  readonly signal: AbortSignal;
  readonly listener: Listener;
  readonly selected: ReadonlySet<RequirementId>;
  readonly resumed: ResumedRun | undefined;
}

/** What the probes of all plans share: how the target is reached, and what it takes. */
type Shared = Omit<ProbeOptions, 'facts' | 'credential' | 'unknownCredential' | 'repeatsWanted' | 'progress'>;

/**
 * Probes the limits of every plan of the run, side by side: their windows run at the same time. What is sent is judged by
 * the requirements that asked for it.
 * @throws NotTested before anything is sent, if the plan is not known or `--max-requests` has no room for it; Inconclusive
 * if the target takes no body that the probes could create animals with.
 */
export async function probeLimits(job: LimitsJob): Promise<LimitsOfRun> {
  const { session, settings, listener, selected } = job;
  const { target, banKey } = settings;
  const keys = keysOf(settings);
  if (settings.planKeys === undefined && !target.planGiven) {
    throw new NotTested('the plan of the key was not given (--plan, or NAME_PLAN)');
  }
  const parts = partsOf(settings, selected);
  const needed = limitsAhead(settings, parts).reduce((sum, { requests }) => sum + requests, 0);
  if (session.client.budget.left < needed) throw new NotTested(session.client.budget.spent, true);
  const toBeBanned =
    banKey !== undefined && selected.has('LIMIT-12')
      ? { plan: target.plan, apiKey: banKey, variable: banVariable }
      : undefined;
  const shared = parts.minute || toBeBanned ? await prepare(job) : undefined;
  const activities = new Map<string, Activity>();
  const report = (who: string) => (activity: Activity) => {
    activities.set(who, activity);
    listener.activities?.([...activities.values()]);
  };
  const plans = await Promise.all(
    keys.map(async (key) => {
      const progress = report(key.plan.name);
      const minute =
        parts.minute && shared ? await probeMinute(optionsFor(job, key, shared, progress)) : undefined;
      const counted = parts.day ? await countDayOf(job, key, progress) : undefined;
      const facts = minute?.facts ?? factsOf(settings, key);
      const notes = minute?.notes ?? [];
      return {
        facts: { ...facts, day: counted },
        notes: notes.map((note) => (keys.length > 1 ? `${key.plan.name}: ${note}` : note)),
      };
    }),
  );
  // A ban may be one of the address, for every key: it comes last.
  const ban = shared && toBeBanned && (await probeBan(optionsFor(job, toBeBanned, shared, report('ban'))));
  listener.activities?.([]);
  const facts = plans.map((plan) => plan.facts);
  const notes = plans.flatMap((plan) => plan.notes);
  return limitsOf(session.client.log.exchanges, facts, { ban: ban?.facts, notes });
}

/** The key of another plan is another key: what is judged of the target's own key is not judged of it. */
function credentialOf(
  { apiKey, variable }: PlanKey,
  { settings: { target }, session }: LimitsJob,
): Credential {
  if (apiKey === target.apiKey) return session.credentials().valid;
  return { ...credentialsFor(apiKey, { variable }).valid, kind: 'other' };
}

function optionsFor(
  job: LimitsJob,
  key: PlanKey,
  shared: Shared,
  progress: Sending['progress'],
): ProbeOptions {
  const { session, settings } = job;
  const { apiKey, variable } = key;
  const credential = credentialOf(key, job);
  const facts = factsOf(settings, key);
  return {
    ...shared,
    facts,
    credential,
    unknownCredential: credentialsFor(apiKey, { variable }).unknown(session.unknownKey(variable)),
    repeatsWanted: () => repeatsWanted(limitEvidence(shared.exchanges(), facts)),
    progress,
  };
}

function factsOf(settings: Settings, { plan, variable }: PlanKey): LimitFacts {
  const { otherApiKey, readOnly } = settings.target;
  // Without a second key, that of another plan is one: both are exhausted side by side.
  const another = keysOf(settings).find((other) => other.variable !== variable);
  return {
    plan,
    caller: variable,
    ...(otherApiKey === undefined
      ? { otherCaller: another?.variable, otherPerMinute: another?.plan.perMinute }
      : { otherCaller: keyVariablesOf(settings.target).other }),
    readOnly,
    vantagePoints: settings.target.localAddresses,
  };
}

/** Counts a plan's day. The ledger is in the run's folder, so that `--resume` finds it there. */
async function countDayOf(
  job: LimitsJob,
  key: PlanKey,
  progress: Sending['progress'],
): Promise<LimitFacts['day']> {
  const { session, settings, signal, resumed } = job;
  const { client } = session;
  const { plan, variable } = key;
  const { clock, directory } = settings;
  const before = resumed && {
    ...(await readDays(resumed.directory, plan.name)),
    day: resumed.record.plans?.find((one) => one.plan === plan.name)?.day,
  };
  const already = before?.lines.length ?? 0;
  progress({ text: `${plan.name}: counting a day takes ${minutesOfDay(plan, already)} minutes` });
  let recorded = 0;
  const day = await countDay({
    target: session.destination,
    plan,
    credential: credentialOf(key, job),
    record: (exchange) => {
      recorded += 1;
      client.budget.release(1);
      return client.log.record(exchange);
    },
    budget: client.budget,
    progress,
    clock,
    signal,
    ledger: ledgerFile(directory),
    before,
    usedBefore: await stretchesOf(
      variable,
      resumed ? readExchanges(resumed.directory) : client.log.exchanges.map(({ line }) => line),
    ),
  });
  const unrecorded = (day.sent ?? 0) - recorded;
  client.budget.release(unrecorded);
  client.log.countUnrecorded('listPets', unrecorded);
  return day;
}

/** What the run, and the one that it resumes, sent with a key for other purposes than the counting. */
async function stretchesOf(
  variable: string,
  exchanges: Iterable<RecordedExchange> | AsyncIterable<RecordedExchange>,
): Promise<readonly Stretch[]> {
  const stretches: Stretch[] = [];
  for await (const { caller, purpose, response, sentAt } of exchanges) {
    if (caller !== variable || purpose === 'LIMIT-10' || response?.status === 429) continue;
    addTo(stretches, { sent: parseTimestamp(sentAt), status: response?.status });
  }
  return stretches;
}

async function prepare({ session, settings, signal }: LimitsJob): Promise<Shared> {
  const { store, client } = session;
  const { target, clock } = settings;
  const { otherApiKey, readOnly } = target;
  const body = readOnly ? undefined : (await store.accepted()).body;
  return {
    target: session.destination,
    otherCredential:
      otherApiKey === undefined
        ? undefined
        : { ...credentialsFor(otherApiKey, { variable: keyVariablesOf(target).other }).valid, kind: 'other' },
    newPet: (status) =>
      writeJson({ name: session.names.next('limits'), categoryId: body?.categoryId ?? 1n, status }),
    rarestStatus: await store.rarestStatus(),
    petId: await store.animal().then(
      ({ id }) => id,
      () => undefined,
    ),
    exchanges: () => client.log.exchanges,
    record: (exchange) => client.record(exchange),
    ledger: ledgerFile(settings.directory),
    budget: client.budget,
    clock,
    signal,
  };
}
