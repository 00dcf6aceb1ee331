import type { RequirementId } from '../../specification/catalogue.js';
import { Judgement } from '../../verdict/judgement.js';
import type { LimitEvidence } from '../limit-evidence.js';
import { judgeAdmitted, judgeConcurrency, judgeRejected, judgeSharedLimit } from '../rows/admission.js';
import { observeAlgorithm, observeCosts } from '../rows/observations.js';
import { judgeRemainingFalls, judgeReset } from '../rows/restoration.js';
import { judgeRetryAfter, judgeRetryAfterAgrees, judgeServedAfterRetryAfter } from '../rows/retry-after.js';
import { judgeNoEffect, judgePerCaller } from '../rows/side-effects.js';

/** The rows of a minute, by their ids. */
const rows: ReadonlyArray<readonly [RequirementId, (judgement: Judgement, evidence: LimitEvidence) => void]> =
  [
    ['LIMIT-01', judgeAdmitted],
    ['LIMIT-02', judgeRejected],
    ['LIMIT-03', judgeConcurrency],
    ['LIMIT-04', judgeRetryAfter],
    ['LIMIT-05', judgeServedAfterRetryAfter],
    ['LIMIT-06', judgeRetryAfterAgrees],
    ['LIMIT-07', judgeNoEffect],
    ['LIMIT-08', judgePerCaller],
    ['LIMIT-09', judgeSharedLimit],
    ['LIMIT-11', observeAlgorithm],
    ['LIMIT-13', observeCosts],
    ['LIMIT-14', judgeReset],
    ['RATE-05', judgeRemainingFalls],
  ];

/** What each row comes to. */
export function judgedRows(evidence: LimitEvidence) {
  return rows.map(([id, judge]) => {
    const judgement = new Judgement(id);
    try {
      judge(judgement, evidence);
      return judgement.result();
    } catch (error) {
      return judgement.result(error);
    }
  });
}
