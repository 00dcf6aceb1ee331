import { credentialsFor, keyVariable, type Credential } from '../http/exchange/credential.js';
import type { Exchange } from '../http/exchange/exchange.js';
import type { UsedBefore } from '../limits/judge-day.js';
import { readExchanges } from '../record/recorded-exchanges.js';
import { journalFile, noJournal, readJournal } from '../limits/day-journal.js';
import { observeBan } from '../limits/ban-run.js';
import { countDay, minutesOfDay, type DayRun } from '../limits/day-run.js';
import { measureMinute, type MinuteRun } from '../limits/minute-run.js';
import type { LimitRunOptions } from '../limits/limit-run.js';
import type { LimitsOfRun, PlanLimits } from '../limits/limits-of-run.js';
import { seen } from '../limits/seen.js';
import type { RequirementId } from '../specification/catalogue.js';
import { writeJson } from '../specification/json-value.js';
import type { Plan } from '../specification/plan.js';
import { NotTested } from '../verdict/outcome.js';
import { suiteName, suiteVersion } from './suite-name.js';
import type { RequirementResult } from '../record/record.js';
import { dayJournal, type ResumedRun } from './resumed-run.js';
import { keysOf, limitsAhead, partsOf } from './limits-ahead.js';
import type { Session } from './session.js';
import type { Listener, Settings } from './settings.js';
import type { PlanKey } from '../target/target.js';

/**
 * Measures the limits of every plan of the run, side by side: their windows run at the same time. What is
 * sent is judged by the requirements that asked for it.
 * @throws NotTested before anything is sent, if the plan is not known or `--max-requests` has no room for it; Inconclusive
 * if the target takes no body that the probes could create animals with.
 */
export async function measureLimits(job: LimitsJob): Promise<LimitsOfRun> {
  const { session, settings, listener, selected } = job;
  const { target } = settings;
  const keys = keysOf(settings);
  if (settings.planKeys === undefined && !target.planGiven) {
    throw new NotTested('the plan of the key was not given (--plan, or NAME_PLAN)');
  }
  const parts = partsOf(settings, selected);
  const { minute, day } = parts;
  const needed = limitsAhead(settings, parts).reduce((sum, { requests }) => sum + requests, 0);
  if (session.client.budget.left < needed) throw new NotTested(session.client.budget.spent, true);
  const { banKey } = settings;
  const toBeBanned = banKey !== undefined && selected.has('LIMIT-12');
  const common = minute || toBeBanned ? await prepare(job) : undefined;
  const activities = new Map<string, string>();
  const tell = (who: string, text: string): void => {
    activities.set(who, text);
    listener.activity?.([...activities.values()].join('; '));
  };
  const banned =
    common && toBeBanned
      ? measureBanOf(
          job,
          { plan: target.plan, apiKey: banKey, variable: 'PETSTORE_BAN_API_KEY' },
          common,
          (text) => tell('ban', text),
        )
      : undefined;
  const measured = await Promise.all(
    keys.map(async (key) => {
      const progress = (text: string): void => tell(key.plan.name, text);
      const minuteRun = minute && common && (await measureMinuteOf(job, key, common, progress));
      const dayRun = day ? await measureDayOf(job, key, progress) : undefined;
      return { plan: key.plan, minuteRun: minuteRun || undefined, dayRun };
    }),
  );
  const ban = await banned;
  listener.activity?.('');
  const several = keys.length > 1;
  return {
    plans: measured.map(({ plan, minuteRun, dayRun }) => planLimits(plan, minuteRun, dayRun)),
    ban,
    created: measured.flatMap(({ minuteRun }) => minuteRun?.created ?? []),
    notes: measured.flatMap(({ plan, minuteRun }) =>
      (minuteRun?.notes ?? []).map((note) => (several ? `${plan.name}: ${note}` : note)),
    ),
    stopped: measured
      .map(({ minuteRun, dayRun }) => minuteRun?.stopped ?? dayRun?.stopped)
      .find((reason) => reason !== undefined),
  };
}

/** What the limits of a run are measured with. */
interface LimitsJob {
  readonly session: Session;
  readonly settings: Settings;
  readonly signal: AbortSignal;
  readonly listener: Listener;
  readonly selected: ReadonlySet<RequirementId>;
  readonly resumed: ResumedRun | undefined;
}

/** The key of another plan is another key: what is judged of the target's own key is not judged of it. */
function ofTarget(credential: Credential, apiKey: string, { target }: Settings): Credential {
  return apiKey === target.apiKey ? credential : { ...credential, kind: 'other' };
}

async function measureMinuteOf(
  { session, settings }: LimitsJob,
  { plan, apiKey, variable }: PlanKey,
  common: Awaited<ReturnType<typeof prepare>>,
  progress: (text: string) => void,
): Promise<MinuteRun> {
  const credentials = credentialsFor(apiKey, variable);
  return measureMinute({
    ...common,
    plan,
    credential: ofTarget(credentials.valid, apiKey, settings),
    unknownCredential: credentials.unknown(session.unknownKey(plan.name)),
    earlier: session.client.log.exchanges
      .filter((exchange) => sentWith(exchange, shownAs({ plan, apiKey, variable }, settings)))
      .map((exchange) => seen(exchange)),
    progress,
  });
}

/** How exchanges show a key, redacted as they are: a plan's may be the target's own. */
function shownAs({ apiKey, variable }: PlanKey, { target }: Settings): readonly string[] {
  return [variable, ...(apiKey === target.apiKey ? [keyVariable] : [])].map((name) => `Bearer $${name}`);
}

function sentWith({ request }: Exchange, shown: readonly string[]): boolean {
  return request.headers.some(([name, value]) => name === 'Authorization' && shown.includes(value));
}

/** Provokes a ban, on a key that was given for it. */
async function measureBanOf(
  { session, settings }: LimitsJob,
  { plan, apiKey, variable }: PlanKey,
  common: Awaited<ReturnType<typeof prepare>>,
  progress: (text: string) => void,
): Promise<RequirementResult> {
  const credentials = credentialsFor(apiKey, variable);
  const unknownCredential = credentials.unknown(session.unknownKey('ban'));
  return observeBan({
    ...common,
    plan,
    credential: ofTarget(credentials.valid, apiKey, settings),
    unknownCredential,
    progress,
  });
}

/** Counts a plan's day. Its journal is in the run's folder, so that `--resume` finds it there. */
async function measureDayOf(
  { session, settings, signal, resumed }: LimitsJob,
  key: PlanKey,
  progress: (text: string) => void,
): Promise<DayRun> {
  const { plan, apiKey, variable } = key;
  const { target, clock, environment, directory } = settings;
  const journal = directory === undefined ? undefined : dayJournal(directory, plan.name);
  const counted = resumed && journal !== undefined ? readJournal(journal) : undefined;
  progress(`${plan.name}: counting a day takes ${minutesOfDay(plan, counted?.sent ?? 0)} minutes`);
  const usedBefore = await usedWith(
    shownAs(key, settings),
    resumed ? readExchanges(resumed.directory) : session.client.log.exchanges,
  );
  let recorded = 0;
  const run = await countDay({
    target: {
      baseUrl: target.baseUrl,
      timeoutMs: target.deadlineMs,
      ca: target.ca,
      insecure: target.insecure,
      environment,
    },
    plan,
    credential: ofTarget(credentialsFor(apiKey, variable).valid, apiKey, settings),
    redact: session.redact,
    record: (exchange) => {
      recorded += 1;
      session.client.budget.release(1);
      return session.client.log.record(exchange);
    },
    budget: session.client.budget,
    progress,
    clock,
    signal,
    userAgent: `${suiteName}/${suiteVersion}`,
    journal: journal === undefined ? noJournal : journalFile(journal),
    counted,
    usedBefore,
  });
  session.client.budget.release(run.phase.sent - recorded);
  session.client.log.countUnrecorded('listPets', run.phase.sent - recorded);
  return run;
}

/** What the run, and the one that it goes on with, sent with a key for other purposes than the counting. */
async function usedWith(
  shown: readonly string[],
  exchanges: Iterable<Exchange> | AsyncIterable<Exchange>,
): Promise<UsedBefore> {
  let least = 0;
  let most = 0;
  let firstAt: number | undefined;
  for await (const exchange of exchanges) {
    const { purpose, response } = exchange;
    if (!sentWith(exchange, shown) || purpose === 'LIMIT-10' || response?.status === 429) continue;
    firstAt ??= Date.parse(exchange.sentAt);
    most += 1;
    if (response !== undefined && response.status < 300) least += 1;
  }
  return { least, most, firstAt };
}

/** A plan's minute and its day, not judged yet. */
function planLimits(plan: Plan, minute: MinuteRun | undefined, day: DayRun | undefined): PlanLimits {
  const { name, perMinute, perDay } = plan;
  const measurement = minute?.measurement ?? { plan: name, perMinute, perDay, phases: [] };
  return {
    plan,
    minute: minute?.evidence,
    day: day?.evidence,
    measurement: { ...measurement, phases: [...measurement.phases, ...(day ? [day.phase] : [])] },
    results: new Map(),
  };
}

/** What the runs of all plans share: how the target is reached, and what it takes. */
async function prepare({
  session,
  settings,
  signal,
}: LimitsJob): Promise<Omit<LimitRunOptions, 'plan' | 'credential' | 'unknownCredential' | 'progress'>> {
  const { store, redact, client } = session;
  const { target, clock, environment } = settings;
  const body = target.readOnly ? undefined : (await store.accepted()).body;
  const petId = target.readOnly
    ? await store.animal().then(
        ({ id }) => id,
        () => undefined,
      )
    : undefined;
  const other: Credential | undefined =
    target.otherApiKey === undefined
      ? undefined
      : { ...credentialsFor(target.otherApiKey, 'PETSTORE_OTHER_API_KEY').valid, kind: 'other' };
  return {
    target: {
      baseUrl: target.baseUrl,
      timeoutMs: target.deadlineMs,
      ca: target.ca,
      insecure: target.insecure,
      environment,
    },
    otherCredential: other,
    readOnly: target.readOnly,
    newPet: (status) => {
      const name = session.name('limits');
      return { name, body: writeJson({ name, categoryId: body?.categoryId ?? 1n, status }) };
    },
    quietStatus: await store.rarestStatus(),
    petId,
    redact,
    record: (exchange) => client.log.record(exchange),
    budget: client.budget,
    clock,
    signal,
    userAgent: `${suiteName}/${suiteVersion}`,
  };
}
