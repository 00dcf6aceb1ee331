import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Exchange } from '../evidence/exchange.js';
import { UsageProblem } from '../explain/usage-problem.js';
import type { RunRecord } from '../evidence/record/record.js';
import { madeOn } from './run-facts.js';
import { sumOfCounts } from '../evidence/record/request-counts.js';
import type { LedgerLine } from '../load/ledger-file.js';
import { LoadCounter } from '../load/load-counter.js';
import { thresholdsOf } from '../load/thresholds.js';

/** A load, or one share of it: its record, and what was written while it ran. */
interface MergedLoad {
  readonly record: RunRecord;
  readonly lines: readonly LedgerLine[];
  readonly exchanges: readonly Exchange[];
}

/** One share of a load, as its folder holds it. */
export interface ShareRun extends MergedLoad {
  readonly directory: string;
}

/** A share, its number, and what it has in common with all shares of its load. */
function partOf({ directory, record, ...evidence }: ShareRun) {
  const { load, run, suite, target } = record;
  if (!load?.share)
    throw new UsageProblem(
      `${directory} is not a share of a load: ${run.stopped ?? 'it was made without --share'}`,
    );
  const { baseUrl, plan, perMinute, perDay, planGiven } = target;
  const { number, ...share } = load.share;
  const limits = { plan, perMinute, perDay, planGiven };
  const whole = { ...share, mix: load.mix, version: suite.version, target: baseUrl, plan: limits };
  return { directory, record, ...evidence, load, number, whole };
}
type Part = ReturnType<typeof partOf>;

/** The shares in their order. @throws UsageProblem if they are not those of one load, each once */
function partsOf(runs: readonly ShareRun[]): [Part, ...Part[]] {
  const [first, ...others] = runs.map(partOf).sort((one, other) => one.number - other.number);
  if (!first) throw new UsageProblem('no share was given');
  for (const { directory, whole } of others) {
    const ofFirst: Readonly<Record<string, unknown>> = first.whole;
    const names = Object.entries(whole).flatMap(([name, own]) =>
      isDeepStrictEqual(own, ofFirst[name]) ? [] : name,
    );
    if (names.length > 0)
      throw new UsageProblem(
        `${directory} is of another load than ${first.directory}: they differ in ${names.join(', ')}`,
      );
  }
  const given = [first, ...others].map(({ number }) => number);
  if (given.length !== first.whole.of || given.some((number, index) => number !== index + 1))
    throw new UsageProblem(
      `the shares ${given.join(', ')} of ${first.whole.of} were given: give the folder of each share once`,
    );
  return [first, ...others];
}

/**
 * The whole load of its shares, by the planned moment, which is the order of sending; exchanges have new ids.
 * @throws UsageProblem if the runs are not the shares of one load
 */
export function mergeShares(runs: readonly ShareRun[], command: string): MergedLoad {
  const parts = partsOf(runs);
  const [{ record: first, whole }] = parts;
  const lines = parts
    .flatMap((part) => part.lines)
    .toSorted((one, other) => (one.planned ?? 0) - (other.planned ?? 0));
  const exchanges = parts
    .flatMap((part) => part.exchanges.filter(({ purpose }) => purpose === 'load'))
    .toSorted((one, other) => one.sentAt - other.sentAt)
    .map(({ line }, index) => new Exchange({ ...line, id: `e${index + 1}` }));
  const counter = new LoadCounter();
  for (const line of lines) counter.add(line);
  counter.withheld = parts.reduce((sum, part) => sum + part.load.withheld, 0);
  const load = counter.result({
    ratePerSecond: whole.ratePerSecond,
    mix: whole.mix,
    planned: whole.requests,
    thresholds: thresholdsOf(whole.bounds),
    durationMs: Math.max(...parts.map((part) => part.load.durationMs)),
  });
  const shares = parts.map(({ record: { run, target }, number, load: own }) => {
    const { sent, good, refused, errors, withheld, latency } = own;
    const figures = { sent, good, refused, errors, withheld, latency };
    return { number, run: run.id, ...figures, clockDifferenceMs: target.clockDifferenceMs };
  });
  const counted = parts.flatMap((part) => part.load.counts ?? []);
  const counts = {
    ledger: sumOfCounts(counted.map(({ ledger }) => ledger)),
    autocannon: sumOfCounts(counted.map(({ autocannon }) => autocannon)),
  };
  const unfinished = parts.flatMap(({ record: { run }, number }) =>
    run.complete ? [] : [`share ${number}: ${run.stopped ?? 'it did not finish'}`],
  );
  const complete = unfinished.length === 0;
  const dates = parts.flatMap(({ record: { run } }) => [run.startedAt, run.finishedAt]).toSorted();
  const byOperation = Object.entries(load.byOperation).map(([name, { sent }]) => [name, sent]);
  // With one seed for all, each share knows the animals of the others by their names.
  const leftovers = new Map(parts.flatMap((part) => part.record.leftovers.map((one) => [one.id, one])));
  const record: RunRecord = {
    ...first,
    run: {
      ...first.run,
      id: randomUUID(),
      startedAt: dates[0] ?? whole.begin,
      finishedAt: dates.at(-1) ?? whole.begin,
      complete,
      stopped: complete ? undefined : unfinished.join('; '),
      command,
      environment: madeOn,
    },
    target: { ...first.target, clockDifferenceMs: null },
    verdict: complete ? 'partial' : 'incomplete',
    requests: { sent: load.sent, byOperation: Object.fromEntries(byOperation), waitedMs: 0 },
    leftovers: [...leftovers.values()],
    load: { ...load, counts, shares },
  };
  return { record, lines, exchanges };
}
