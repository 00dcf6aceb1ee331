import { isNoConnection } from './recorded-exchange.js';
import type { Exchange } from './exchange.js';

/** What broke off in a run, and what came of it when it was sent again. */
export interface Interruptions {
  /** Exchanges for which a connection was opened. */
  readonly sent: number;
  /** Those that broke off and succeeded when they were sent again. */
  readonly recovered: readonly Exchange[];
  /** How often that happened: what breaks off with no complete response in between has one cause, as a restart has. */
  readonly events: number;
  /** Those that broke off again. */
  readonly twice: readonly Exchange[];
  /** One that was never sent again. */
  readonly once: Exchange | undefined;
}

/** @param all in the order in which they were complete */
export function interruptionsIn(all: readonly Exchange[]): Interruptions {
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
    sent: completeBefore.size,
    recovered,
    events: new Set(recovered.map((one) => completeBefore.get(one))).size,
    twice: lost.flatMap((chain) => (chain.length > 1 ? chain.slice(-1) : [])),
    once: lost.find(({ length }) => length === 1)?.[0],
  };
}

/** Requests that were all under way at one moment, in rounds of so many, and what came of those that were sent alone. */
export interface Load {
  readonly rounds: ReadonlyArray<readonly Exchange[]>;
  /** Requests after the first loss in a round, while no other was under way. */
  readonly alone: readonly Exchange[];
}

/** @param size how many requests make a round */
export function loadIn(all: readonly Exchange[], size: number): Load {
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
