import type { Fault } from '../reference/faults/fault.js';
import type { Variant } from '../reference/variants/variant.js';
import type { RunRecord } from '../record/record.js';
import type { Profile } from '../requirement/requirement.js';
import { classOf, isRequirementId } from '../specification/catalogue.js';
import { oddities, proveAgainst, turnedIn } from './prove.js';

/** What the suite made of one faulty or conforming service, beside what it should have made of it. */
export interface Entry {
  readonly kind: 'fault' | 'variant';
  readonly name: string;
  readonly title: string;
  readonly profile: Profile;
  /** Ids that fail or warn, as they should and as they did. */
  readonly breaks: readonly string[];
  readonly turned: readonly string[];
  /** Functional ids that were not judged, as they should be and as they were. Of a fault only those that were. */
  readonly leavesOpen: readonly string[];
  readonly open: readonly string[];
  /** Rows in which the suite itself erred. */
  readonly oddities: readonly string[];
  readonly requests: number;
  readonly milliseconds: number;
}

/** Runs the suite against a service with this fault. */
export async function proveFault(fault: Fault, profile: Profile = 'standard'): Promise<Entry> {
  const { name, title, breaks } = fault;
  return {
    kind: 'fault',
    name,
    title,
    profile,
    breaks,
    leavesOpen: [],
    ...(await outcome(fault.options, profile)),
  };
}

/** Runs the suite against a conforming service with this habit. */
export async function proveVariant(variant: Variant, profile: Profile = 'standard'): Promise<Entry> {
  const { name, title, leavesOpen = [] } = variant;
  return {
    kind: 'variant',
    name,
    title,
    profile,
    breaks: [],
    leavesOpen,
    ...(await outcome(variant.options, profile)),
  };
}

async function outcome(
  options: Fault['options'],
  profile: Profile,
): Promise<Pick<Entry, 'turned' | 'open' | 'oddities' | 'requests' | 'milliseconds'>> {
  const began = performance.now();
  const record = await proveAgainst(options, { settings: { profile } });
  return {
    turned: turnedIn(record),
    open: openIn(record),
    oddities: oddities(record),
    requests: record.requests.sent,
    milliseconds: Math.round(performance.now() - began),
  };
}

/**
 * The functional ids that a run did not judge. GET-05 has its time from December 2030 on, and is passed over; so is what
 * the quick profile has no room for.
 */
export function openIn({ requirements, run }: RunRecord): string[] {
  return requirements
    .filter(({ id, verdict, selected }) => {
      if (!isRequirementId(id) || classOf(id) !== 'functional' || id === 'GET-05') return false;
      if (verdict === 'not-tested') return run.profile !== 'quick' || selected === true;
      return verdict === 'inconclusive' || verdict === 'not-applicable';
    })
    .map(({ id }) => id);
}

/**
 * What is not as it should be, a line each; empty where the suite found exactly what there is. A fault names what the
 * standard profile finds: quick may miss a part of it, and thorough find more of what it does.
 */
export function differences(entry: Entry): string[] {
  const { kind, profile, breaks, turned, leavesOpen, open } = entry;
  const missed = profile === 'quick' ? [] : without(breaks, turned);
  const more = profile === 'thorough' && kind === 'fault' ? [] : without(turned, breaks);
  const unjudged = kind === 'variant' ? without(open, leavesOpen) : [];
  const judged = kind === 'variant' && profile !== 'quick' ? without(leavesOpen, open) : [];
  return [
    ...told('did not turn', missed),
    ...told('turned, and should not', more),
    ...told('was not judged', unjudged),
    ...told('was judged, and should not', judged),
    ...entry.oddities,
  ];
}

function without(ids: readonly string[], others: readonly string[]): string[] {
  return ids.filter((id) => !others.includes(id));
}

function told(what: string, ids: readonly string[]): string[] {
  return ids.length === 0 ? [] : [`${what}: ${ids.join(' ')}`];
}
