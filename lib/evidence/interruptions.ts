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
  let sent = 0;
  let complete = 0;
  /** The exchange that each repeat goes back to, across repeats that found no connection or were rate-limited. */
  const origins = new Map<string, string>();
  /** By its origin: the last one that broke off, until a repeat is complete. */
  const broken = new Map<
    string,
    { readonly one: Exchange; readonly times: number; readonly event: number }
  >();
  const recovered: Exchange[] = [];
  const events = new Set<number>();
  for (const one of all) {
    const { id, repeats, failure } = one;
    const origin = repeats === undefined ? id : (origins.get(repeats) ?? repeats);
    origins.set(id, origin);
    if (failure && isNoConnection(failure.kind)) continue;
    sent += 1;
    const before = broken.get(origin);
    if (one.broken !== undefined) {
      broken.set(origin, { one, times: (before?.times ?? 0) + 1, event: complete });
      continue;
    }
    complete += 1;
    if (!before) continue;
    broken.delete(origin);
    recovered.push(before.one);
    events.add(before.event);
  }
  const lost = [...broken.values()];
  return {
    sent,
    recovered,
    events: events.size,
    twice: lost.flatMap(({ one, times }) => (times > 1 ? one : [])),
    once: lost.find(({ times }) => times === 1)?.one,
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
