import { operationNames, type OperationName } from '../../evidence/recorded-exchange.js';
import type { RequirementId } from '../../specification/catalogue.js';
import { highestRemaining, isAdmitted, isRejected, type History } from '../history/history.js';
import { exactly, plus, bits, tolerances } from '../tolerances.js';
import type { Deviation, Hypothesis } from './hypothesis.js';

/** How unusual a deviation is, in bits. */
const usual = 4.5;
/** Ties: who does not count an operation does not reject it either. */
const exempt = 4.6;
/** What a header tells that is wrong by itself explains away much, and so do counts of each connection. */
const rare = 7;
/** A number that is taken from one rejection explains it whatever it is: it takes a second one to show it. */
const fitted = 9.5;
/** A second limit of so many in a short time: figures that services like. */
const secondBits = 8;
const tooMany: readonly RequirementId[] = ['LIMIT-02', 'LIMIT-03', 'LIMIT-09'];
const tooFew: readonly RequirementId[] = ['LIMIT-01', 'LIMIT-03', 'LIMIT-09'];

type Make = (
  id: string,
  says: string,
  violates: readonly RequirementId[],
  cost: number,
  change: Partial<Hypothesis>,
) => Deviation;
const making =
  (admits: Deviation['admits']): Make =>
  (id, says, violates, cost, change) => ({ id, says, violates, admits, bits: cost, change });
const more = making('more');
const less = making('less');

/**
 * The ways in which limiters are wrong, with the parameters that a history suggests. Data: each is replayed like any other
 * hypothesis. Of those that explain the same the first one is named.
 */
export function deviationsOf(history: History): Deviation[] {
  const { own, plan } = history;
  // Without an announced Reset a 429 breaks no promise.
  const promised: readonly RequirementId[] = own.some(({ headers }) => headers.reset !== undefined)
    ? ['LIMIT-14']
    : [];
  const counters: readonly RequirementId[] = [...tooMany, 'RATE-05'];
  const again = 'begins the window anew with every request';
  return [
    // What explains a long history soon spares it the others.
    more('apart', 'counts each operation by itself', ['LIMIT-09'], usual, { partition: 'operation' }),
    more('counters', 'counts each connection by itself', counters, rare, { partition: 'connection' }),
    more('counters', 'counts each source address by itself', counters, usual, {
      partition: 'source address',
    }),
    // Of fewer requests than the limit nobody can tell.
    ...(own.filter(isAdmitted).length > plan.perMinute && !own.some(isRejected)
      ? [more('no limit', 'never rejects', tooMany, rare, { leaks: true, believesRemaining: false })]
      : []),
    ...otherLimits(history),
    more('remaining', 'reports a Remaining that is not what is left', ['RATE-05'], rare, {
      believesRemaining: false,
    }),
    more('emptied', 'gives the whole limit back after a 429', tooMany, usual, { isEmptied: true }),
    less('renewed', 'begins the window anew with every 429', promised, usual, { renewedBy: ['rejected'] }),
    less('renewed', again, ['LIMIT-01'], usual, { renewedBy: ['admitted', 'rejected'] }),
    less('renewed', again, ['LIMIT-01'], usual, { renewedBy: ['admitted'] }),
    less('charged', 'begins each window with what was rejected in the one before', ['LIMIT-14'], usual, {
      carried: (used) => plus(used, exactly(-plan.perMinute)),
      chargesRejected: true,
    }),
    less('shared', 'counts all callers together', ['LIMIT-08'], usual, { partition: 'shared' }),
    less('lock', 'rejects requests only because they arrive at the same time', ['LIMIT-03'], usual, {
      overlapping: 'rejected',
      chargesRejected: false,
    }),
    more('race', 'loses count of requests that arrive at the same time', ['LIMIT-03'], usual, {
      overlapping: 'lost',
    }),
    // The catch-all: it explains whatever was admitted.
    more('leak', 'lets some requests over the limit through', tooMany, bits.unknown, { leaks: true }),
    less('dear', 'counts each request as 2', [...tooFew, 'RATE-05'], usual, {
      rules: Object.fromEntries(operationNames.map((name) => [name, 2])),
    }),
    ...operationNames.toReversed().flatMap((name) => otherwiseCounted(name, history)),
    more('apart', 'counts each path by itself', ['LIMIT-09'], usual, { partition: 'path' }),
    ...otherWindows(history),
    ...secondLimits(history),
  ];
}

/** Limits that are not the plan's: as reported, as Remaining shows them, off by one, twice and half of it. */
function otherLimits({ own, plan: { perMinute }, windowMs }: History): Deviation[] {
  const reported = own.find(({ headers }) => headers.period === 'minute')?.headers.limit ?? 0;
  const shown = 1 + highestRemaining(own);
  const figures = [reported, Math.round(perMinute / 2), perMinute * 2, perMinute + 1, perMinute - 1];
  const limits = new Set([shown, ...figures].filter((limit) => limit > 0 && limit !== perMinute));
  return [...limits].flatMap((limit) => {
    const isMore = limit > perMinute;
    const make = isMore ? more : less;
    const says = `admits ${limit} instead of ${perMinute}`;
    const cost = figures.includes(limit) ? usual : fitted;
    return [
      // Remaining is counted down from the plan's limit all the same.
      make('limit', says, isMore ? tooMany : [...tooFew, 'RATE-05'], cost, {
        limit,
        shownLess: limit - perMinute,
      }),
      // If never much more than the plan's limit is left, others would have to be there whenever it is told.
      ...(isMore && shown > 1 && 2 * shown <= perMinute + limit
        ? []
        : [make('limit', says, isMore ? tooMany : tooFew, cost, { limit })]),
      // A bucket that holds one more, and is refilled as the plan says.
      ...(limit === perMinute + 1
        ? [more('limit', says, tooMany, cost, { limit, windowMs: (windowMs * limit) / perMinute })]
        : []),
    ];
  });
}

/** Seconds over which services like to limit bursts. */
const shortWindows = [1, 2, 5, 10, 15, 30];

/** As many in a short time as were admitted before a first rejection: the largest, in the shortest time, comes first. */
function secondLimits({ own, plan }: History): Deviation[] {
  const firsts = own.filter((one, index) => isRejected(one) && own[index - 1]?.outcome !== 'rejected');
  const limits = shortWindows.flatMap((seconds) => {
    const windowMs = seconds * 1_000;
    const counts = firsts.map(
      ({ sentAt: at }) =>
        own.filter((one) => isAdmitted(one) && one.sentAt <= at && one.sentAt > at - windowMs).length,
    );
    const possible = [...new Set(counts)].filter((limit) => limit > 0 && limit < plan.perMinute - 1);
    return possible.slice(0, 3).map((limit) => ({ limit, windowMs }));
  });
  return limits
    .toSorted((a, b) => b.limit - a.limit)
    .map((second) => {
      const says = `also admits only ${second.limit} in ${second.windowMs / 1000} s`;
      return less('second limit', says, tooFew, secondBits, { second });
    });
}

/** Seconds that windows last which are no minute; the longer ones show when they end. */
const shorter = [55, 50, 45, 30, 20, 15, 10];
const longer = [120, 90, 75];

/** How far ahead the farthest Reset was in whole seconds, if that is another length than a minute's. */
function lengthTold({ windowMs, own, clock }: History): number | undefined {
  const ahead = own.flatMap(({ sentAt, headers: { reset, period } }) =>
    clock && reset !== undefined && period === 'minute' ? reset - clock[1] - sentAt : [],
  );
  const seconds = Math.floor(Math.max(0, ...ahead) / 1_000);
  return seconds >= 10 && Math.abs(seconds * 1_000 - windowMs) > tolerances.agreementMs ? seconds : undefined;
}

function otherWindows(history: History): Deviation[] {
  const { windowMs, plan, own } = history;
  const ends = own.findLastIndex(isAdmitted) > own.findIndex(isRejected);
  const usualLengths = [...(ends ? longer : []), ...shorter];
  const announced = lengthTold(history);
  const isTold = (seconds: number): boolean =>
    announced !== undefined && Math.abs(seconds - announced) * 1_000 <= tolerances.agreementMs;
  const lengths =
    announced === undefined || usualLengths.some(isTold) ? usualLengths : [announced, ...usualLengths];
  // The same share of the limit, from which Remaining counts down.
  const limit = 1 + highestRemaining(own);
  const isShare = (seconds: number): boolean =>
    seconds * 1_000 < windowMs && Math.round((seconds * 1_000 * plan.perMinute) / windowMs) === limit;
  // A half or all of the limit is a figure of the limiter's, and no other client's.
  const half = Math.round(plan.perMinute / 2);
  return [
    less('restored', 'never restores the limit', ['LIMIT-14'], usual, {
      carried: () => exactly(plan.perMinute),
    }),
    less('restored', `begins each window with ${half} used`, ['LIMIT-14'], usual, {
      carried: () => exactly(half),
    }),
    ...lengths.filter(isShare).map((seconds) => {
      const change = { limit, windowMs: seconds * 1_000 };
      return less('limit', `admits ${limit} in each ${seconds} s`, tooFew, usual, change);
    }),
    ...lengths.map((seconds) => {
      const isShorter = seconds * 1_000 < windowMs;
      const says = `counts over ${seconds} s instead of ${windowMs / 1_000} s`;
      const cost = isShorter || isTold(seconds) ? usual : fitted;
      const make = isShorter ? more : less;
      return make('window', says, [isShorter ? 'LIMIT-02' : 'LIMIT-01'], cost, { windowMs: seconds * 1_000 });
    }),
  ];
}

function otherwiseCounted(name: OperationName, { own }: History): Deviation[] {
  const sent = own.filter(({ operation }) => operation === name);
  if (sent.length === 0) return [];
  const isListing = name === 'listPets';
  const blames: readonly RequirementId[] = isListing ? tooMany : ['LIMIT-09'];
  const dear: readonly RequirementId[] = [...(isListing ? tooFew : ['LIMIT-09' as const]), 'RATE-05'];
  const capped = `also rejects ${name} by a limit of its own`;
  return [
    ...[10, 5, 4, 3, 2].map((cost) =>
      less('dear', `counts each ${name} as ${cost}`, dear, usual, { rules: { [name]: cost } }),
    ),
    ...(isListing
      ? []
      : [less('capped', capped, ['LIMIT-03', 'LIMIT-09'], rare, { rules: { [name]: 'capped' } })]),
    ...(sent.some(isRejected)
      ? []
      : [more('exempt', `never rejects ${name}`, blames, exempt, { rules: { [name]: 'exempt' } })]),
    more('free', `does not count ${name}`, [...blames, 'RATE-05'], usual, { rules: { [name]: 0 } }),
  ];
}
