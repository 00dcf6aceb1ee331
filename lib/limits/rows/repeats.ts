import type { RequirementId } from '../../specification/catalogue.js';
import { Judgement } from '../../verdict/judgement.js';
import { Inconclusive } from '../../verdict/outcome.js';
import type { LimitEvidence } from '../limit-evidence.js';
import { tolerances } from '../tolerances.js';
import { judgeAdmitted, judgeConcurrency, judgeRejected, judgeSharedLimit } from './admission.js';

/** The rows that another look may settle, with the part of the probes that does. */
const rows = [
  ['LIMIT-01', 'sequence', judgeAdmitted],
  ['LIMIT-02', 'sequence', judgeRejected],
  ['LIMIT-09', 'sequence', judgeSharedLimit],
  ['LIMIT-03', 'burst', judgeConcurrency],
] as const;

/** Which parts of the probes would settle a verdict that is open, if they were sent again from another phase of the window. */
export function repeatsWanted(evidence: LimitEvidence): ReadonlySet<'sequence' | 'burst'> {
  const { facts, history, diagnosis } = evidence;
  const wanted = new Set<'sequence' | 'burst'>();
  const rejects = history.own.some(({ outcome }) => outcome === 'rejected');
  const disturbances = diagnosis.best.findings.filter(({ kind }) => kind === 'hidden requests').length;
  // What is convicted is settled; a service that never rejects, or others that are always there, are so the next time, too.
  if (facts.stopped !== undefined || diagnosis.deviation || !rejects) return wanted;
  if (disturbances > tolerances.steadyOthers) return wanted;
  const outcomes = rows.map(([id, phase, judge]) => ({ phase, outcome: outcomeOf(id, judge, evidence) }));
  if (outcomes.some(({ outcome }) => outcome === 'failed')) return wanted;
  for (const { phase, outcome } of outcomes) if (outcome === 'open') wanted.add(phase);
  if (diagnosis.rival) wanted.add('sequence');
  return wanted;
}

function outcomeOf(
  id: RequirementId,
  judge: (judgement: Judgement, evidence: LimitEvidence) => void,
  evidence: LimitEvidence,
): 'failed' | 'open' | 'settled' {
  const judgement = new Judgement(id);
  try {
    judge(judgement, evidence);
  } catch (error) {
    if (judgement.findings.length === 0 && error instanceof Inconclusive) return 'open';
  }
  return judgement.findings.length > 0 ? 'failed' : 'settled';
}
