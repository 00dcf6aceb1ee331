import { operationNames } from '../../evidence/recorded-exchange.js';
import type { RequirementId } from '../../specification/catalogue.js';
import type { History } from '../history/history.js';
import { highestRemaining, isAdmitted, isRejected } from '../history/observation.js';
import { tolerances } from '../tolerances.js';
import { bits } from './bits.js';
import { vantagePointOf } from './load.js';
import type { Deviation, Hypothesis } from './hypothesis.js';

/** How unusual a deviation is, in bits. */
const offByOne = 4;
const usual = 4.5;
/** Ties: who does not count an operation does not reject it either. */
const exempt = 4.6;
const rare = 6;
/** A header that is wrong by itself explains away whatever it says. */
const header = 7;
/** A number that is taken from one rejection explains it whatever it is: it takes a second one to show it. */
const fitted = 9.5;
/** A second limit of so many in a short time: figures that services like. */
const secondBits = 8;
const tooMany: readonly RequirementId[] = ['LIMIT-02', 'LIMIT-03', 'LIMIT-09'];
const tooFew: readonly RequirementId[] = ['LIMIT-01', 'LIMIT-03', 'LIMIT-09'];
const unlimited = 1_000_000_000;

const deviation =
  (admits: Deviation['admits'], only?: Deviation['only']) =>
  (
    id: string,
    says: string,
    violates: readonly RequirementId[],
    cost: number,
    change: Partial<Hypothesis>,
  ): Deviation => ({ id, says, violates, admits, bits: cost, change, only });
const more = deviation('more');
const less = deviation('less');
const ofWindows = deviation('less', 'fixed window');
const ofBuckets = deviation('more', 'token bucket');

/**
 * The ways in which limiters are wrong, with the parameters that a history suggests. Data: each is replayed like any other
 * hypothesis. Of those that explain the same the first one is named.
 */
export function deviationsOf(history: History): Deviation[] {
  const announces = history.own.some(({ headers }) => headers.reset !== undefined);
  return [
    // What explains a long history soon spares it the others.
    more('apart', 'counts each operation by itself', ['LIMIT-09'], usual, {
      partition: 'operation',
    }),
    more('counters', 'counts each connection by itself', [...tooMany, 'RATE-05'], rare, {
      partition: 'connection',
    }),
    ...(new Set(history.own.map(vantagePointOf)).size > 1
      ? [
          more('counters', 'counts each source address by itself', [...tooMany, 'RATE-05'], usual, {
            partition: 'source address',
          }),
        ]
      : []),
    ...otherLimits(history).toReversed(),
    more('remaining', 'reports a Remaining that is not what is left', ['RATE-05'], header, {
      believesRemaining: false,
    }),
    more('emptied', 'gives the whole limit back after a 429', tooMany, usual, { rejection: 'empties' }),
    // Without an announced Reset a 429 breaks no promise.
    ofWindows('renewed', 'begins the window anew with every 429', announces ? ['LIMIT-14'] : [], usual, {
      rejection: 'renews',
    }),
    ...(['renews', undefined] as const).map((rejection) =>
      ofWindows('renewed', 'begins the window anew with every request', ['LIMIT-01'], usual, {
        renewed: true,
        rejection,
      }),
    ),
    ofWindows('put off', 'puts the end of the window off with a 429', ['LIMIT-14'], usual, {
      rejection: 'putsOff',
    }),
    ofWindows('charged', 'begins each window with what was rejected in the one before', ['LIMIT-14'], usual, {
      carried: 'what was over the limit',
      chargesRejected: true,
    }),
    less('shared', 'counts all callers together', ['LIMIT-08'], usual, { partition: 'shared' }),
    ...[false, true].map((chargesRejected) =>
      less('lock', 'rejects requests only because they arrive at the same time', ['LIMIT-03'], usual, {
        overlapping: 'rejected',
        chargesRejected,
      }),
    ),
    more('race', 'loses count of requests that arrive at the same time', ['LIMIT-03'], usual, {
      overlapping: 'lost',
    }),
    // The catch-all: it explains whatever was admitted.
    more('leak', 'lets some requests over the limit through', tooMany, bits.unknown, { leaks: true }),
    less('dear', 'counts each request as 2', [...tooFew, 'RATE-05'], usual, {
      rules: Object.fromEntries(operationNames.map((name) => [name, { cost: 2 }])),
    }),
    ...operationNames.flatMap((name) => otherwiseCounted(name, history)).toReversed(),
    more('apart', 'counts each path by itself', ['LIMIT-09'], usual, { partition: 'path' }),
    ...otherWindows(history).toReversed(),
    ...secondLimits(history),
  ];
}

/** Limits that are not the plan's: as reported, as Remaining shows them, off by one, twice and half of it. */
function otherLimits(history: History): Deviation[] {
  const { own, plan, windowMs } = history;
  const { perMinute } = plan;
  const reported = own.find(({ headers }) => headers.period === 'minute')?.headers.limit ?? 0;
  const shown = 1 + highestRemaining(own);
  const shares = [perMinute - 1, perMinute + 1, perMinute * 2, perMinute / 2, reported];
  const limits = new Set([...shares.map(Math.round), shown]);
  return [...limits]
    .flatMap((limit) => {
      if (limit <= 0 || limit === perMinute) return [];
      const make = limit > perMinute ? more : less;
      const blames = limit > perMinute ? tooMany : tooFew;
      const says = `admits ${limit} instead of ${perMinute}`;
      // A limit that the headers tell is no invention.
      const cost =
        Math.abs(limit - perMinute) === 1 || limit === reported
          ? offByOne
          : shares.includes(limit)
            ? usual
            : fitted;
      return [
        // A bucket that holds one more, and is refilled as the plan says.
        ...(limit === perMinute + 1
          ? [ofBuckets('limit', says, blames, cost, { limit, windowMs: (windowMs * limit) / perMinute })]
          : []),
        make('limit', says, blames, cost, { limit }),
        // Remaining is counted down from the plan's limit all the same.
        make('limit', says, limit > perMinute ? blames : [...blames, 'RATE-05'], cost, {
          limit,
          shownLess: limit - perMinute,
        }),
      ];
    })
    .concat(
      // Of fewer requests than the limit nobody can tell.
      own.filter(isAdmitted).length > perMinute
        ? more('no limit', 'never rejects', tooMany, header, { limit: unlimited, believesRemaining: false })
        : [],
    );
}

/** Milliseconds over which services like to limit bursts. */
const shortWindows = [1_000, 2_000, 5_000, 10_000, 15_000, 30_000];

/**
 * As many in a short time as were admitted before a first rejection: the largest, in the shortest time, comes first.
 */
function secondLimits({ own, plan }: History): Deviation[] {
  const times = own.flatMap((one) => (isAdmitted(one) ? one.sentAt : []));
  const firsts = own.flatMap((one, index) =>
    isRejected(one) && own[index - 1]?.outcome !== 'rejected' ? one.sentAt : [],
  );
  const countUpTo = (at: number, span: number): number =>
    times.filter((one) => one <= at && one > at - span).length;
  const limits = shortWindows.flatMap((windowMs) => {
    const counts = new Set(firsts.map((at) => countUpTo(at, windowMs)));
    const possible = [...counts].filter((limit) => limit > 0 && limit < plan.perMinute - 1);
    return possible.slice(0, 3).map((limit) => ({ limit, windowMs }));
  });
  return limits
    .toSorted((a, b) => b.limit - a.limit)
    .map((second) => {
      const says = `also admits only ${second.limit} in ${second.windowMs / 1000} s`;
      return less('second limit', says, tooFew, secondBits, { second });
    });
}

/** The share of a window that the farthest Reset was ahead, if it tells another length in whole seconds. */
function toldShare({ windowMs, own, clock }: History): number[] {
  const ahead = own.flatMap(({ sentAt, headers: { reset, period } }) =>
    clock && reset !== undefined && period === 'minute' ? reset - clock[1] - sentAt : [],
  );
  const share = (Math.floor(Math.max(0, ...ahead) / 1_000) * 1_000) / windowMs;
  return share >= 1 / 6 && Math.abs(share - 1) * windowMs > tolerances.agreementMs ? [share] : [];
}

function otherWindows(history: History): Deviation[] {
  const { windowMs, plan, own } = history;
  const seconds = (share: number): string => `${Math.round((share * windowMs) / 1000)} s`;
  // How long a window lasts shows when it ends.
  const ends = own.findLastIndex(isAdmitted) > own.findIndex(isRejected);
  const longer = ends ? [5 / 4, 3 / 2, 2] : [];
  const shorter = [1 / 6, 1 / 4, 1 / 3, 1 / 2, 3 / 4, 5 / 6, 11 / 12];
  const told = toldShare(history);
  const isNear = (share: number) => (one: number) =>
    Math.abs(one - share) * windowMs <= tolerances.agreementMs;
  const usualShares = [...shorter, ...longer];
  const shares = [...usualShares, ...told.filter((one) => !usualShares.some(isNear(one)))];
  const lengths = shares.map((share) =>
    (share < 1 ? more : less)(
      'window',
      `counts over ${seconds(share)} instead of ${seconds(1)}`,
      share < 1 ? ['LIMIT-02'] : ['LIMIT-01'],
      share < 1 || told.some(isNear(share)) ? usual : fitted,
      { windowMs: share * windowMs },
    ),
  );
  // The same share of the limit, from which Remaining counts down.
  const limit = 1 + highestRemaining(own);
  const spread = shares.flatMap((share) =>
    share < 1 && Math.round(share * plan.perMinute) === limit ? { limit, windowMs: share * windowMs } : [],
  );
  return [
    ...lengths,
    ...spread.map((change) => {
      const says = `admits ${limit} in each ${change.windowMs / 1000} s`;
      return less('limit', says, tooFew, usual, change);
    }),
    // A half or all of the limit is a figure of the limiter's, and no other client's.
    ...[Math.round(plan.perMinute / 2), plan.perMinute].map((carried) => {
      const says =
        carried === plan.perMinute ? 'never restores the limit' : `begins each window with ${carried} used`;
      return ofWindows('restored', says, ['LIMIT-14'], usual, { carried });
    }),
  ];
}

function otherwiseCounted(name: (typeof operationNames)[number], { own }: History): Deviation[] {
  if (!own.some(({ operation }) => operation === name)) return [];
  const listing = name === 'listPets';
  const blames: readonly RequirementId[] = listing ? tooMany : ['LIMIT-09'];
  const dear: readonly RequirementId[] = listing ? tooFew : ['LIMIT-09'];
  const of = (cost: number): string => `counts each ${name} as ${cost}`;
  return [
    more('free', `does not count ${name}`, [...blames, 'RATE-05'], usual, { rules: { [name]: { cost: 0 } } }),
    more('exempt', `never rejects ${name}`, blames, exempt, { rules: { [name]: { exempt: true } } }),
    ...(listing
      ? []
      : [
          less('capped', `also rejects ${name} by a limit of its own`, ['LIMIT-03', 'LIMIT-09'], rare, {
            rules: { [name]: { capped: true } },
          }),
        ]),
    ...[2, 3, 4, 5, 10].map((cost) =>
      less('dear', of(cost), [...dear, 'RATE-05'], usual, { rules: { [name]: { cost } } }),
    ),
  ];
}
