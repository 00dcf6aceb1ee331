import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Exchange } from '../evidence/exchange.js';
import { UsageProblem } from '../explain/usage-problem.js';
import type { LoadMeasurement } from '../evidence/record/load-measurement.js';
import type { RunRecord } from '../evidence/record/record.js';
import { madeOn } from './run-facts.js';
import { sumOfCounts } from '../evidence/record/request-counts.js';
import type { LedgerLine } from '../load/ledger-file.js';
import { LoadCounter } from '../load/load-counter.js';
import { thresholdsOf } from '../load/thresholds.js';

/** What was written while a load ran. */
interface LoadEvidence {
  readonly lines: readonly LedgerLine[];
  readonly exchanges: readonly Exchange[];
}

/** One share of a load, as its folder holds it. */
export interface ShareRun extends LoadEvidence {
  readonly directory: string;
  readonly record: RunRecord;
}

interface Part extends ShareRun {
  readonly load: LoadMeasurement;
  readonly share: NonNullable<LoadMeasurement['share']>;
}

/** The shares in their order. @throws UsageProblem if they are not those of one load, each once */
function partsOf(runs: readonly ShareRun[]): [Part, ...Part[]] {
  const parts = runs.map((run): Part => {
    const {
      load,
      run: { stopped = 'it was made without --share' },
    } = run.record;
    if (!load?.share) throw new UsageProblem(`${run.directory} is not a share of a load: ${stopped}`);
    return { ...run, load, share: load.share };
  });
  const [first, ...others] = parts.sort((one, other) => one.share.number - other.share.number);
  if (!first) throw new UsageProblem('no share was given');
  const whole = Object.entries(wholeLoad(first));
  for (const part of others) {
    const own = wholeLoad(part);
    const names = whole.flatMap(([name, value]) => (isDeepStrictEqual(own[name], value) ? [] : name));
    if (names.length > 0)
      throw new UsageProblem(
        `${part.directory} is of another load than ${first.directory}: they differ in ${names.join(', ')}`,
      );
  }
  const { of } = first.share;
  const given = parts.map(({ share }) => share.number);
  if (given.length !== of || given.some((number, index) => number !== index + 1))
    throw new UsageProblem(
      `the shares ${given.join(', ')} of ${of} were given: give the folder of each share once`,
    );
  return [first, ...others];
}

/** What all shares of a load have in common. */
function wholeLoad({ record: { suite, target }, load: { mix }, share }: Part): Record<string, unknown> {
  const { baseUrl, plan, perMinute, perDay, planGiven } = target;
  const limits = { plan, perMinute, perDay, planGiven };
  return { version: suite.version, target: baseUrl, plan: limits, mix, ...share, number: 0 };
}

/**
 * The whole load of its shares: its record, and its evidence.
 * @throws UsageProblem if the runs are not the shares of one load
 */
export function mergeShares(
  runs: readonly ShareRun[],
  command: string,
): { record: RunRecord; evidence: LoadEvidence } {
  const parts = partsOf(runs);
  const [first] = parts;
  const evidence = mergedEvidence(parts);
  const { begin, ratePerSecond, requests, bounds } = first.share;
  const counter = new LoadCounter();
  for (const line of evidence.lines) counter.add(line);
  const load = counter.result({
    ratePerSecond,
    mix: first.load.mix,
    planned: requests,
    thresholds: thresholdsOf(bounds),
    durationMs: Math.max(...parts.map((part) => part.load.durationMs)),
    withheld: parts.reduce((sum, part) => sum + part.load.withheld, 0),
  });
  const shares = parts.map(({ record: { run, target }, share, load: own }) => {
    const { sent, good, refused, errors, withheld, latency } = own;
    const figures = { sent, good, refused, errors, withheld, latency };
    return { number: share.number, run: run.id, ...figures, clockDifferenceMs: target.clockDifferenceMs };
  });
  const counted = parts.flatMap((part) => part.load.counts ?? []);
  const counts = {
    ledger: sumOfCounts(counted.map(({ ledger }) => ledger)),
    autocannon: sumOfCounts(counted.map(({ autocannon }) => autocannon)),
  };
  const unfinished = parts.flatMap(({ record: { run }, share }) =>
    run.complete ? [] : [`share ${share.number}: ${run.stopped ?? 'it did not finish'}`],
  );
  const complete = unfinished.length === 0;
  const { stopped: _, ...run } = first.record.run;
  const dates = parts.flatMap((part) => [part.record.run.startedAt, part.record.run.finishedAt]).toSorted();
  const byOperation = Object.entries(load.byOperation).map(([name, { sent }]) => [name, sent]);
  // With one seed for all, each share knows the animals of the others by their names.
  const leftovers = new Map(parts.flatMap((part) => part.record.leftovers.map((one) => [one.id, one])));
  const record: RunRecord = {
    ...first.record,
    run: {
      ...run,
      id: randomUUID(),
      startedAt: dates[0] ?? begin,
      finishedAt: dates.at(-1) ?? begin,
      complete,
      ...(!complete && { stopped: unfinished.join('; ') }),
      command,
      environment: madeOn,
    },
    target: { ...first.record.target, clockDifferenceMs: null },
    verdict: complete ? 'partial' : 'incomplete',
    requests: { sent: load.sent, byOperation: Object.fromEntries(byOperation), waitedMs: 0 },
    leftovers: [...leftovers.values()],
    load: { ...load, counts, shares },
  };
  return { record, evidence };
}

/** What was written of all shares, by the planned moment, which is the order of sending; exchanges have new ids. */
function mergedEvidence(parts: readonly Part[]): LoadEvidence {
  const lines = parts
    .flatMap((part) => part.lines)
    .toSorted((one, other) => (one.planned ?? 0) - (other.planned ?? 0));
  const exchanges = parts
    .flatMap((part) => part.exchanges.filter(({ purpose }) => purpose === 'load'))
    .toSorted((one, other) => one.sentAt - other.sentAt)
    .map(({ line }, index) => new Exchange({ ...line, id: `e${index + 1}` }));
  return { lines, exchanges };
}
