import { isNoConnection } from './recorded-exchange.js';
import type { Exchange } from './exchange.js';

export type Interruptions = ReturnType<typeof interruptionsIn>;

/**
 * What broke off in a run, and what came of it when it was sent again.
 * @param all in the order in which they were complete
 */
export function interruptionsIn(all: readonly Exchange[]) {
  /** What was sent until a response was complete, by each exchange of it; repeats that found no connection hold it together. */
  const chains = new Map<string, Exchange[]>();
  const completeBefore = new Map<Exchange, number>();
  let complete = 0;
  for (const one of all) {
    const chain = chains.get(one.repeats ?? '') ?? [];
    chains.set(one.id, chain);
    if (one.failure && isNoConnection(one.failure.kind)) continue;
    chain.push(one);
    completeBefore.set(one, complete);
    if (one.broken === undefined) complete += 1;
  }
  const isLost = (chain: readonly Exchange[]): boolean => chain.at(-1)?.broken !== undefined;
  const distinct = [...new Set(chains.values())];
  const lost = distinct.filter(isLost);
  const recovered = distinct.flatMap((chain) =>
    isLost(chain) ? [] : (chain.findLast(({ broken }) => broken !== undefined) ?? []),
  );
  return {
    /** How many exchanges a connection was opened for. */
    sent: completeBefore.size,
    /** Those that broke off and succeeded when they were sent again. */
    recovered,
    /** How often that happened: what breaks off with no complete response in between has one cause, as a restart has. */
    events: new Set(recovered.map((one) => completeBefore.get(one))).size,
    /** Those that broke off again. */
    twice: lost.flatMap((chain) => (chain.length > 1 ? chain.slice(-1) : [])),
    /** One that was never sent again. */
    once: lost.find(({ length }) => length === 1)?.[0],
  };
}

/**
 * Requests that were all under way at one moment, in rounds, and those that were sent alone after the first loss in a round.
 * @param size how many requests make a round
 */
export function loadIn(all: readonly Exchange[], size: number) {
  const sent = all.toSorted((one, other) => one.sentAt - other.sentAt);
  const first = sent.filter(({ repeats }) => repeats === undefined);
  const rounds: Exchange[][] = [];
  for (let index = 0; index + size <= first.length; index += 1) {
    const round = first.slice(index, index + size);
    if ((round.at(-1)?.sentAt ?? 0) >= Math.min(...round.map(({ endedAt }) => endedAt))) continue;
    rounds.push(round);
    index += size - 1;
  }
  const since = rounds.flat().find(({ broken }) => broken !== undefined)?.endedAt ?? Infinity;
  let busyUntil = 0;
  const alone = sent.filter((one, index) => {
    const isAlone = one.sentAt >= busyUntil && (sent[index + 1]?.sentAt ?? Infinity) >= one.endedAt;
    busyUntil = Math.max(busyUntil, one.endedAt);
    return isAlone && one.sentAt >= since;
  });
  return { rounds, alone };
}
