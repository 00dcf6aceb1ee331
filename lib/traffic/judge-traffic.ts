import '../../suites/all.js';
import { randomUUID } from 'node:crypto';
import type { Exchange } from '../http/exchange/exchange.js';
import { parseTimestamp } from '../http/clock/clock.js';
import type { Evidence as EvidenceFile } from '../http/exchange/evidence.js';
import { keyVariable } from '../http/exchange/credential.js';
import { limitsOf, type LimitsOfRun } from '../limits/limits-of-run.js';
import type { RequirementResult, RunRecord } from '../record/record.js';
import { Evidence } from '../evidence/evidence.js';
import { judgeEvidence } from '../requirement/judge-evidence.js';
import { judgeExchanges } from '../requirement/invariants.js';
import { declaredInvariants, declaredProbes } from '../requirement/requirement.js';
import { buildRecord } from '../run/record/build-record.js';
import { Session } from '../run/session.js';
import type { Settings } from '../run/settings.js';
import { catalogue, type RequirementId } from '../specification/catalogue.js';
import { count } from '../usage/count.js';
import { Judgement, notTestedResult } from '../verdict/judgement.js';
import { Inconclusive, NotTested } from '../verdict/outcome.js';

export interface TrafficJob {
  /** What was recorded, in the order of sending. */
  readonly exchanges: readonly Omit<Exchange, 'id'>[];
  readonly settings: Settings;
  readonly evidence: EvidenceFile;
  /** What the record says of where the exchanges come from. */
  readonly source: NonNullable<RunRecord['run']['traffic']>;
}

/** Those that judge a history of requests with one key, whoever sent them. */
const ofHistory: ReadonlySet<RequirementId> = new Set([
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

const ownRequests =
  'recorded traffic is judged by the requirements on every exchange and by the limits; this one needs requests of its own';
const noPlan = 'limits are judged if the plan of the key is given (--plan)';

/** Judges traffic that others recorded by the rules, the requirements on every exchange and, if the plan is known, by the limits. */
export async function judgeTraffic(job: TrafficJob): Promise<RunRecord> {
  const { exchanges, settings, evidence, source } = job;
  const { target } = settings;
  const { signal } = new AbortController();
  const nothingIsSent = async (): Promise<never> => {
    throw new NotTested(ownRequests);
  };
  let limits: LimitsOfRun | undefined;
  const playback = {
    due: nothingIsSent,
    exchange: nothingIsSent,
    describedInterface: nothingIsSent,
    probeLimits: async () =>
      (limits ??= limitsOf(session.client.log.exchanges, [
        { plan: target.plan, caller: keyVariable, readOnly: false },
      ])),
  };
  const session = new Session(settings, { evidence, signal, playback });
  try {
    for (const exchange of exchanges) session.client.log.record(exchange);
    const rows = await results(session, target.planGiven);
    const judged = rows.filter(({ verdict }) => verdict !== 'not-tested').length;
    const notes = [
      `${judged} of ${count(rows.length, 'requirement')} could be judged on ${count(exchanges.length, 'exchange')} that ${source.tool === '' ? 'another program' : source.tool} recorded. A verdict says what these exchanges show, and no more.`,
    ];
    const classes = target.planGiven ? (['functional', 'limits'] as const) : (['functional'] as const);
    const first = Math.min(...exchanges.map(({ sentAt }) => parseTimestamp(sentAt)));
    const record = buildRecord(
      { session, results: () => rows, classes, notes, obstacle: undefined },
      settings,
      { id: randomUUID(), startedAt: new Date(Math.floor(first)).toISOString() },
    );
    return { ...record, leftovers: [], run: { ...record.run, traffic: source } };
  } finally {
    await session.close();
  }
}

async function results(session: Session, planGiven: boolean): Promise<RequirementResult[]> {
  const all = session.client.log.exchanges;
  const whole = all.filter(({ response }) => response?.body.truncated !== true);
  const ofExchanges = await judgeExchanges(declaredInvariants(), whole, session.facts);
  const judgedByRule = judgeEvidence(new Evidence(all, session.facts));
  const resultOf = async (id: RequirementId): Promise<RequirementResult> => {
    const result = ofExchanges.get(id) ?? judgedByRule.get(id);
    if (result) return result;
    if (!ofHistory.has(id)) return notTestedResult(id, ownRequests);
    return planGiven ? judgedByHistory(session, id) : notTestedResult(id, noPlan);
  };
  const rows: RequirementResult[] = [];
  for (const { id } of catalogue) {
    const result = await resultOf(id);
    // What recorded exchanges leave open was not selected by anyone.
    rows.push(result.verdict === 'inconclusive' ? notTestedResult(id, result.reason ?? '') : result);
  }
  return rows;
}

async function judgedByHistory(session: Session, id: RequirementId): Promise<RequirementResult> {
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
