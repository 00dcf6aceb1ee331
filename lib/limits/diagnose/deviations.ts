import { operationNames } from '../../http/exchange/exchange.js';
import type { RequirementId } from '../../specification/catalogue.js';
import type { History } from '../history/history.js';
import { deviationPrices } from '../tolerances.js';
import type { Deviation, Hypothesis } from './hypothesis.js';

const tooMany: readonly RequirementId[] = ['LIMIT-02', 'LIMIT-03', 'LIMIT-09'];
const tooFew: readonly RequirementId[] = ['LIMIT-01', 'LIMIT-03', 'LIMIT-09'];
const unlimited = 1_000_000_000;
/** Milliseconds over which services like to limit bursts. */
const shortWindows = [1_000, 2_000, 5_000, 10_000, 15_000, 30_000];

/** The ways in which limiters are wrong, with the parameters that a history suggests. Data: each is replayed like any other hypothesis. */
export function deviationsOf(history: History): Deviation[] {
  const beyond = mostAdmitted(history) > history.plan.perMinute;
  return [
    // Without more requests than the limit, not to believe Remaining would explain any header.
    ...limits(history).filter(({ change }) => beyond || change.believesRemaining !== false),
    ...windows(history),
    ...operations(history),
    ...countedApart,
    shared,
    ...concurrency,
    ...restorations(history),
    ...headers(history),
  ];
}

function deviation(
  id: string,
  says: string,
  blames: readonly RequirementId[],
  cost: number,
  change: Partial<Hypothesis>,
): Deviation {
  return { id, says, blames, cost, change };
}

/** Limits that are not the plan's: as admitted, off by one, of another plan, or twice and half. */
function limits({ plan: { perMinute }, own }: History): Deviation[] {
  const admitted = admittedBetweenRejections({ own });
  const reported = own.flatMap(({ headers }) =>
    headers.period === 'minute' && headers.limit !== undefined && headers.limit > 0 ? [headers.limit] : [],
  );
  const candidates = new Set(
    [
      perMinute - 1,
      perMinute + 1,
      perMinute * 2,
      perMinute / 2,
      perMinute / 3,
      ...admitted,
      ...reported.slice(0, 1),
    ]
      .map(Math.round)
      .filter((limit) => limit > 0 && limit !== perMinute),
  );
  return [
    ...[...candidates].flatMap((limit) => {
      const blames = limit > perMinute ? tooMany : tooFew;
      const cost = Math.abs(limit - perMinute) === 1 ? deviationPrices.offByOne : deviationPrices.usual;
      const says = `admits ${limit} instead of ${perMinute}`;
      const change = { limit, capacity: limit };
      return [
        deviation('limit', says, blames, cost, change),
        // Remaining is counted down from the plan's limit all the same.
        deviation('limit', says, blames, cost, { ...change, shownLess: limit - perMinute }),
        ...(limit > perMinute
          ? [
              deviation(
                'limit',
                `${says}, and Remaining does not follow`,
                blames,
                cost + 2 * deviationPrices.header,
                {
                  ...change,
                  believesRemaining: false,
                },
              ),
            ]
          : [
              deviation('capacity', `admits only ${limit} at once`, tooFew, cost, {
                capacity: limit,
              }),
            ]),
      ];
    }),
    deviation('no limit', 'never rejects', tooMany, deviationPrices.header, {
      limit: unlimited,
      capacity: unlimited,
      believesRemaining: false,
    }),
    ...shortWindows.flatMap((short) =>
      admittedBefore({ own }, short).map((limit) =>
        deviation(
          'second limit',
          `also admits only ${limit} in ${short / 1000} s`,
          [...tooFew, 'RATE-05'],
          deviationPrices.rare,
          { second: { limit, windowMs: short } },
        ),
      ),
    ),
    deviation('leak', 'lets some requests over the limit through', tooMany, deviationPrices.rare, {
      leaks: true,
    }),
  ];
}

/** The most requests that were admitted within a window's time. */
function mostAdmitted({ own, windowMs }: History): number {
  const times = own.flatMap(({ outcome, sentAt }) => (outcome === 'admitted' ? [sentAt] : []));
  let first = 0;
  return times.reduce((most, time, index) => {
    while ((times[first] ?? time) < time - windowMs) first += 1;
    return Math.max(most, index - first + 1);
  }, 0);
}

/** How many were admitted up to each first rejection, since the one before. */
function admittedBetweenRejections({ own }: Pick<History, 'own'>): number[] {
  const counts: number[] = [];
  let count = 0;
  for (const { outcome } of own) {
    if (outcome === 'admitted') count += 1;
    if (outcome === 'rejected' && count > 0) {
      counts.push(count);
      count = 0;
    }
  }
  const most = counts.toSorted((a, b) => b - a);
  return [...new Set(most)].slice(0, 3);
}

/** How many were admitted within a time before each first rejection. */
function admittedBefore({ own }: Pick<History, 'own'>, short: number): number[] {
  const counts = own.flatMap(({ outcome, sentAt }, index) => {
    if (outcome !== 'rejected' || own[index - 1]?.outcome === 'rejected') return [];
    return own.filter(
      (one) => one.outcome === 'admitted' && one.sentAt <= sentAt && one.sentAt > sentAt - short,
    ).length;
  });
  return [...new Set(counts.filter((count) => count > 0))].slice(0, 3);
}

function windows({ windowMs }: History): Deviation[] {
  const shares = [1 / 4, 1 / 3, 1 / 2, 3 / 4, 11 / 12, 5 / 4, 3 / 2, 2];
  return shares.map((share) =>
    deviation(
      'window',
      `counts over ${Math.round((share * windowMs) / 1000)} s instead of ${windowMs / 1000} s`,
      share < 1 ? ['LIMIT-02'] : ['LIMIT-01'],
      deviationPrices.usual,
      { windowMs: share * windowMs },
    ),
  );
}

function operations(history: History): Deviation[] {
  const used = operationNames.filter((name) => history.own.some(({ operation }) => operation === name));
  const rejects = history.own.some(({ outcome }) => outcome === 'rejected');
  return [
    ...used.flatMap((name) => {
      const blames = name === 'listPets' ? tooMany : (['LIMIT-09'] as const);
      const rule = (cost: number, exempt: boolean): Partial<Hypothesis> => ({
        rules: { [name]: { cost, exempt } },
      });
      return [
        deviation(
          'free',
          `does not count ${name}`,
          [...blames, 'RATE-05'],
          deviationPrices.usual,
          rule(0, false),
        ),
        ...(rejects
          ? [deviation('exempt', `never rejects ${name}`, blames, deviationPrices.usual, rule(1, true))]
          : []),
        ...(name === 'listPets'
          ? []
          : [
              deviation(
                'capped',
                `also rejects ${name} by a limit of its own`,
                ['LIMIT-03', 'LIMIT-09'],
                deviationPrices.rare,
                { rules: { [name]: { cost: 1, exempt: false, capped: true } } },
              ),
            ]),
        ...[2, 3, 4, 5, 10].map((cost) =>
          deviation(
            'dear',
            `counts each ${name} as ${cost}`,
            name === 'listPets' ? [...tooFew, 'RATE-05'] : ['LIMIT-09', 'RATE-05'],
            deviationPrices.usual,
            rule(cost, false),
          ),
        ),
      ];
    }),
    ...[2, 3].map((cost) =>
      deviation('dear', `counts each request as ${cost}`, [...tooFew, 'RATE-05'], deviationPrices.usual, {
        rules: Object.fromEntries(operationNames.map((name) => [name, { cost, exempt: false }])),
      }),
    ),
  ];
}

const countedApart: readonly Deviation[] = [
  deviation('apart', 'counts each operation by itself', ['LIMIT-09', 'RATE-05'], deviationPrices.usual, {
    partition: 'operation',
  }),
  deviation('apart', 'counts reading and writing apart', ['LIMIT-09', 'RATE-05'], deviationPrices.usual, {
    partition: 'method',
  }),
];

const shared = deviation('shared', 'counts all callers together', ['LIMIT-08'], deviationPrices.usual, {
  partition: 'shared',
});

const concurrency: readonly Deviation[] = [
  deviation(
    'race',
    'loses count of requests that arrive at the same time',
    ['LIMIT-03'],
    deviationPrices.usual,
    {
      overlapping: 'lost',
    },
  ),
  deviation(
    'lock',
    'rejects requests only because they arrive at the same time',
    ['LIMIT-03'],
    deviationPrices.usual,
    {
      overlapping: 'rejected',
    },
  ),
];

function restorations({ plan: { perMinute }, own }: History): Deviation[] {
  const starts = own.flatMap(({ headers, outcome }, index) => {
    const before = own[index - 1];
    const isFirst = before !== undefined && before.outcome === 'rejected' && outcome === 'admitted';
    return isFirst && headers.remaining !== undefined && headers.period === 'minute'
      ? [perMinute - 1 - headers.remaining]
      : [];
  });
  const carried = new Set([Math.round(perMinute / 2), perMinute, ...starts].filter((count) => count > 0));
  return [
    ...[...carried]
      .slice(0, 5)
      .map((count) =>
        deviation(
          'carried',
          count >= perMinute ? 'never restores the limit' : `begins each window with ${count} used`,
          ['LIMIT-14'],
          deviationPrices.usual,
          { carried: count },
        ),
      ),
    deviation('carried', 'begins each window with 5 more used', ['LIMIT-14'], deviationPrices.rare, {
      carried: 5,
      carriesMore: true,
    }),
    deviation('renewed', 'begins the window anew with every request', ['LIMIT-01'], deviationPrices.usual, {
      renewedBy: 'requests',
    }),
    deviation('renewed', 'begins the window anew with every 429', ['LIMIT-14'], deviationPrices.usual, {
      renewedBy: 'rejections',
    }),
    deviation('emptied', 'gives the whole limit back after a 429', tooMany, deviationPrices.usual, {
      emptied: true,
    }),
  ];
}

function headers({ own }: History): Deviation[] {
  if (!own.some(({ headers: { remaining } }) => remaining !== undefined)) return [];
  return [
    deviation(
      'remaining',
      'reports a Remaining that is not what is left',
      ['RATE-05'],
      deviationPrices.header,
      {
        believesRemaining: false,
      },
    ),
  ];
}
