import type { Observation } from '../history/observation.js';
import type { Hypothesis } from './hypothesis.js';

type NameOf = (one: Observation) => string;

export function vantagePointOf({ exchange }: Observation): string {
  return exchange.request.localAddress ?? '';
}

/** What may tell which of several counters takes a request: its source address, its connection, or nothing. */
export const counterNames = {
  'vantage point': vantagePointOf,
  connection: ({ exchange }) => exchange.connection ?? '',
  request: ({ id }) => id,
} as const satisfies Record<string, NameOf>;

/** The part of a history that each observation belongs to, if it is counted apart in this way. */
export function partOfEach(own: readonly Observation[], by: Hypothesis['partition']): NameOf {
  switch (by) {
    case 'operation':
      return ({ operation }) => String(operation);
    case 'method':
      return ({ operation }) => (operation === 'createPet' ? 'writes' : 'reads');
    case 'none':
    case 'shared':
      return () => '';
    case 'vantage point':
    case 'connection':
    case 'request': {
      const nameOf = counterNames[by];
      const counters = countersOf(own, nameOf);
      return (one) => String(counters.findIndex((names) => names.has(nameOf(one))));
    }
    default:
      return by satisfies never;
  }
}

/**
 * The counters of a window, each by the names whose requests it takes, as Remaining tells: a counter's Remaining falls with
 * each request, so that names have different counters if theirs, taken together, would not.
 */
export function countersOf(own: readonly Observation[], nameOf: NameOf): Array<ReadonlySet<string>> {
  const told = own.filter(
    ({ outcome, headers }) => outcome === 'admitted' && headers.remaining !== undefined,
  );
  const counters: Array<Set<string>> = [];
  for (const name of new Set(own.map(nameOf))) {
    const fitting = counters
      .map((names) => ({
        names,
        gaps: gapsIn(told.filter((one) => names.has(nameOf(one)) || nameOf(one) === name)),
      }))
      .filter(({ gaps }) => gaps !== undefined)
      .toSorted((a, b) => (a.gaps ?? 0) - (b.gaps ?? 0));
    if (fitting[0]) fitting[0].names.add(name);
    else counters.push(new Set([name]));
  }
  return counters;
}

/** How many numbers Remaining leaves out as it falls; undefined if it does not fall each time. */
function gapsIn(told: readonly Observation[]): number | undefined {
  const numbers = told.map(({ headers }) => headers.remaining ?? 0);
  const falls = numbers.slice(1).map((number, index) => (numbers[index] ?? 0) - number);
  return falls.every((fall) => fall > 0) ? falls.reduce((sum, fall) => sum + fall - 1, 0) : undefined;
}
