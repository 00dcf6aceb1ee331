import type { RunRecord } from '../evidence/record/record.js';
import type { Finding, RequirementResult } from '../evidence/record/requirement-result.js';
import { sendsValidKey } from '../evidence/curl.js';
import { type Aspects, aspectsOf, defectOf, explains, ifMany, matches } from './cause-rules.js';
import { causeMessage } from './cause-message.js';

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

type Draft = Omit<Cause, 'id'>;

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
  const found = groupsOf(
    nodes.filter(({ explainers }) => explainers.size === 0),
    nodes,
  ).map((group): Draft => {
    const explained = nodes.filter((node) => !group.includes(node) && reaches(node, group));
    const findings = tellingFirst(group, explained);
    return {
      message: causeMessage(findings[0]?.finding, group),
      findings,
      results: [...new Set(findings.map(({ result }) => result))],
      leftOpen: [],
    };
  });
  return withIds(sorted(withLeftOpen(found, results)));
}

function explain(nodes: readonly Node[]): void {
  for (const [cause, effect, ...same] of explains) {
    const causes = nodes.filter(({ aspects }) => matches(aspects, cause));
    for (const later of nodes.filter(({ aspects }) => matches(aspects, effect))) {
      // A finding without a fact has nothing to compare.
      if (later.aspects.kind === undefined) continue;
      const isEffectOf = (one: Node): boolean =>
        same.every((name) =>
          name === 'exchange' ? share(one, later) : one.aspects[name] === later.aspects[name],
        );
      // Of two that explain each other the earlier rule holds.
      for (const one of causes.filter(isEffectOf)) if (!reaches(one, [later])) later.explainers.add(one);
    }
  }
}

/** A value is compared between exchanges, so any of them counts. Others are shown by the first one. */
function share({ finding: cause }: Node, { finding: effect, aspects }: Node): boolean {
  const shown = aspects.kind === 'value' ? effect.exchanges : effect.exchanges.slice(0, 1);
  return shown.some((id) => cause.exchanges.includes(id));
}

/** Whether a finding is one of these, or one of them explains it, or what explains it. */
function reaches(node: Node, group: readonly Node[]): boolean {
  return group.includes(node) || [...node.explainers].some((next) => reaches(next, group));
}

/** Findings of one defect together, in the order of the findings. @param all those that are explained as well */
function groupsOf(nodes: readonly Node[], all: readonly Node[]): Node[][] {
  const seenAt = ({ aspects }: Node): string => `${aspects.operation ?? ''} ${aspects.status ?? ''}`;
  const ofHeaders = partition(all, ({ aspects: { id, header, problem } }) => [id, header, problem]);
  const places = new Map(
    ofHeaders.flatMap((some) => {
      const text = [...new Set(some.map(seenAt))].sort().join();
      return some.map((node) => [node, text] as const);
    }),
  );
  let groups = partition(nodes, (node) => defectOf(node.aspects, places.get(node) ?? ''));
  for (const [of, least] of ifMany) {
    const matching = nodes.filter(({ aspects }) => matches(aspects, of));
    for (const some of partition(matching, ({ aspects }) => [aspects.status])) {
      const isMany = Object.entries(least).every(
        ([name, count]) => new Set(some.map(({ aspects }) => aspects[name as keyof Aspects])).size >= count,
      );
      const joined = groups.filter((group) => isMany && group.some((node) => some.includes(node)));
      if (joined.length > 1) groups = [...groups.filter((group) => !joined.includes(group)), joined.flat()];
    }
  }
  const byPlace = (one: Node | undefined, other: Node | undefined): number =>
    one && other ? nodes.indexOf(one) - nodes.indexOf(other) : 0;
  return groups.map((group) => group.toSorted(byPlace)).toSorted(([one], [other]) => byPlace(one, other));
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
 * The most severe finding first: of a MUST, not an effect of another, 5xx, shown by most responses, with the valid key and the
 * shortest command.
 */
function tellingFirst(group: readonly Node[], explained: readonly Node[]): Node[] {
  const rank = (node: Node): number[] => [
    Number(node.result.verdict !== 'fail'),
    Number(!group.includes(node)),
    Number(node.aspects.statusClass !== '5xx'),
    -(node.finding.occurrences ?? 1),
    Number(!sendsValidKey(node.finding.reproduce)),
    node.finding.reproduce?.length ?? Infinity,
  ];
  const all = [...group, ...explained];
  const ranks = new Map(all.map((node) => [node, rank(node)]));
  const [first] = all.toSorted((one, other) => compare(ranks.get(one) ?? [], ranks.get(other) ?? []));
  return first ? [first, ...all.filter((node) => node !== first)] : [];
}

function compare(one: readonly number[], other: readonly number[]): number {
  const place = one.findIndex((value, index) => value !== other[index]);
  return place === -1 ? 0 : (one[place] ?? 0) - (other[place] ?? 0);
}

/** The causes with what could not be judged because of each; one that found nothing is a cause if others are left to it. */
function withLeftOpen(found: readonly Draft[], results: readonly RequirementResult[]): Draft[] {
  const open = results.filter(({ verdict }) => verdict === 'inconclusive');
  const leftTo = (some: readonly RequirementResult[]): RequirementResult[] => {
    const ids = new Set(some.map(({ id }) => id));
    const more = open.filter((one) => !some.includes(one) && one.leftTo?.some((id) => ids.has(id)) === true);
    return more.length === 0 ? [] : [...more, ...leftTo([...some, ...more])];
  };
  const causes = found.map((cause) => ({ ...cause, leftOpen: leftTo(cause.results) }));
  const named = new Set(causes.flatMap(({ leftOpen }) => leftOpen));
  const controls = open
    .filter((one) => !named.has(one) && !one.leftTo?.some((id) => open.some((other) => other.id === id)))
    .map((control) => [control, ...leftTo([control])])
    .filter((leftOpen) => leftOpen.length > 1)
    .map((leftOpen) => ({ message: leftOpen[0]?.reason ?? '', findings: [], results: [], leftOpen }));
  return [...causes, ...controls];
}

/** How much worse it is to have one: failures before warnings; then the more it explains, the more fundamental it is. */
function sorted(causes: readonly Draft[]): Draft[] {
  const rank = ({ results, leftOpen }: Draft): number[] => {
    const isUrgent = results.length === 0 || results.some(({ verdict }) => verdict === 'fail');
    return [isUrgent ? 0 : 1, -(results.length + leftOpen.length)];
  };
  return causes.toSorted((one, other) => compare(rank(one), rank(other)));
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

function withIds(causes: readonly Draft[]): Cause[] {
  const given = new Map<string, number>();
  return causes.map((cause) => {
    const name = [...cause.results, ...cause.leftOpen][0]?.id ?? '';
    const number = (given.get(name) ?? 0) + 1;
    given.set(name, number);
    return { id: number === 1 ? name : `${name}.${number}`, ...cause };
  });
}
