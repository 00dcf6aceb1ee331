import type { PlanMeasurement, RunRecord } from '../../lib/run/record.js';
import type { Paper } from './paper.js';

/** A limit run in a paragraph for each plan: what was admitted in each phase, and which algorithm fits. */
export function limitLines({ plans = [] }: RunRecord, paper: Paper): string[] {
  return plans.map((plan) =>
    paper.paragraph(
      'Limits       ',
      [quota(plan), ...plan.phases.map(phaseLine), ...algorithm(plan)].join('; '),
    ),
  );
}

function quota({ plan, perMinute, perDay }: PlanMeasurement): string {
  return `${plan} plan, ${perMinute} a minute and ${perDay} a day`;
}

function phaseLine({
  name,
  sent,
  admitted,
  failed,
  latency,
  exact,
}: PlanMeasurement['phases'][number]): string {
  return [
    `${name}: ${admitted} of ${sent} admitted`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(latency ? [`99 % within ${latency.p99} ms`] : []),
    ...(exact ? [] : ['not every request is accounted for']),
  ].join(', ');
}

function algorithm({ algorithm: found }: PlanMeasurement): string[] {
  return found ? [`algorithm: ${found.name} (${found.certainty})`] : [];
}
