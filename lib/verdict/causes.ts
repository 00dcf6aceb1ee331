import type { RunRecord } from '../evidence/record/record.js';
import type { Finding, RequirementResult } from '../evidence/record/requirement-result.js';
import { effortOf } from '../evidence/curl.js';
import { type Aspects, aspectsOf, defectOf, explains, matches } from './cause-rules.js';
import { byRank } from './by-rank.js';
import { mostExchanges } from './judgement.js';

/** A finding with the result that it belongs to. */
interface ResultFinding {
  readonly result: RequirementResult;
  readonly finding: Finding;
}

/** One defect of the target, and all that it explains. */
export interface Cause {
  /** The id of the requirement that tells it, with a number if another cause has the same: `CREATE-05`, `CREATE-05.2`. */
  readonly id: string;
  /** One sentence: what is wrong. */
  readonly message: string;
  /** The findings that it explains, the one that tells it first; none if a control is missing, and nothing was found. */
  readonly findings: readonly ResultFinding[];
  /** The results that it explains, in the order of the findings; each once. */
  readonly results: readonly RequirementResult[];
  /** What can't be judged because of it. */
  readonly leftOpen: readonly RequirementResult[];
}

/** A finding while the rules are applied. */
interface Node extends ResultFinding {
  readonly aspects: Aspects;
  /** The findings that explain it. */
  readonly explainers: Set<Node>;
}

/**
 * The causes of a run's findings by the rules of `cause-rules.ts`: failures before warnings, and what explains most first.
 * A finding that no rule explains is its own cause. What a record of an older version found has a cause for each requirement.
 */
export function causesOf(results: readonly RequirementResult[]): Cause[] {
  const nodes = results.flatMap((result) =>
    result.findings.map((finding): Node => ({
      result,
      finding,
      aspects: aspectsOf(result, finding),
      explainers: new Set(),
    })),
  );
  explain(nodes);
  const open = results.filter(({ verdict }) => verdict === 'inconclusive');
  const found = defectsIn(nodes).map((group) => {
    const explained = nodes.filter((node) => !group.includes(node) && reaches(node, group));
    const findings = tellingFirst(group, explained);
    const own = [...new Set(findings.map(({ result }) => result))];
    const { message = '', fact } = findings[0]?.finding ?? {};
    const ofLimiter = fact?.kind === 'limiter' && fact.says !== '' ? `the limiter ${fact.says}` : undefined;
    return { message: ofLimiter ?? message, findings, results: own, leftOpen: leftTo(own, open) };
  });
  const named = new Set(found.flatMap(({ leftOpen }) => leftOpen));
  // Without a control nothing was found, and others are left to it.
  const controls = open
    .filter((one) => !named.has(one) && !one.leftTo?.some((id) => open.some((other) => other.id === id)))
    .map((one) => ({
      message: one.reason ?? '',
      findings: [],
      results: [],
      leftOpen: leftTo([one], open, [one]),
    }))
    .filter(({ leftOpen }) => leftOpen.length > 1);
  const given = new Map<string, number>();
  return [...found, ...controls].toSorted(byRank(rankOfCause)).map((cause) => {
    const name = [...cause.results, ...cause.leftOpen][0]?.id ?? '';
    const number = (given.get(name) ?? 0) + 1;
    given.set(name, number);
    return { id: number === 1 ? name : `${name}.${number}`, ...cause };
  });
}

function explain(nodes: readonly Node[]): void {
  for (const [cause, effect, ...same] of explains) {
    const causes = nodes.filter(({ aspects }) => matches(aspects, cause));
    // A finding without a fact has nothing to compare.
    for (const later of nodes.filter(({ aspects }) => aspects.kind && matches(aspects, effect)))
      for (const one of causes)
        // Of two that explain each other the earlier rule holds.
        if (same.every((name) => isSame(one, later, name)) && !reaches(one, [later]))
          later.explainers.add(one);
  }
}

/** Whether two findings have an aspect in common, or an exchange that shows both. */
function isSame(cause: Node, effect: Node, name: keyof Aspects | 'exchange'): boolean {
  if (name !== 'exchange') return cause.aspects[name] === effect.aspects[name];
  // Of animals in many responses the first ones are listed: that of the value may be among the others.
  const isCut = cause.aspects.kind === 'body' && cause.finding.exchanges.length >= mostExchanges;
  if (isCut && effect.aspects.kind === 'value') return true;
  const { exchanges } = effect.finding;
  // A value is compared between exchanges, so any of them counts. Others are shown by the first one.
  const shown = effect.aspects.kind === 'value' ? exchanges : exchanges.slice(0, 1);
  return shown.some((id) => cause.finding.exchanges.includes(id));
}

/** Whether a finding is one of these, or one of them explains it, or what explains it. */
function reaches(node: Node, group: readonly Node[]): boolean {
  return group.includes(node) || [...node.explainers].some((next) => reaches(next, group));
}

/** The findings that nothing explains, those of one defect together, in their order. */
function defectsIn(all: readonly Node[]): Node[][] {
  const places = new Map<Node, string>();
  for (const some of partition(all, ({ aspects: { id, header, problem, field } }) => [
    id,
    header,
    problem,
    field,
  ])) {
    const seenAt = some.map(({ aspects: { operation = '', status = '' } }) => `${operation} ${status}`);
    for (const node of some) places.set(node, [...new Set(seenAt)].sort().join());
  }
  const nodes = all.filter(({ explainers }) => explainers.size === 0);
  const alike = statusesOfAll(nodes);
  return partition(nodes, (node) =>
    node.aspects.kind === 'status' && alike.has(node.aspects.status)
      ? [node.aspects.status]
      : defectOf(node.aspects, places.get(node) ?? ''),
  );
}

/** Statuses that each operation responds with in the place of several others: the service responds alike to everything. */
function statusesOfAll(nodes: readonly Node[]): Set<string | undefined> {
  const ofStatus = nodes.filter(({ aspects }) => aspects.kind === 'status');
  const alike = partition(ofStatus, ({ aspects }) => [aspects.status]).filter((some) =>
    (['operation', 'expected'] as const).every(
      (name) => new Set(some.map(({ aspects }) => aspects[name])).size >= 3,
    ),
  );
  return new Set(alike.map(([first]) => first?.aspects.status));
}

function partition(nodes: readonly Node[], by: (node: Node) => ReadonlyArray<string | undefined>): Node[][] {
  const parts = new Map<string, Node[]>();
  for (const node of nodes) {
    const key = JSON.stringify(by(node));
    parts.set(key, [...(parts.get(key) ?? []), node]);
  }
  return [...parts.values()];
}

/**
 * The most severe finding first: of a MUST, not an effect of another, 5xx, shown by most responses, with the command that is
 * easiest to send again.
 */
function tellingFirst(group: readonly Node[], explained: readonly Node[]): Node[] {
  const all = [...group, ...explained];
  const rank = byRank((node: Node) => [
    Number(node.result.verdict !== 'fail'),
    Number(!group.includes(node)),
    Number(node.aspects.statusClass !== '5xx'),
    -(node.finding.occurrences ?? 1),
    ...effortOf(node.finding.reproduce),
  ]);
  const [first] = all.toSorted(rank);
  return first ? [first, ...all.filter((node) => node !== first)] : [];
}

/** What can't be judged because of these, also by way of another requirement. */
function leftTo(
  some: readonly RequirementResult[],
  open: readonly RequirementResult[],
  known: readonly RequirementResult[] = [],
): RequirementResult[] {
  const ids = new Set(some.map(({ id }) => id));
  const more = open.filter((one) => !some.includes(one) && one.leftTo?.some((id) => ids.has(id)) === true);
  return [...known, ...more, ...(more.length === 0 ? [] : leftTo([...some, ...more], open))];
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
