import type { Finding, RequirementResult, RunRecord } from '../../lib/record/record.js';
import { causesOf, type Cause } from '../../lib/verdict/causes.js';
import { levelText } from '../text/finding-text.js';
import { count } from '../text/quantity.js';
import { requirementRanges } from '../text/requirement-id.js';
import { outcomeOf, outcomes, type Outcome } from './requirement-outcome.js';

/** A cause as reports tell it. */
export interface RunCause extends Cause {
  /** The most urgent outcome of its requirements. */
  readonly outcome: Outcome;
  /** The finding that shows it, with the cause's message. None if nothing was found because a control is missing. */
  readonly shown: Finding | undefined;
  /** The other findings of its requirement; of several requirements none is told. */
  readonly others: readonly Finding[];
  /** Its requirement, if it has only one. */
  readonly only: RequirementResult | undefined;
  /** The ids of its requirements in ranges. */
  readonly ids: string;
  /** The level of its requirement, or how many requirements have this one cause. */
  readonly extent: string;
}

/** The causes of a run's findings, the most fundamental first; by its outcome, those of one. */
export function runCauses(record: RunRecord, outcome?: Outcome): RunCause[] {
  const causes = causesOf(record.requirements).map((cause) => runCause(cause, record));
  return outcome === undefined ? causes : causes.filter((cause) => cause.outcome === outcome);
}

function runCause(cause: Cause, record: RunRecord): RunCause {
  const { findings, leftOpen, message } = cause;
  const results = cause.results.length > 0 ? cause.results : leftOpen;
  const [first] = results;
  const only = results.length === 1 ? first : undefined;
  const [shown, ...others] = findings.map(({ finding }) => finding);
  const ranks = results.map((result) => outcomes.indexOf(outcomeOf(result, record)));
  return {
    ...cause,
    outcome: outcomes[Math.min(...ranks)] ?? 'inconclusive',
    shown: shown && { ...shown, message },
    others: only ? others : [],
    only,
    ids: requirementRanges(results.map(({ id }) => id)),
    extent: only
      ? levelText(only)
      : `${count(results.length, 'requirement')}${shown ? ', one cause' : ' not judged'}`,
  };
}

/** What else can't be judged because of a cause, in a sentence; empty if there is nothing. */
export function leftOpenText({ leftOpen, results }: Cause): string {
  if (leftOpen.length === 0 || results.length === 0) return '';
  return `Not judged because of it: ${requirementRanges(leftOpen.map(({ id }) => id))}.`;
}
