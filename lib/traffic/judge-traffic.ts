import { Inconclusive } from '../verdict/outcome.js';
import '../../suites/all.js';
import { randomUUID } from 'node:crypto';
import type { Exchange } from '../http/exchange/exchange.js';
import { parseTimestamp, stoppedAt } from '../http/clock/clock.js';
import type { Evidence } from '../http/exchange/evidence.js';
import { endedAt } from '../http/exchange/exchange.js';
import { keyVariable } from '../http/exchange/credential.js';
import { limitsOf, type LimitsOfRun } from '../limits/limits-of-run.js';
import type { RequirementResult, RunRecord } from '../record/record.js';
import { judgeExchanges } from '../requirement/invariants.js';
import { declaredInvariants, declaredProbes } from '../requirement/requirement.js';
import { buildRecord } from '../run/record/build-record.js';
import { Session, type RunPlayback } from '../run/session.js';
import type { Settings } from '../run/settings.js';
import { ApiResponse } from '../session/api-response.js';
import { catalogue, classOf, type RequirementId } from '../specification/catalogue.js';
import { count } from '../usage/count.js';
import { Judgement, notTestedResult } from '../verdict/judgement.js';
import { NotTested } from '../verdict/outcome.js';
import { isJudged, trafficRules } from './traffic-rules.js';

export interface TrafficJob {
  /** What was recorded, in the order of sending. */
  readonly exchanges: readonly Omit<Exchange, 'id'>[];
  readonly settings: Settings;
  readonly evidence: Evidence;
  /** What the record says of where the exchanges come from. */
  readonly source: NonNullable<RunRecord['run']['traffic']>;
}

/** Invariants of statuses and headers: a body that the file does not hold is nothing to them. */
const ofHeaders: ReadonlySet<RequirementId> = new Set([
  'AUTH-04',
  'AUTH-07',
  'DEP-01',
  'DEP-02',
  'DEP-03',
  'RATE-01',
  'RATE-02',
  'RATE-03',
  'RATE-04',
  'ROBUST-01',
]);

/** Probes that judge what others have sent. Those of the limits judge a history, which needs the plan. */
const withoutRequests: ReadonlySet<RequirementId> = new Set(['VERSION-01', 'LIST-13']);
/** Those that judge a history of requests with one key, whoever sent them. */
const ofHistory: ReadonlySet<RequirementId> = new Set([
  'RATE-05',
  'LIMIT-01',
  'LIMIT-02',
  'LIMIT-04',
  'LIMIT-05',
  'LIMIT-06',
  'LIMIT-09',
  'LIMIT-11',
  'LIMIT-13',
  'LIMIT-14',
]);

const reasons = {
  ownRequests: 'it needs requests of its own, which recorded traffic does not have',
  notShown: 'nothing in the traffic shows it',
  noPlan: 'limits are judged if the plan of the key is given (--plan)',
} as const;

/** The name of the part of a run in which requests follow each other: the judge of the limits reads such a sequence. */
export const trafficPhase = 'sequence';

/**
 * Judges traffic that others recorded: the requirements that need no request of their own, and those whose requests happen
 * to be in it. Nothing is sent, and what the traffic does not show is not tested.
 */
export async function judgeTraffic(job: TrafficJob): Promise<RunRecord> {
  const { exchanges, settings, evidence, source } = job;
  const { signal } = new AbortController();
  let limits: LimitsOfRun | undefined;
  const playback: RunPlayback = {
    due: async () => {
      throw new NotTested(reasons.ownRequests);
    },
    exchange: async () => {
      throw new NotTested(reasons.ownRequests);
    },
    probeLimits: async () => (limits ??= limitsOfTraffic(session.client.log.exchanges, settings)),
    describedInterface: async () => ({ ok: false, message: reasons.ownRequests }),
  };
  const session = new Session(settings, { evidence, signal, playback });
  try {
    for (const exchange of exchanges) session.client.log.record(exchange);
    const rows = await results(session, job);
    const judged = rows.filter(({ verdict }) => verdict !== 'not-tested').length;
    const notes = [
      `${judged} of ${count(rows.length, 'requirement')} could be judged on ${count(exchanges.length, 'exchange')} that ${source.tool === '' ? 'another program' : source.tool} recorded. A verdict says what these exchanges show, and no more.`,
    ];
    const classes = settings.target.planGiven
      ? (['functional', 'limits'] as const)
      : (['functional'] as const);
    const record = buildRecord(
      { session, results: () => rows, classes, notes, obstacle: undefined },
      settings,
      { id: randomUUID(), startedAt: firstOf(exchanges) },
    );
    return { ...record, leftovers: [], run: { ...record.run, traffic: source } };
  } finally {
    await session.close();
  }
}

function firstOf(exchanges: TrafficJob['exchanges']): string {
  const first = Math.min(...exchanges.map(({ sentAt }) => parseTimestamp(sentAt)));
  return new Date(Math.floor(first)).toISOString();
}

/** When the last response of recorded traffic was there, in milliseconds since the Unix epoch. */
function endOf(exchanges: TrafficJob['exchanges']): number {
  return Math.ceil(Math.max(...exchanges.map((one) => endedAt({ id: '', ...one }))));
}

/** The settings of a run that sends nothing, on a clock that stands at the end of what was recorded. */
export function settingsOfTraffic(
  exchanges: TrafficJob['exchanges'],
  given: Pick<Settings, 'target' | 'seed' | 'command' | 'environment'> & Partial<Settings>,
): Settings {
  return {
    profile: 'standard',
    limits: 'none',
    only: [],
    except: [],
    strict: false,
    clock: stoppedAt(endOf(exchanges)),
    ...given,
  };
}

async function results(session: Session, { settings: { target } }: TrafficJob): Promise<RequirementResult[]> {
  const all = session.client.log.exchanges;
  const whole = all.filter(({ response }) => response?.body.truncated !== true);
  const invariants = declaredInvariants();
  const judgedOnAll = invariants.filter(({ id }) => ofHeaders.has(id));
  const judgedOnBodies = invariants.filter(({ id }) => !ofHeaders.has(id));
  const found = new Map([
    ...(await judgeExchanges(judgedOnAll, all, session.facts)),
    ...(await judgeExchanges(judgedOnBodies, whole, session.facts)),
  ]);
  const traffic = {
    baseUrl: target.baseUrl,
    responses: whole.map((one) => new ApiResponse(one)).filter(isJudged),
    withoutBodies: all.map((one) => new ApiResponse(one)).filter(isJudged),
  };
  const rows: RequirementResult[] = [];
  for (const { id } of catalogue) {
    const rule = ruleOf(id);
    const isOfHistory = ofHistory.has(id);
    if (found.has(id)) rows.push(asTraffic(found.get(id)));
    else if (rule) {
      const judgement = new Judgement(id, declaredProbes().find((one) => one.id === id)?.leavesTo);
      rule(judgement, traffic);
      rows.push(asTraffic(judgement.result()));
    } else if (withoutRequests.has(id) || (isOfHistory && target.planGiven))
      rows.push(asTraffic(await probed(session, id)));
    else rows.push(notTestedResult(id, isOfHistory ? reasons.noPlan : whyNot(id)));
  }
  return rows.filter((row) => row !== undefined);
}

function whyNot(id: RequirementId): string {
  return classOf(id) === 'description' ? 'it is about the interface description' : reasons.ownRequests;
}

function ruleOf(id: RequirementId) {
  const rules: Partial<Record<RequirementId, (typeof trafficRules)[keyof typeof trafficRules]>> =
    trafficRules;
  return rules[id];
}

async function probed(session: Session, id: RequirementId): Promise<RequirementResult> {
  const declaration = declaredProbes().find((one) => one.id === id);
  if (!declaration) throw new Error(`${id} is declared by no suite`);
  const judgement = new Judgement(id, declaration.leavesTo);
  try {
    const own = declaration.inProfile('standard');
    if (typeof own === 'string') throw new Inconclusive(own);
    return (await own.judge(session.probe(id, judgement))) ?? judgement.result();
  } catch (error) {
    return judgement.result(error);
  }
}

/** What recorded exchanges leave open was not selected by anyone: it is not tested. */
function asTraffic(result: RequirementResult | undefined): RequirementResult {
  if (!result) throw new Error('an invariant has no result');
  if (result.verdict !== 'inconclusive' && result.verdict !== 'not-tested') return result;
  const { id, reason = '' } = result;
  return notTestedResult(
    id as RequirementId,
    result.checks === 0 && /triggered|sent/.test(reason) ? reasons.notShown : reason,
  );
}

function limitsOfTraffic(exchanges: readonly Exchange[], { target }: Settings): LimitsOfRun {
  const facts = { plan: target.plan, caller: keyVariable, readOnly: false };
  return limitsOf(exchanges, [facts]);
}
