import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Exchange } from '../evidence/exchange.js';
import { UsageProblem } from '../explain/usage-problem.js';
import type { RunRecord } from '../evidence/record/record.js';
import type { LedgerLine } from './ledger.js';
import { LoadCounter } from './load-counter.js';

export interface ShareRun {
  readonly directory: string;
  readonly record: RunRecord;
  readonly exchanges: readonly Exchange[];
  readonly lines: readonly LedgerLine[];
}

/** A share, with what it must have in common with the others. @throws UsageProblem if it is none */
function partOf(share: ShareRun) {
  const { load, run, suite, target } = share.record;
  if (!load?.share)
    throw new UsageProblem(
      `${share.directory} is not a share of a load: ${run.stopped ?? 'it was made without --share'}`,
    );
  const { number, ...common } = load.share;
  const { baseUrl, plan, perMinute, perDay } = target;
  const whole = { ...common, mix: load.mix, version: suite.version, baseUrl, plan, perMinute, perDay };
  return { ...share, load, number, whole };
}

/**
 * The whole load of its shares, by the planned moment, which is the order of sending; exchanges have new ids.
 * @throws UsageProblem if the runs are not the shares of one load
 */
export function mergeShares(shares: readonly ShareRun[], command: string): Omit<ShareRun, 'directory'> {
  const parts = shares.map(partOf).toSorted((one, other) => one.number - other.number);
  const [first] = parts;
  if (!first) throw new UsageProblem('no share was given');
  const { record, whole } = first;
  for (const part of parts)
    for (const [name, own] of Object.entries(part.whole))
      if (!isDeepStrictEqual(own, Reflect.get(whole, name)))
        throw new UsageProblem(
          `${part.directory} is of another load than ${first.directory}: they differ in ${name}`,
        );
  const given = parts.map(({ number }) => number);
  if (given.length !== whole.of || given.some((number, index) => number !== index + 1))
    throw new UsageProblem(
      `the shares ${given.join(', ')} of ${whole.of} were given: give the folder of each share once`,
    );
  const lines = parts
    .flatMap((part) => part.lines)
    .toSorted((one, other) => (one.planned ?? 0) - (other.planned ?? 0));
  const exchanges = parts
    .flatMap((part) => part.exchanges.filter(({ purpose }) => purpose === 'load'))
    .toSorted((one, other) => one.sentAt - other.sentAt)
    .map(({ line }, index) => new Exchange({ ...line, id: `e${index + 1}` }));
  const counter = new LoadCounter();
  for (const line of lines) counter.add(line);
  const { ratePerSecond, mix, requests: planned, bounds } = whole;
  const durationMs = Math.max(...parts.map((part) => part.load.durationMs));
  const load = counter.result({ ratePerSecond, mix, planned, durationMs }, bounds);
  const unfinished = parts.flatMap(({ record: { run }, number }) =>
    run.complete ? [] : [`share ${number}: ${run.stopped ?? 'it did not finish'}`],
  );
  const complete = unfinished.length === 0;
  const dates = parts.flatMap(({ record: { run } }) => [run.startedAt, run.finishedAt]).toSorted();
  const byOperation = Object.entries(load.byOperation).map(([name, { sent }]) => [name, sent]);
  // With one seed for all, each share knows the animals of the others by their names.
  const leftovers = new Map(parts.flatMap((part) => part.record.leftovers.map((one) => [one.id, one])));
  const merged: RunRecord = {
    ...record,
    run: {
      ...record.run,
      id: randomUUID(),
      startedAt: dates[0] ?? whole.begin,
      finishedAt: dates.at(-1) ?? whole.begin,
      complete,
      stopped: complete ? undefined : unfinished.join('; '),
      command,
    },
    target: { ...record.target, clockDifferenceMs: null },
    verdict: complete ? 'partial' : 'incomplete',
    requests: { sent: load.sent, byOperation: Object.fromEntries(byOperation), waitedMs: 0 },
    leftovers: [...leftovers.values()],
    load: {
      ...load,
      shares: parts.map(({ record: { run }, number, load: { sent, latency } }) => {
        return { number, run: run.id, sent, latency };
      }),
    },
  };
  return { record: merged, lines, exchanges };
}
