import { effortOf } from '../evidence/curl.js';
import type { Finding, Observation, RequirementResult } from '../evidence/record/record.js';
import { isOwnRequirement, requirementRow, type RequirementId } from '../specification/catalogue.js';
import type { Checks } from './check.js';
import { outcomeOf, type Ended } from './outcome.js';

/** Findings that a result lists, and exchanges that a finding lists; more are counted. */
const mostFindings = 12;
const mostExchanges = 20;
const whenFailed = { MUST: 'fail', SHOULD: 'warn', OBSERVE: 'observed' } as const;
const whenHeld = { MUST: 'pass', SHOULD: 'pass', OBSERVE: 'observed' } as const;

/**
 * The result of a requirement by the checks of its rule. Never throws: a rule ends with an outcome if the run as a whole
 * gives it nothing to judge.
 * @param ended what ended its probe early, if anything did; the result keeps it
 */
export function judgeRule(id: RequirementId, rule: () => Checks, ended?: unknown): RequirementResult {
  const findings: Finding[] = [];
  const observations: Observation[] = [];
  const open: Pick<Ended, 'reason' | 'see'>[] = [];
  const notes = new Set<string>();
  let compared = 0;
  let thrown = ended;
  try {
    for (const check of rule()) {
      const { held = 0, finding, observation, note } = check;
      compared += held + (finding ? (finding.occurrences ?? 1) : 0) + (observation ? 1 : 0);
      if (finding) findings.push(finding);
      if (observation) observations.push(observation);
      if (check.open) open.push(check.open);
      if (note !== undefined) notes.add(note);
    }
  } catch (error) {
    if (ended === undefined || outcomeOf(error).verdict !== 'inconclusive') thrown = error;
  }
  if (compared === 0 && open.length === 0) open.push({ reason: 'nothing in this run triggered it' });
  const { level } = requirementRow(id);
  // What was found stays found, whatever kept the rest from being tried.
  const stopped = thrown === undefined || findings.length > 0 ? undefined : outcomeOf(thrown);
  const others = ({ see = id }: Pick<Ended, 'see'>): string[] => (see === id ? [] : [see]);
  const leftTo = new Set([...open, ...(stopped ? [stopped] : [])].flatMap(others));
  const reasons = (stopped ? [stopped] : open).map((one) =>
    [one.reason, ...others(one).map((see) => `(see ${see})`)].join(' '),
  );
  const whenOpen = open.length > 0 ? 'inconclusive' : whenHeld[level];
  return {
    ...catalogueFields(id),
    verdict: findings.length > 0 ? whenFailed[level] : (stopped?.verdict ?? whenOpen),
    ...(findings.length === 0 && reasons.length > 0 && { reason: [...new Set(reasons)].join('; ') }),
    selected: stopped?.selected ?? true,
    ...(leftTo.size > 0 && { leftTo: [...leftTo] }),
    checks: compared,
    findings: grouped(findings),
    ...(observations.length > 0 && { observations }),
    ...(notes.size > 0 && { notes: [...notes] }),
    ...(ended !== undefined && { ended: { ...outcomeOf(ended) } }),
  };
}

/** The result of a requirement that this run did not try. */
export function notTestedResult(id: RequirementId, reason: string): RequirementResult {
  return { ...catalogueFields(id), verdict: 'not-tested', reason, checks: 0, findings: [], selected: false };
}

function catalogueFields(id: RequirementId) {
  const { level, section, title } = requirementRow(id);
  return { id, level, section, title, ...(isOwnRequirement(id) && { own: true as const }) };
}

/** Findings of the same message become one that lists their exchanges and counts them. */
function grouped(findings: readonly Finding[]): Finding[] {
  const messages = [...new Set(findings.map(({ message }) => message))].slice(0, mostFindings);
  return messages.flatMap((message) => {
    const alike = findings.filter((one) => one.message === message);
    // The one that is easiest to see again. Of equals the rule has put the best first: their length is nothing to choose by.
    const [first] = alike.toSorted(byRank(({ reproduce }) => effortOf(reproduce).slice(0, -1)));
    if (!first) return [];
    const occurrences = alike.reduce((sum, one) => sum + (one.occurrences ?? 1), 0);
    const all = [first, ...alike].flatMap((finding) => finding.exchanges);
    const exchanges = [...new Set(all)].slice(0, mostExchanges);
    return { ...first, exchanges, ...(occurrences > 1 && { occurrences }) };
  });
}

/** Compares by the first number that differs, the smaller first. */
export function byRank<One>(rankOf: (one: One) => readonly number[]): (one: One, other: One) => number {
  return (one, other) => {
    const [left, right] = [rankOf(one), rankOf(other)];
    const place = left.findIndex((value, index) => value !== right[index]);
    return place === -1 ? 0 : (left[place] ?? 0) - (right[place] ?? 0);
  };
}
