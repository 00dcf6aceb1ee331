import { Judgement } from '../../verdict/judgement.js';
import { Inconclusive } from '../../verdict/outcome.js';
import type { LimitEvidence } from '../limit-evidence.js';
import { judgeAdmitted, judgeConcurrency, judgeRejected, judgeSharedLimit } from './admission.js';
import { judgeServedAfterRetryAfter } from './retry-after.js';
import { judgeReset } from './restoration.js';

/** Which part of the probes would settle a verdict that is open, if it were sent again from another phase of the window. */
export function repeatsWanted(evidence: LimitEvidence): ReadonlySet<'sequence' | 'burst'> {
  const wanted = new Set<'sequence' | 'burst'>();
  if (evidence.facts.stopped !== undefined) return wanted;
  const rows = [
    ['LIMIT-01', 'sequence', judgeAdmitted],
    ['LIMIT-02', 'sequence', judgeRejected],
    ['LIMIT-09', 'sequence', judgeSharedLimit],
    ['LIMIT-05', 'sequence', judgeServedAfterRetryAfter],
    ['LIMIT-14', 'sequence', judgeReset],
    ['LIMIT-03', 'burst', judgeConcurrency],
  ] as const;
  for (const [id, phase, judge] of rows) {
    const judgement = new Judgement(id);
    try {
      judge(judgement, evidence);
      if (judgement.findings.length === 0 && judgement.open.length > 0) wanted.add(phase);
    } catch (error) {
      if (!(error instanceof Inconclusive)) continue;
      wanted.add(phase);
    }
  }
  return wanted;
}
