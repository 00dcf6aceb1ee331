import type { Interval } from '../interval.js';
import { hypothesisPrices } from '../tolerances.js';
import type { LimiterModel, Quota } from './limiter-model.js';

/** The times of what was counted, in order: between `from[i]` and `to[i]`, with the sum of all counts before. */
interface Entries {
  readonly from: number[];
  readonly to: number[];
  readonly sumBefore: number[];
}

/** Requests of which it is not known how many were counted. */
interface Uncertain {
  readonly at: Interval;
  readonly count: Interval;
}

interface Log {
  /** Shared by states with a common past; the first `length` entries are this state's. */
  readonly entries: Entries;
  readonly length: number;
  readonly sum: number;
  readonly uncertain: readonly Uncertain[];
}

/** Keeps the time of every request; each comes back one window after it was made. */
export function slidingLog({ limit, past, windowMs }: Quota): LimiterModel<Log> {
  /** How many entries are not later than a time. */
  const notAfter = (times: readonly number[], length: number, time: number): number => {
    let low = 0;
    let high = length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((times[middle] ?? 0) > time) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  const sumFrom = ({ entries, length, sum }: Log, index: number): number =>
    index >= length ? 0 : sum - (entries.sumBefore[index] ?? 0);
  const isHeld = ({ at: [from] }: Uncertain, at: Interval): boolean => from + windowMs >= at[1];
  const mayBeHeld = ({ at: [, to] }: Uncertain, at: Interval): boolean => to + windowMs > at[0];
  /** Requests held during a burst, at the least and at the most. */
  const held = (log: Log, at: Interval): Interval => {
    const { entries, length, uncertain } = log;
    let least = sumFrom(log, notAfter(entries.from, length, at[1] - windowMs));
    let most = sumFrom(log, notAfter(entries.to, length, at[0] - windowMs));
    for (const one of uncertain) {
      if (isHeld(one, at)) least += one.count[0];
      if (mayBeHeld(one, at)) most += one.count[1];
    }
    return [least, most];
  };
  const add = (log: Log, at: Interval, count: number): Log => {
    const { length, sum } = log;
    const shared = log.entries.from.length === length;
    const entries: Entries = shared
      ? log.entries
      : {
          from: log.entries.from.slice(0, length),
          to: log.entries.to.slice(0, length),
          sumBefore: log.entries.sumBefore.slice(0, length),
        };
    entries.from.push(at[0]);
    entries.to.push(at[1]);
    entries.sumBefore.push(sum);
    return { ...log, entries, length: length + 1, sum: sum + count };
  };
  return {
    rounding: 0,
    admissionSlack: 0,
    initial(at) {
      const fresh: Log = {
        entries: { from: [], to: [], sumBefore: [] },
        length: 0,
        sum: 0,
        uncertain: [],
      };
      const earlier: Uncertain = { at: [at[1] - windowMs, at[0]], count: [Math.min(1, past), past] };
      return [
        { state: fresh, cost: 0 },
        { state: { ...fresh, uncertain: [earlier] }, cost: hypothesisPrices.past },
      ];
    },
    possibleAt(log, at) {
      const gone = log.uncertain.some((one) => !mayBeHeld(one, at));
      const state = gone ? { ...log, uncertain: log.uncertain.filter((one) => mayBeHeld(one, at)) } : log;
      return [{ state, cost: 0 }];
    },
    room(log, at) {
      const [least, most] = held(log, at);
      return [limit - most, limit - least];
    },
    charge(log, at, [least, most]) {
      const known = least > 0 ? add(log, at, least) : log;
      if (most === least) return known;
      return { ...known, uncertain: [...known.uncertain, { at, count: [0, most - least] }] };
    },
    chargeHidden: (log, since, at, count) => add(log, [Math.min(since, at[0]), at[1]], count),
    narrow(log, at, [leastRoom, mostRoom]) {
      if (log.uncertain.length === 0) return log;
      const [least, most] = held(log, at);
      const tightened = log.uncertain.map((one) => {
        if (!isHeld(one, at)) return one;
        const count: Interval = [
          Math.max(one.count[0], limit - mostRoom - (most - one.count[1])),
          Math.min(one.count[1], limit - leastRoom - (least - one.count[0])),
        ];
        return count[0] <= count[1] ? { ...one, count } : one;
      });
      return { ...log, uncertain: tightened };
    },
    began: (_log, at) => at[0] - windowMs,
    resets(log, at) {
      const { entries, length, sum, uncertain } = log;
      const first = notAfter(entries.to, length, at[0] - windowMs);
      const sure = notAfter(entries.from, length, at[1] - windowMs);
      const back = (from: number, to: number): Interval => [from + windowMs, to + windowMs];
      const oldest = Math.min(
        entries.from[first] ?? at[0],
        ...uncertain.filter((one) => mayBeHeld(one, at) && one.count[1] > 0).map((one) => one.at[0]),
      );
      const next = notAfter(entries.sumBefore, length, sum - limit) - 1;
      return [
        back(oldest, entries.to[sure] ?? at[1]),
        back(entries.from[length - 1] ?? at[0], entries.to[length - 1] ?? at[1]),
        ...(next >= 0 ? [back(entries.from[next] ?? at[0], entries.to[next] ?? at[1])] : []),
      ];
    },
    key: ({ length, sum, uncertain, entries }) =>
      `${length} ${sum} ${entries.from[length - 1] ?? 0} ${uncertain.map(({ count }) => count.join('-')).join()}`,
  };
}
