import type { RunRecord } from '../../lib/evidence/record/record.js';
import type { Verdict } from '../../lib/evidence/record/requirement-result.js';
import { thresholdOutcome, thresholdText } from '../summary/load-summary.js';
import { verdictText } from '../summary/requirement-outcome.js';

/** Strictness and waivers change what a failure means, not what the target does. */
const judgements = {
  pass: 'met',
  fail: 'not met',
  warn: 'not met',
  observed: 'met',
  inconclusive: 'not judged',
  'not-applicable': 'not judged',
  'not-tested': 'not judged',
} as const satisfies Record<Verdict, string>;

const boundJudgements = { kept: 'met', broken: 'not met', open: 'not judged' } as const;

/** What a run judged, or could have: a requirement, or a bound of a load. */
export interface JudgedItem {
  readonly name: string;
  readonly judgement: 'met' | 'not met' | 'not judged';
  /** Whether it is not met and nobody tolerates it; a SHOULD is tolerated. */
  readonly isFailure: boolean;
  readonly isWaived: boolean;
  readonly isMust: boolean;
  /** Its verdict, or what was measured. */
  readonly text: string;
  /** Why. */
  readonly detail: string | undefined;
}

/** The requirements and bounds of a run by their names. */
export function judgedItems(record: RunRecord): Map<string, JudgedItem> {
  const requirements = record.requirements.map((result): JudgedItem => {
    const { id, level, title, verdict, waived, findings, reason } = result;
    return {
      name: id,
      judgement: judgements[verdict],
      isFailure: verdict === 'fail',
      isWaived: waived !== undefined,
      isMust: level === 'MUST',
      text: `${verdictText(verdict)}${waived ? ' (waived)' : ''}`,
      detail: findings[0]?.message ?? reason ?? title,
    };
  });
  const bounds = (record.load?.thresholds ?? []).map((threshold): JudgedItem => {
    const outcome = thresholdOutcome(threshold);
    return {
      name: threshold.name,
      judgement: boundJudgements[outcome],
      isFailure: outcome === 'broken',
      isWaived: false,
      isMust: false,
      text: `${threshold.bound}: ${thresholdText(threshold).measured}`,
      detail: undefined,
    };
  });
  return new Map([...requirements, ...bounds].map((item) => [item.name, item]));
}
