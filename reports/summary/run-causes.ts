import { invocationOf } from '../../lib/options/command-line.js';
import type { RunRecord, RequirementResult } from '../../lib/evidence/record/record.js';
import { causesOf, type Cause } from '../../lib/verdict/causes.js';
import { fixOf } from '../../lib/verdict/fix.js';
import { capitalized, requirementRanges, waiverText } from '../text.js';
import { type Outcome, outcomeOf, outcomes } from './outcomes.js';

export type RunCause = ReturnType<typeof runCause>;
export type NamedRequirement = RunCause['named'][number];

/** Whether a cause fails the run, or leaves it without a verdict. */
export function isUrgent({ outcome }: { readonly outcome: Outcome }): boolean {
  return outcome === 'fail' || outcome === 'inconclusive';
}

/** The causes of a run's findings: failures first, then warnings, then what is waived. */
export function runCauses(record: RunRecord): RunCause[] {
  const rank = (cause: RunCause): number => (isUrgent(cause) ? 0 : outcomes.indexOf(cause.outcome));
  return causesOf(record.requirements)
    .map((cause) => runCause(cause, record))
    .toSorted((one, other) => rank(one) - rank(other));
}

function runCause(cause: Cause, record: RunRecord) {
  const { findings, results, leftOpen, message } = cause;
  const own = results.length > 0 ? results : leftOpen;
  const named = own
    .map((result) => ({
      ...result,
      outcome: outcomeOf(result, record),
      /** Its findings beside the one that shows the cause. */
      others: findings.slice(1).flatMap((one) => (one.result === result ? one.finding : [])),
    }))
    .toSorted((one, other) => outcomes.indexOf(one.outcome) - outcomes.indexOf(other.outcome));
  const root = named.find(({ id }) => id === own[0]?.id);
  const finding = findings[0]?.finding;
  // How often the finding was seen says nothing of what it has in common with others.
  const { occurrences = 1 } = finding?.message === message ? finding : {};
  return {
    ...cause,
    outcome: named[0]?.outcome ?? 'fail',
    /** The finding that shows it. None if nothing was found because a control is missing. */
    shown: finding && { ...finding, message, occurrences },
    root,
    named,
    ids: idsOf(named),
    remarks: remarksOn(cause),
    /** How the finding is usually fixed, with marks of code: the first sentence is the first choice. */
    fix: finding && root && fixOf(root, finding),
    explain:
      root?.own === true ? undefined : `${invocationOf('explain', record.run.command)} ${root?.id ?? ''}`,
  };
}

function idsOf(results: readonly RequirementResult[]): string {
  return requirementRanges(results.map(({ id }) => id));
}

/** What proves it of a limiter, who tolerates it, and what can't be judged because of it: a sentence each. */
function remarksOn({ findings, message, results, leftOpen }: Cause): string[] {
  const [shown, ...others] = findings.map(({ finding }) => finding);
  if (!shown) return [];
  const isSaid = [message, ...others.map((one) => one.message)].includes(shown.message);
  const unwaived = leftOpen.filter(({ waived }) => !waived);
  const isTolerated = results.every(({ waived }) => waived) && unwaived.length > 0;
  return [
    // What shows that no conforming limiter gives these responses.
    shown.fact?.kind === 'limiter' && !isSaid
      ? `${capitalized(shown.message.replace(`: ${message}`, ''))}.`
      : '',
    ...results.map(({ id, waived }) =>
      waived ? `${results.length > 1 ? `${id}: ` : ''}${waiverText(waived)}` : '',
    ),
    leftOpen.length > 0 ? `Not judged because of it: ${idsOf(leftOpen)}.` : '',
    isTolerated
      ? `The run stays incomplete until this is fixed, or waivers cover ${idsOf(unwaived)}, too.`
      : '',
  ].filter(Boolean);
}
