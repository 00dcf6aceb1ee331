import type { RunRecord, Finding, RequirementResult } from '../evidence/record/record.js';
import { effortOf } from '../evidence/curl.js';
import { type Aspects, aspectsOf, defectOf, explains, matches } from './cause-rules.js';
import { byRank } from './judgement.js';

/** One defect of the target, and all that it explains. */
export interface Cause {
  /** The id of the requirement that tells it, with a number if another cause has the same: `CREATE-05`, `CREATE-05.2`. */
  readonly id: string;
  readonly message: string;
  /** The findings that it explains, the one that tells it first; none if a control is missing, and nothing was found. */
  readonly findings: ReadonlyArray<{ readonly result: RequirementResult; readonly finding: Finding }>;
  /** The results of these findings, in their order. */
  readonly results: readonly RequirementResult[];
  /** What can't be judged because of it. */
  readonly leftOpen: readonly RequirementResult[];
}

/** A finding, and what explains it. */
interface Node {
  readonly result: RequirementResult;
  readonly finding: Finding;
  readonly aspects: Aspects;
  explainer?: Node;
}

/**
 * The causes of a run's findings: failures before warnings, and what explains most first. A finding joins the cause of the
 * one that explains it, by the rules of `cause-rules.ts`; the others are one cause if they show the same defect.
 */
export function causesOf(results: readonly RequirementResult[]): Cause[] {
  const open = results.filter(({ verdict }) => verdict === 'inconclusive');
  const nodes = explained(results);
  const all = nodes.map(({ aspects }) => aspects);
  const defects = nodes.map((node) => JSON.stringify(defectOf(rootOf(node).aspects, all)));
  const found = [...new Set(defects)].map((defect) => {
    const its = nodes.filter((_, index) => defects[index] === defect);
    const findings = [...new Set([...its.toSorted(byRank(rankToTell)).slice(0, 1), ...its])];
    const own = [...new Set(findings.map(({ result }) => result))];
    const { message = '', fact } = findings[0]?.finding ?? {};
    const ofLimiter = fact?.kind === 'limiter' && fact.says !== '' ? `the limiter ${fact.says}` : undefined;
    return { message: ofLimiter ?? message, findings, results: own, leftOpen: leftTo(own, open) };
  });
  const named = new Set(found.flatMap(({ leftOpen }) => leftOpen));
  // Without a control nothing was found, and others are left to it.
  const controls = open.flatMap((one) => {
    const others = leftTo([one], open);
    const isLeft = named.has(one) || one.leftTo?.some((id) => open.some((other) => other.id === id));
    if (isLeft || others.length === 0) return [];
    return { message: one.reason ?? '', findings: [], results: [], leftOpen: [one, ...others] };
  });
  const given = new Map<string, number>();
  return [...found, ...controls].toSorted(byRank(rankOfCause)).map((cause) => {
    const name = [...cause.results, ...cause.leftOpen][0]?.id ?? '';
    const number = (given.get(name) ?? 0) + 1;
    given.set(name, number);
    return { id: number === 1 ? name : `${name}.${number}`, ...cause };
  });
}

/** All findings, each with the first that explains it. Of two that explain each other the earlier rule holds. */
function explained(results: readonly RequirementResult[]): Node[] {
  const nodes = results.flatMap((result) =>
    result.findings.map((finding): Node => ({ result, finding, aspects: aspectsOf(result, finding) })),
  );
  for (const [cause, effect, ...same] of explains)
    for (const later of nodes)
      if (!later.explainer && later.aspects.kind && matches(later.aspects, effect)) {
        const explainer = nodes.find(
          (one) =>
            rootOf(one) !== later &&
            matches(one.aspects, cause) &&
            same.every((name) => isSame(one, later, name)),
        );
        if (explainer) later.explainer = explainer;
      }
  return nodes;
}

function rootOf(node: Node): Node {
  return node.explainer ? rootOf(node.explainer) : node;
}

/** Whether two findings have an aspect in common, or an exchange that shows both. */
function isSame(one: Node, other: Node, name: keyof Aspects | 'exchange'): boolean {
  return name === 'exchange'
    ? other.finding.exchanges.some((id) => one.finding.exchanges.includes(id))
    : one.aspects[name] === other.aspects[name];
}

/**
 * The most severe finding first: of a MUST, not an effect of another, 5xx, shown by most responses, with the command that is
 * easiest to send again.
 */
function rankToTell({ result, explainer, aspects, finding }: Node): number[] {
  return [
    Number(result.verdict !== 'fail'),
    Number(explainer !== undefined),
    Number(!matches(aspects, { status: '5xx' })),
    -(finding.occurrences ?? 1),
    ...effortOf(finding.reproduce),
  ];
}

/** What can't be judged because of these, also by way of another requirement. */
function leftTo(some: readonly RequirementResult[], open: readonly RequirementResult[]): RequirementResult[] {
  const ids = new Set(some.map(({ id }) => id));
  const more = open.filter((one) => !some.includes(one) && one.leftTo?.some((id) => ids.has(id)) === true);
  return more.length === 0 ? [] : [...more, ...leftTo([...some, ...more], open)];
}

/** How much worse it is to have one: failures before warnings; then the more it explains, the more fundamental it is. */
function rankOfCause({ results, leftOpen }: Omit<Cause, 'id'>): number[] {
  const isUrgent = results.length === 0 || results.some(({ verdict }) => verdict === 'fail');
  return [isUrgent ? 0 : 1, -(results.length + leftOpen.length)];
}

/** The causes as the record keeps them. */
export function recordedCauses(results: readonly RequirementResult[]): NonNullable<RunRecord['causes']> {
  return causesOf(results).map(({ id, message, findings: [shown], results: explained, leftOpen }) => ({
    id,
    message,
    requirements: explained.map((one) => one.id),
    ...(leftOpen.length > 0 && { leftOpen: leftOpen.map((one) => one.id) }),
    exchanges: shown?.finding.exchanges ?? [],
    ...(shown?.finding.reproduce !== undefined && { reproduce: shown.finding.reproduce }),
  }));
}
