import { join } from 'node:path';
import { unknownKey } from '../draw/values.js';
import { Draw } from '../draw/seeded.js';
import { runRecordSchema, type RunRecord } from '../evidence/record/record.js';
import { readRegular } from '../evidence/record/regular-file.js';
import { UsageProblem } from '../explain/usage-problem.js';
import { credentialsFor } from '../http/exchange/credential.js';
import { countDay, minutesOfDay, readDays } from '../limits/day.js';
import type { LimitFacts } from '../limits/history/history.js';
import { isRepeatWanted } from '../limits/rows/odds.js';
import { limitEvidence, type LimitEvidence } from '../limits/limits-of-run.js';
import { probeBan, probeMinute } from '../limits/probe/probes.js';
import type { ProbeOptions, Sending } from '../limits/probe/session.js';
import { writeJson } from '../specification/json-value.js';
import { classOf, type RequirementId } from '../specification/catalogue.js';
import { keyVariablesOf, type Target } from '../options/target.js';
import { ifPossible, NotTested } from '../verdict/outcome.js';
import type { Settings } from './settings.js';
import { ledgerFile, type LedgerLine } from '../load/ledger.js';
import { banVariable, type Session } from './session.js';

/** Windows that the probes of a minute exhaust, and requests beside them. */
const windowsUsed = 2;
const besides = 30;
/** With the wait between them. */
const minutesOfWindows = 2;

/** Which parts of the limits a run tries, and what that comes to at the most. @param selected its requirements */
export function limitsAhead(
  { limits, target: { plan, planGiven, localAddresses = [] } }: Settings,
  selected: ReadonlySet<RequirementId>,
) {
  const isOfMinute = (id: RequirementId): boolean =>
    classOf(id) === 'limits' && id !== 'LIMIT-10' && id !== 'LIMIT-12';
  const minute = planGiven && limits !== 'none' && [...selected].some(isOfMinute);
  const day = planGiven && limits === 'day' && selected.has('LIMIT-10');
  const more = localAddresses.length > 1 ? 1 : 0;
  const ofMinute = minute ? (windowsUsed + more) * (plan.perMinute + 1) + besides : 0;
  return {
    minute,
    day,
    requests: ofMinute + (day ? plan.perDay + besides : 0),
    minutes: (minute ? minutesOfWindows + more : 0) + (day ? minutesOfDay(plan) : 0),
  };
}

/**
 * Probes the limits of the target's key. What is sent is judged by the requirements that asked for it.
 * @throws NotTested before anything is sent, if the plan is not known or `--max-requests` has no room for it; Inconclusive
 * if the target takes no body that the probes could create animals with.
 */
export async function probeLimits(session: Session): Promise<LimitEvidence> {
  const { settings, client } = session;
  const { listener, selected } = session.options;
  const { target, observeBanKey } = settings;
  const { plan, otherApiKey, readOnly, localAddresses: vantagePoints } = target;
  if (!target.planGiven) throw new NotTested('the plan of the key was not given (--plan, or NAME_PLAN)');
  const ahead = limitsAhead(settings, selected);
  if (client.budget.left < ahead.requests) throw new NotTested(client.budget.error.message, true);
  const toBeBanned = selected.has('LIMIT-12') ? observeBanKey : undefined;
  const { own: caller, other } = keyVariablesOf(target);
  const facts: LimitFacts = { plan, caller, otherCaller: otherApiKey && other, readOnly, vantagePoints };
  const sending: Sending = {
    target: session.destination,
    credential: session.credentials().valid,
    record: (exchange, isKept) => client.record(exchange, isKept),
    ledger: ledgerFile(settings.directory),
    budget: client.budget,
    progress: (activity) => listener.activity?.(activity),
    clock: settings.clock,
    signal: client.signal,
  };
  const options = ahead.minute || toBeBanned ? await optionsFor(session, sending, facts) : undefined;
  await session.transport.makeRoom();
  const probed = ahead.minute && options ? await probeMinute(options) : facts;
  const day = ahead.day ? await countDayOf(session, sending, caller) : undefined;
  // A ban may be one of the address, for every key: it comes last.
  if (toBeBanned && options) await probeBan(bannedBy(options, toBeBanned));
  listener.activity?.(null);
  return limitEvidence(client.log.exchanges, { ...probed, day });
}

/** The same probes with a key that was given to be banned. */
function bannedBy(options: ProbeOptions, apiKey: string): ProbeOptions {
  const credential = { ...credentialsFor(apiKey, { variable: banVariable }).valid, kind: 'other' } as const;
  return { ...options, facts: { ...options.facts, caller: banVariable }, credential };
}

/** Counts the plan's day, or goes on with it. What the run sent with the key before counts, too. */
async function countDayOf(
  { settings, client, options: { resumed = [] } }: Session,
  sending: Sending,
  variable: string,
): Promise<LimitFacts['day']> {
  const { plan } = settings.target;
  const used = client.log.exchanges.flatMap(({ caller, response, sentAt, status }): LedgerLine[] =>
    caller === variable && status !== 429
      ? [{ volley: `day ${plan.name} before`, outcome: response ? 'answered' : 'lost', sent: sentAt, status }]
      : [],
  );
  const before = [...resumed, ...used];
  const minutes = minutesOfDay(plan, before.length);
  sending.progress({ text: `${plan.name}: counting a day takes ${minutes} minutes` });
  return countDay({ ...sending, plan, before });
}

/**
 * What the run that `--resume` names has counted of the day, in the lines of its ledger.
 * @throws UsageProblem if it counted none of this target and plan, or reached the limit.
 */
export async function interruptedDay(resume: string, target: Target): Promise<LedgerLine[]> {
  const refuse = (problem: string, cause?: unknown): never => {
    throw new UsageProblem(`--resume: ${problem}`, { cause });
  };
  const path = join(resume, 'report.json');
  const record = await readRegular(path)
    .then((text): RunRecord => runRecordSchema.parse(JSON.parse(text)))
    .catch((error: unknown) => refuse(`${path} can't be read as a run's record`, error));
  const { plan } = target;
  const { baseUrl, perMinute, perDay } = record.target;
  const isOfTarget = baseUrl === target.baseUrl && perMinute === plan.perMinute && perDay === plan.perDay;
  const lines = isOfTarget ? await readDays(resume, plan.name) : [];
  const last = lines.at(-1) ?? refuse(`the run in ${resume} counted no day of this target and plan`);
  const { day } = record.plans?.[0] ?? {};
  if (day?.rejection !== undefined) refuse("the day's limit was reached already: begin a new run");
  // A run that was killed has sent one more, and what came of it is not known.
  return day ? lines : [...lines, { ...last, outcome: 'lost', status: undefined, reason: 'aborted' }];
}

/** How the limits of the minute are probed. */
async function optionsFor(
  { store, client, settings, credentials }: Session,
  sending: Sending,
  facts: LimitFacts,
): Promise<ProbeOptions> {
  const { otherApiKey, readOnly } = settings.target;
  const { caller, otherCaller = '' } = facts;
  const body = readOnly ? undefined : await store.accepted();
  const otherKey = otherApiKey && credentialsFor(otherApiKey, { variable: otherCaller }).valid;
  const nobodys = new Draw(settings.seed, `unknown key for ${caller}`).one(unknownKey);
  return {
    ...sending,
    facts,
    otherCredential: otherKey ? { ...otherKey, kind: 'other' } : undefined,
    unknownCredential: credentials().unknown(nobodys),
    newPet: (status) => writeJson({ name: store.name('limits'), categoryId: body?.categoryId ?? 1n, status }),
    rarestStatus: await store.rarestStatus(),
    petId: (await ifPossible(store.animal()))?.id,
    exchanges: () => client.log.exchanges,
    isRepeatWanted: () => isRepeatWanted(limitEvidence(client.log.exchanges, facts)),
  };
}
