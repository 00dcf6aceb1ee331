import '../../suites/all.js';
import { randomUUID } from 'node:crypto';
import type { Exchange } from '../evidence/recorded-exchange.js';
import { parseTimestamp } from '../http/clock/clock.js';
import type { Evidence as EvidenceFile } from '../evidence/evidence-file.js';
import { keyVariable } from '../http/exchange/credential.js';
import { limitsOf, type LimitsOfRun } from '../limits/limits-of-run.js';
import type { RequirementResult, RunRecord } from '../record/record.js';
import { Evidence, type EvidenceFacts } from '../evidence/evidence.js';
import { judgeEvidence } from '../verdict/judge-evidence.js';
import { buildRecord } from '../run/record/build-record.js';
import { Session } from '../run/session.js';
import type { Settings } from '../run/settings.js';
import { classOf, requirementIds, type RequirementId } from '../specification/catalogue.js';
import { count } from '../explain/count.js';
import { notTestedResult } from '../verdict/judgement.js';

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
  const session = new Session(settings, { evidence, signal });
  try {
    for (const exchange of exchanges) session.client.log.record(exchange);
    const { rows, limits } = judgeExchanges(session.client.log.exchanges, session.facts);
    session.limits = limits;
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

/** What the rules make of traffic, each requirement of the catalogue in its order. Nothing else is known of it than its facts. */
export function judgeExchanges(
  all: readonly Exchange[],
  facts: EvidenceFacts,
): { readonly rows: RequirementResult[]; readonly limits: LimitsOfRun | undefined } {
  const { plan, planGiven } = facts;
  const limits = planGiven ? limitsOf(all, [{ plan, caller: keyVariable, readOnly: false }]) : undefined;
  const results = judgeEvidence(new Evidence(all, facts, { limits }));
  const rows = requirementIds.map((id) => {
    const isOfLimits = classOf(id) === 'limits';
    if (classOf(id) === 'description' || (isOfLimits && !ofHistory.has(id)))
      return notTestedResult(id, ownRequests);
    if (isOfLimits && !planGiven) return notTestedResult(id, noPlan);
    const result = results.get(id);
    if (!result) throw new Error(`${id} is declared by no suite`);
    // What recorded exchanges leave open was not selected by anyone.
    return result.verdict === 'inconclusive' ? notTestedResult(id, result.reason ?? '') : result;
  });
  return { rows, limits };
}
