import type { Finding, RequirementResult, RunRecord } from '../record/record.js';
import { sendsValidKey } from '../http/exchange/curl.js';
import {
  alike,
  type Aspect,
  type Aspects,
  aspectsOf,
  explains,
  type Explains,
  matches,
} from './cause-rules.js';
import { causeMessage } from './cause-message.js';

/** A finding with the result that it belongs to. */
interface ResultFinding {
  readonly result: RequirementResult;
  readonly finding: Finding;
}

/** One defect of the target, and all that it explains. */
export interface Cause {
  /** The id of its first requirement, with a number if another cause has the same: `CREATE-05`, `CREATE-05.2`. */
  readonly id: string;
  /** One sentence: what is wrong. */
  readonly message: string;
  /** The findings that it explains, the most fundamental first; none if a control is missing, and nothing was found. */
  readonly findings: readonly ResultFinding[];
  /** How many of them, from the first, are told: the others are their effects. */
  readonly told: number;
  /** The results that it explains, in the order of the findings; each once. */
  readonly results: readonly RequirementResult[];
  /** What can't be judged because of it. */
  readonly leftOpen: readonly RequirementResult[];
}

/** A finding while the rules are applied. */
interface Node extends ResultFinding {
  readonly aspects: Aspects;
}

/** The findings that explain each finding. */
type Explainers = ReadonlyMap<Node, ReadonlySet<Node>>;

/**
 * The causes of a run's findings by the rules of `cause-rules.ts`, the most fundamental first. A finding that no rule
 * explains is its own cause. What a record of an older version found has a cause for each requirement.
 */
export function causesOf(results: readonly RequirementResult[]): Cause[] {
  const nodes = nodesOf(results);
  const explainers = explainersOf(nodes);
  const roots = nodes.filter((node) => explainers.get(node)?.size === 0);
  const found = groupsOf(roots).map((group): Draft => {
    const explained = nodes.filter((node) => !roots.includes(node) && reaches(node, group, explainers));
    const first = easiestFirst(group);
    const requirements = new Set(group.map(({ result }) => result)).size;
    const message = causeMessage(
      first.map(({ finding }) => finding),
      requirements,
    );
    return draftOf(first, explained, message);
  });
  return withIds(sorted(withLeftOpen(found, results)));
}

type Draft = Omit<Cause, 'id'>;

function draftOf(
  first: readonly ResultFinding[],
  explained: readonly ResultFinding[],
  message: string,
): Draft {
  const findings = [...first, ...explained];
  const results = [...new Set(findings.map(({ result }) => result))];
  return { message, findings, told: first.length, results, leftOpen: [] };
}

function nodesOf(results: readonly RequirementResult[]): Node[] {
  const nodes = results.flatMap((result) =>
    result.findings.map((finding): Node => ({ result, finding, aspects: aspectsOf(result, finding) })),
  );
  return nodes.map((node) => ({ ...node, aspects: { ...node.aspects, places: placesOf(node, nodes) } }));
}

function placesOf({ aspects }: Node, nodes: readonly Node[]): string | undefined {
  if (aspects.header === undefined) return undefined;
  const same = nodes.filter((other) => agree(aspects, other.aspects, ['id', 'header', 'problem']));
  const places = same.map(({ aspects: { operation = '', status = '' } }) => `${operation} ${status}`);
  return [...new Set(places)].sort().join();
}

function agree(one: Aspects, other: Aspects, same: readonly Aspect[]): boolean {
  return same.every((name) => one[name] === other[name]);
}

function explainersOf(nodes: readonly Node[]): Explainers {
  const explainers = new Map(nodes.map((node) => [node, new Set<Node>()]));
  // A rule has nothing to compare in a finding without facts.
  const known = nodes.filter(({ aspects }) => aspects.kind !== undefined);
  for (const rule of explains) {
    const effects = known.filter(({ aspects }) => matches(aspects, rule.effect));
    if (effects.length === 0) continue;
    for (const cause of known.filter(({ aspects }) => matches(aspects, rule.cause))) {
      for (const effect of effects) {
        // Of two that explain each other the earlier rule holds.
        const isNew = cause !== effect && !reaches(cause, [effect], explainers);
        if (isNew && agree(cause.aspects, effect.aspects, rule.same ?? []) && share(rule, cause, effect))
          explainers.get(effect)?.add(cause);
      }
    }
  }
  return explainers;
}

function share({ shared }: Explains, { finding: cause }: Node, { finding: effect }: Node): boolean {
  if (shared === undefined) return true;
  const [first = '', ...others] = effect.exchanges;
  return [first, ...(shared === 'any exchange' ? others : [])].some((id) => cause.exchanges.includes(id));
}

/** Whether one of these explains a finding, or explains what explains it. */
function reaches(node: Node, group: readonly Node[], explainers: Explainers): boolean {
  if (group.includes(node)) return true;
  return [...(explainers.get(node) ?? [])].some((next) => reaches(next, group, explainers));
}

/** Findings of one defect together, in the order of the findings. */
function groupsOf(nodes: readonly Node[]): Node[][] {
  const groupOf = new Map(nodes.map((node) => [node, [node]]));
  const join = (some: readonly Node[]): void => {
    const [first, ...others] = some.map((node) => groupOf.get(node) ?? []);
    for (const other of others) {
      if (!first || other === first) continue;
      for (const node of other) groupOf.set(node, first);
      first.push(...other);
    }
  };
  for (const { of, except, same, least = {} } of alike) {
    const matching = nodes.filter(
      ({ aspects }) => matches(aspects, of) && !(except && matches(aspects, except)),
    );
    for (const some of partition(matching, same)) {
      const many = Object.entries(least).every(
        ([name, count]) => new Set(some.map(({ aspects }) => aspects[name as Aspect])).size >= count,
      );
      if (many) join(some);
    }
  }
  return [...new Set(groupOf.values())].map((group) => nodes.filter((node) => group.includes(node)));
}

function partition(nodes: readonly Node[], same: readonly Aspect[]): Node[][] {
  const parts = new Map<string, Node[]>();
  for (const node of nodes) {
    const key = JSON.stringify(same.map((name) => node.aspects[name] ?? ''));
    parts.set(key, [...(parts.get(key) ?? []), node]);
  }
  return [...parts.values()];
}

/** Of the first requirement, a finding with the valid key comes first, and the shortest command: it is the one that is shown. */
function easiestFirst(group: readonly Node[]): Node[] {
  const own = group.filter(({ result }) => result === group[0]?.result);
  const length = ({ finding }: Node): number => finding.reproduce?.length ?? Infinity;
  const isRefused = ({ finding }: Node): number => Number(!sendsValidKey(finding.reproduce));
  const [first] = own.toSorted(
    (one, other) => isRefused(one) - isRefused(other) || length(one) - length(other) || 0,
  );
  return first ? [first, ...group.filter((node) => node !== first)] : [];
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
    .filter((leftOpen) => leftOpen.length > 1);
  return [
    ...causes,
    ...controls.map((leftOpen) => ({
      message: leftOpen[0]?.reason ?? '',
      findings: [],
      told: 0,
      results: [],
      leftOpen,
    })),
  ];
}

/** How much worse it is to have one: failures before warnings; then the more it explains, the more fundamental it is. */
function sorted(causes: readonly Draft[]): Draft[] {
  const gravity = ({ results, leftOpen }: Draft): number =>
    results.some(({ verdict }) => verdict === 'fail') || (results.length === 0 && leftOpen.length > 0)
      ? 1
      : 0;
  const size = ({ results, leftOpen }: Draft): number => results.length + leftOpen.length;
  return causes.toSorted((one, other) => gravity(other) - gravity(one) || size(other) - size(one));
}

/** The causes as the record keeps them. */
export function recordedCauses(results: readonly RequirementResult[]): NonNullable<RunRecord['causes']> {
  return causesOf(results).map(({ id, message, findings, results: explained, leftOpen }) => {
    const [shown] = findings;
    return {
      id,
      message,
      requirements: explained.map((one) => one.id),
      ...(leftOpen.length > 0 && { leftOpen: leftOpen.map((one) => one.id) }),
      exchanges: shown?.finding.exchanges ?? [],
      ...(shown?.finding.reproduce !== undefined && { reproduce: shown.finding.reproduce }),
    };
  });
}

function withIds(causes: readonly Draft[]): Cause[] {
  const given = new Map<string, number>();
  return causes.map((cause) => {
    const [first] = [...cause.results, ...cause.leftOpen];
    const name = first?.id ?? '';
    const number = (given.get(name) ?? 0) + 1;
    given.set(name, number);
    return { id: number === 1 ? name : `${name}.${number}`, ...cause };
  });
}
