import { isNoConnection } from './recorded-exchange.js';
import type { Exchange } from './exchange.js';

export type Interruptions = ReturnType<typeof interruptionsIn>;

/** What broke off in a run, and what came of it when it was sent again. */
export function interruptionsIn(all: readonly Exchange[]) {
  /** What was sent until a response was complete, by each exchange of it; repeats that found no connection hold it together. */
  const byId = new Map<string, Exchange[]>();
  for (const one of all) {
    const chain = byId.get(one.repeats ?? '') ?? [];
    byId.set(one.id, chain);
    if (!one.failure || !isNoConnection(one.failure.kind)) chain.push(one);
  }
  const chains = [...new Set(byId.values())];
  const lost = chains.filter((chain) => chain.at(-1)?.broken !== undefined);
  return {
    /** How many exchanges a connection was opened for. */
    sent: chains.flat().length,
    /** Those that broke off and succeeded when they were sent again. */
    recovered: chains.flatMap((chain) =>
      lost.includes(chain) ? [] : (chain.findLast(({ broken }) => broken !== undefined) ?? []),
    ),
    twice: lost.flatMap((chain) => (chain.length > 1 ? chain.slice(-1) : [])),
    once: lost.find(({ length }) => length === 1)?.[0],
  };
}

/** Requests that were all under way at one moment, so many in each round. */
export function roundsIn(all: readonly Exchange[], size: number): Exchange[][] {
  const sent = all.toSorted((one, other) => one.sentAt - other.sentAt);
  const first = sent.filter(({ repeats }) => repeats === undefined);
  const rounds: Exchange[][] = [];
  for (let index = 0; index + size <= first.length; index += 1) {
    const round = first.slice(index, index + size);
    if ((round.at(-1)?.sentAt ?? 0) >= Math.min(...round.map(({ endedAt }) => endedAt))) continue;
    rounds.push(round);
    index += size - 1;
  }
  return rounds;
}
