import type { PlanMeasurement, RunRecord } from '../../lib/record/record.js';
import { behaviourOf, phaseText } from '../summary/limit-summary.js';
import { countsOfPlan, countsSentence } from '../summary/two-counts.js';
import { count, integer } from '../text/quantity.js';
import type { Layout } from './layout.js';

/** Phases in a line each; a day that was resumed many times has more. */
const phasesShown = 8;

/** The limiter of each plan: what it behaves like, what no conforming limiter explains, and what each phase admitted. */
export function limitLines(record: RunRecord, layout: Layout): string[] {
  return (record.plans ?? []).flatMap((plan) => planLines(plan, record, layout));
}

function planLines(plan: PlanMeasurement, { requirements }: RunRecord, layout: Layout): string[] {
  const phases = plan.phases.filter(({ sent }) => sent > 1);
  const rest = phases.length - phasesShown;
  const afterFirst429 = plan.phases.reduce((sum, phase) => sum + phase.sentAfterFirst429, 0);
  // A finding that is its certificate's sentence has been shown.
  const findings = [...requirements, ...plan.requirements].flatMap((result) => result.findings);
  const certificates = (plan.explanation?.certificates ?? []).filter(
    ({ sentence }) => !findings.some(({ message }) => message.includes(sentence)),
  );
  const counts = countsOfPlan(plan);
  const like = behaviourOf(plan);
  const behaviour = like === undefined ? '' : `: behaves like ${like}`;
  return [
    layout.paragraph('Limits       ', `${plan.plan}, ${integer(plan.perMinute)} a minute${behaviour}`),
    ...certificates.map(({ requirement, sentence }) =>
      layout.paragraph(`  ${requirement.padEnd(17)}`, sentence),
    ),
    ...phases
      .slice(0, phasesShown)
      .map((phase) => layout.paragraph(`  ${phase.name.padEnd(17)}`, phaseText(phase, plan.perMinute))),
    ...(rest > 0 ? [`  and ${rest} more, in the report`] : []),
    ...(counts ? [layout.paragraph('  counted           ', countsSentence(counts))] : []),
    `  ${count(afterFirst429, 'request')} sent after a first 429`,
  ];
}
