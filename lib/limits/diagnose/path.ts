import type { Observation } from '../history/observation.js';
import type { Interval } from '../interval.js';
import type { Possibility } from '../limiter/limiter-model.js';
import { prices, tolerances } from '../tolerances.js';
import type { Finding, FindingKind, Traced } from './hypothesis.js';
import type { Load } from './load.js';

/** A list that ways with a common past share. */
interface Chain<Item> {
  readonly item: Item;
  readonly earlier: Chain<Item> | undefined;
}

/** One way in which the limiter may have come to where it is. */
export interface Path {
  readonly state: unknown;
  readonly behaviour: number;
  readonly times: number;
  readonly findings: Chain<Finding> | undefined;
  /** When a finding of each kind was last made: what follows within a stretch is the same event. */
  readonly foundAt: Partial<Record<FindingKind, number>>;
  /** What was left before the last burst. */
  readonly before: Interval;
  /** What remained of the day, if the headers describe it. */
  readonly dayRoom: number | undefined;
  /** When a Remaining last left nothing open: other clients may have sent since. */
  readonly knownAt: number | undefined;
  readonly trace: Chain<Traced> | undefined;
}

export function beginning({ state, cost }: Possibility<unknown>): Path {
  return {
    state,
    behaviour: cost,
    times: 0,
    findings: undefined,
    foundAt: {},
    before: [0, 0],
    dayRoom: undefined,
    knownAt: undefined,
    trace: undefined,
  };
}

export function listed<Item>(last: Chain<Item> | undefined): Item[] {
  const items: Item[] = [];
  for (let link = last; link; link = link.earlier) items.push(link.item);
  return items.reverse();
}

interface Found {
  readonly kind: FindingKind;
  readonly observations: readonly Observation[];
  readonly count: number;
  readonly room: Interval;
  /** What is added for a coincidence. */
  readonly extra?: number;
}

/** A path with one more finding, priced as part of the stretch that it belongs to. */
export function withFinding(path: Path, { burst }: Load, found: Found): Path {
  const { kind, observations, count, room, extra = 0 } = found;
  const [from, to] = burst.at;
  const last = path.foundAt[kind];
  const isFurther = last !== undefined && from - last <= tolerances.stretchMs;
  const { first, further } = prices[kind];
  const invented = kind === 'hidden requests' || kind === 'filled by others';
  const price = (isFurther ? further : first) + (invented ? Math.log2(Math.max(1, count)) / 2 : 0) + extra;
  const isTime = kind === 'other time';
  return {
    ...path,
    behaviour: path.behaviour + (isTime ? 0 : price),
    times: path.times + (isTime ? price : 0),
    findings: { item: { kind, burst, observations, count, room, price }, earlier: path.findings },
    foundAt: { ...path.foundAt, [kind]: to },
  };
}
