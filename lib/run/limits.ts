import { credentialsFor } from '../http/exchange/credential.js';
import type { Exchange } from '../evidence/exchange.js';
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
import { keyVariablesOf } from '../options/target.js';
import { NotTested } from '../verdict/outcome.js';
import { limitsAhead, partsOf } from './limits-ahead.js';
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

/**
 * Probes the limits of the target's key. What is sent is judged by the requirements that asked for it.
 * @throws NotTested before anything is sent, if the plan is not known or `--max-requests` has no room for it; Inconclusive
 * if the target takes no body that the probes could create animals with.
 */
export async function probeLimits(job: LimitsJob): Promise<LimitsOfRun> {
  const { session, settings, listener, selected } = job;
  const { target, banKey } = settings;
  if (!target.planGiven) throw new NotTested('the plan of the key was not given (--plan, or NAME_PLAN)');
  const parts = partsOf(settings, selected);
  const { budget, log } = session.client;
  if (budget.left < limitsAhead(settings, parts).requests) throw new NotTested(budget.spent, true);
  const toBeBanned = selected.has('LIMIT-12') ? banKey : undefined;
  const { own, other } = keyVariablesOf(target);
  const facts: LimitFacts = {
    plan: target.plan,
    caller: own,
    otherCaller: target.otherApiKey === undefined ? undefined : other,
    readOnly: target.readOnly,
    vantagePoints: target.localAddresses,
  };
  const report = (activity: Activity): void => listener.activity?.(activity);
  const options = parts.minute || toBeBanned !== undefined ? await optionsFor(job, facts, report) : undefined;
  const minute = parts.minute && options ? await probeMinute(options) : undefined;
  const day = parts.day ? await countDayOf(job, report) : undefined;
  // A ban may be one of the address, for every key: it comes last.
  const ban = toBeBanned !== undefined && options ? await probeBan(bannedBy(options, toBeBanned)) : undefined;
  listener.activity?.(null);
  return limitsOf(
    log.exchanges,
    { ...(minute?.facts ?? facts), day },
    { ban: ban?.facts, notes: minute?.notes ?? [] },
  );
}

/** The same probes with a key that was given to be banned. */
function bannedBy(options: ProbeOptions, apiKey: string): ProbeOptions {
  const credential = { ...credentialsFor(apiKey, { variable: banVariable }).valid, kind: 'other' } as const;
  return { ...options, facts: { ...options.facts, caller: banVariable }, credential };
}

/** Counts the plan's day. The ledger is in the run's folder, so that `--resume` finds it there. */
async function countDayOf(job: LimitsJob, progress: Sending['progress']): Promise<LimitFacts['day']> {
  const { session, settings, signal, resumed } = job;
  const { client } = session;
  const { clock, directory, target } = settings;
  const { plan } = target;
  const before = resumed && {
    lines: await readDays(resumed.directory, plan.name),
    day: resumed.record.plans?.find((one) => one.plan === plan.name)?.day,
  };
  const already = before?.lines.length ?? 0;
  progress({ text: `${plan.name}: counting a day takes ${minutesOfDay(plan, already)} minutes` });
  let recorded = 0;
  const day = await countDay({
    target: session.destination,
    plan,
    credential: session.credentials().valid,
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
      keyVariablesOf(target).own,
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

/** How the limits of the minute are probed. */
async function optionsFor(
  { session, settings, signal }: LimitsJob,
  facts: LimitFacts,
  progress: Sending['progress'],
): Promise<ProbeOptions> {
  const { store, client } = session;
  const { target, clock } = settings;
  const { apiKey, otherApiKey, readOnly } = target;
  const { own, other } = keyVariablesOf(target);
  const body = readOnly ? undefined : (await store.accepted()).body;
  const exchanges = (): readonly Exchange[] => client.log.exchanges;
  return {
    target: session.destination,
    facts,
    credential: session.credentials().valid,
    otherCredential:
      otherApiKey === undefined
        ? undefined
        : { ...credentialsFor(otherApiKey, { variable: other }).valid, kind: 'other' },
    unknownCredential: credentialsFor(apiKey, { variable: own }).unknown(session.unknownKey(own)),
    newPet: (status) =>
      writeJson({ name: session.names.next('limits'), categoryId: body?.categoryId ?? 1n, status }),
    rarestStatus: await store.rarestStatus(),
    petId: await store.animal().then(
      ({ id }) => id,
      () => undefined,
    ),
    exchanges,
    repeatsWanted: () => repeatsWanted(limitEvidence(exchanges(), facts)),
    record: (exchange) => client.record(exchange),
    ledger: ledgerFile(settings.directory),
    budget: client.budget,
    progress,
    clock,
    signal,
  };
}
