import { describe, expect, it } from 'vitest';
import type { RequirementId } from '../../specification/catalogue.js';
import { evidenceOf, judgedBy, limited, times, type Sent } from '../testing/limited.js';
import { isRepeatWanted } from './odds.js';

const other = 'PETSTORE_OTHER_API_KEY';
/** A window that is exhausted in sequence, and twelve requests and more at once in each of the next two. */
const usual = [...times(5, 8), 60.5, ...times(62, 14, 0), 121, ...times(123, 14, 0)];
const conforming = limited(usual);
const oneMore = limited(usual, { admits: 6, shows: (left) => Math.max(0, left - 1) });
const oneLess = limited(usual, { admits: 4 });

function verdict(id: RequirementId, sent: readonly Sent[], facts?: Parameters<typeof evidenceOf>[1]): string {
  return judgedBy(id, evidenceOf(sent, facts)).verdict;
}

/** The history with its rejections changed. */
function withRejections(change: Partial<Sent>): Sent[] {
  return conforming.map((one) => (one.status === 429 ? { ...one, ...change } : one));
}

describe.each([
  ['LIMIT-01', 'less', oneLess, 'inconclusive'],
  ['LIMIT-02', 'more', oneMore, 'fail'],
  ['LIMIT-03', 'more', oneMore, 'fail'],
  ['LIMIT-03', 'less', oneLess, 'inconclusive'],
  ['LIMIT-09', 'more', oneMore, 'fail'],
  ['LIMIT-09', 'less', oneLess, 'inconclusive'],
] as const)('%s', (id, admits, faulty, expected) => {
  it('passes a limiter that conforms', () => {
    expect(verdict(id, conforming)).toBe('pass');
  });

  // One of five may be what a bucket rounds.
  it(`does not pass one that admits ${admits}`, () => {
    expect(verdict(id, faulty)).toBe(expected);
  });

  it('stays open if the limit was not reached', () => {
    expect(verdict(id, limited(times(5, 3)))).toBe('inconclusive');
  });
});

describe('a limiter that conforms passes, and a faulty one does not', () => {
  it.each<[RequirementId, string, readonly Sent[], string]>([
    ['LIMIT-02', 'another status in the place of 429', withRejections({ status: 503 }), 'fail'],
    [
      'LIMIT-05',
      'a rejection after the wait',
      limited([...times(5, 6), 15.6]).map((one) => (one.status === 429 ? { ...one, retryAfter: '10' } : one)),
      'fail',
    ],
    ['LIMIT-06', 'another moment', withRejections({ retryAfter: '60' }), 'warn'],
    ['LIMIT-14', 'nothing that is back', limited([...times(5, 7), 62, 125], { carried: 5 }), 'fail'],
    ['RATE-05', 'a Remaining that stands still', conforming.map((one) => ({ ...one, remaining: 4 })), 'fail'],
  ])('%s: %s', (id, _title, faulty, expected) => {
    expect(verdict(id, conforming)).toBe('pass');
    expect(verdict(id, faulty)).toBe(expected);
  });
});

it('LIMIT-09 names what a creation uses that is rejected while one request is left', () => {
  const sent = limited([-56, ...times(5, 8), ...times(61, 10), ...times(121, 10)], { creation: 2 });
  const result = judgedBy('LIMIT-09', evidenceOf(sent));
  expect(result.findings[0]?.received).toContain('counts each createPet as 2');
});

it.each([
  ['passes if', 'burst', 'pass'],
  ['stays open unless', 'sequence', 'inconclusive'],
] as const)(
  'LIMIT-03 %s the requests at once were meant to be a burst, though few came together',
  (_name, phase, expected) => {
    const few = limited([...times(5, 2), 5.4, 5.4, 5.4, 5.4]).map((one) => ({ ...one, phase }));
    expect(verdict('LIMIT-03', few)).toBe(expected);
  },
);

it.each([
  [403, 'pass'],
  [503, 'fail'],
])('LIMIT-02 with %d behind 429s that were ignored: %s', (status, expected) => {
  const sent = limited(times(5, 9));
  const first = sent.findIndex((one) => one.status === 429);
  const banned = sent.map((one, index) => (index > first ? { ...one, status } : one));
  expect(verdict('LIMIT-02', banned)).toBe(expected);
});

it('asks for a repeat only if a verdict is open', () => {
  expect(isRepeatWanted(evidenceOf(conforming))).toBe(false);
  expect(isRepeatWanted(evidenceOf(limited(times(5, 8))))).toBe(true);
});

describe('LIMIT-04', () => {
  it('passes whole seconds within the window', () => {
    expect(verdict('LIMIT-04', conforming)).toBe('pass');
  });

  it.each(['0', '12.5', '-3', '3600', '1767268800'])('fails %s', (retryAfter) => {
    expect(verdict('LIMIT-04', withRejections({ retryAfter }))).toBe('fail');
  });
});

describe('LIMIT-05', () => {
  it('goes by the latest 429: it fails if that was not kept, though one before asked for longer, and not the other way round', () => {
    const rejection = { status: 429, remaining: 0, reset: 60 };
    const history = (...waits: readonly [first: string, second: string]): Sent[] => [
      ...limited(times(5, 6)).map((one) => (one.status === 429 ? { ...one, retryAfter: waits[0] } : one)),
      { ...rejection, at: 20, retryAfter: waits[1] },
      { ...rejection, at: 40.4, retryAfter: '20' },
    ];
    expect(verdict('LIMIT-05', history('40', '20'))).toBe('fail');
    expect(verdict('LIMIT-05', history('20', '45'))).toBe('inconclusive');
    // What came later than told proves nothing: another client may have come between.
    expect(verdict('LIMIT-05', history('40', '5'))).toBe('inconclusive');
  });

  it('stays open if nothing was sent after the wait', () => {
    expect(verdict('LIMIT-05', limited(times(5, 7)))).toBe('inconclusive');
  });

  it('takes 0 at its word: the next request is served, or it fails', () => {
    const toldNothing = (times: readonly number[]): Sent[] =>
      limited(times).map((one) => (one.status === 429 ? { ...one, retryAfter: '0' } : one));
    expect(verdict('LIMIT-05', toldNothing([...times(5, 6), 5.9]))).toBe('fail');
    expect(verdict('LIMIT-05', toldNothing([...times(59.3, 6), 60.1]))).toBe('pass');
    // By then others may have come.
    expect(verdict('LIMIT-05', toldNothing([...times(5, 6), 7]))).toBe('inconclusive');
  });
});

describe('LIMIT-06', () => {
  it('does not apply without a Reset', () => {
    const sent = conforming.map((one) => ({ ...one, reset: undefined }));
    expect(verdict('LIMIT-06', sent)).toBe('not-applicable');
  });
});

describe('LIMIT-08', () => {
  const control: Sent = { at: 61, caller: other };

  it.each([
    ['passes if a second key is served', 200, 'pass'],
    ['fails if it is rejected', 429, 'fail'],
  ] as const)('%s while the first is over its limit', (_name, status, expected) => {
    const sent = [...limited(times(5, 6)), { at: 6, caller: other, status }, control];
    expect(verdict('LIMIT-08', sent)).toBe(expected);
  });

  it('stays open if the second key is never served', () => {
    const sent = [...limited(times(5, 6)), { at: 6, caller: other, status: 429 }];
    expect(verdict('LIMIT-08', sent)).toBe('inconclusive');
  });
});

describe('LIMIT-11 and LIMIT-13', () => {
  it('name the algorithm, and what counts', () => {
    const { observations } = judgedBy('LIMIT-11', evidenceOf(conforming));
    expect(JSON.stringify(observations)).toContain('fixed window aligned to the clock (certain)');
    const costs = judgedBy('LIMIT-13', evidenceOf(conforming));
    expect(JSON.stringify(costs.observations)).toContain('no effect');
  });

  it('say nothing of what was not sent', () => {
    expect(verdict('LIMIT-11', [])).toBe('inconclusive');
    expect(verdict('LIMIT-13', limited(times(5, 3)))).toBe('inconclusive');
  });
});

describe('LIMIT-14', () => {
  it.each([
    ['passes', 'Remaining shows it', true, 'pass'],
    ['is open', 'no Remaining shows it', false, 'inconclusive'],
  ] as const)(
    '%s if the run itself has used up what came back bit by bit, and %s',
    (_verdict, _shown, isShown, expected) => {
      const log = [5, 15, 25, 35, 45].map((at, index) => ({ at, remaining: 4 - index, reset: 65 }));
      const rejection = { status: 429, remaining: 0 };
      const sent = [
        ...log,
        { ...rejection, at: 46, reset: 65, retryAfter: '19' },
        { at: 65.2, remaining: 0, reset: 75 },
        { ...rejection, at: 66.2, reset: 75, retryAfter: '9' },
        ...(isShown ? [{ at: 76.2, remaining: 0, reset: 85 }] : []),
      ];
      const told = sent.map(({ remaining, ...one }) => (isShown ? { ...one, remaining } : one));
      expect(verdict('LIMIT-14', told)).toBe(expected);
    },
  );

  it('does not apply without a Reset', () => {
    const sent = conforming.map((one) => ({ ...one, reset: undefined }));
    expect(verdict('LIMIT-14', sent)).toBe('not-applicable');
  });
});

describe.each([
  ['LIMIT-05', 60.9],
  ['LIMIT-14', 115],
] as const)('%s, of requests sent together after the announced time,', (id, at) => {
  const before = limited(times(5, 8));
  const together = (sentAt: number, ...statuses: readonly number[]): Sent[] =>
    statuses.map((status) => ({
      at: sentAt,
      status,
      remaining: 0,
      reset: sentAt + 5,
      ...(status === 429 && { retryAfter: '5' }),
    }));

  it('passes if one is served, though the first is rejected', () => {
    expect(verdict(id, [...before, ...together(66, 429, 200, 429)])).not.toBe('fail');
  });

  it('fails if all are rejected', () => {
    expect(verdict(id, [...before, ...together(at, 429, 429, 429)])).toBe('fail');
  });
});

it.each([
  ['waits as it was told, if the wait is 0 in the last second of a window alone', '0', 'sleep "$told"'],
  ['goes on to the next window, if another wait is shown late', '1.5', 'sleep 61'],
])('the command of LIMIT-04 %s', (_name, last, expected) => {
  const sent = limited([...times(5, 7), 59.5]).map((one) =>
    one.at > 59 ? { ...one, retryAfter: last } : one,
  );
  const [finding] = judgedBy('LIMIT-04', evidenceOf(sent)).findings;
  expect(finding?.reproduce).toContain(expected);
});

describe('what proves that too many were admitted', () => {
  it.each([
    [
      'as many as the limit and one, close together',
      [5, 6, 7, 8, 9, 10],
      'within 5.02 s: a limiter of 5 requests in 60 s admits at most 5',
    ],
    [
      'a request that is admitted though nothing remained, if time may have given some back',
      [5, 20, 35, 49, 50, 51],
      '1 request beyond the limit of 5 requests in 60 s, the last of them e6',
    ],
  ])('is %s', (_name, begin, shown) => {
    const sent = limited([...begin, 52, 53, ...usual.map((at) => at + 60)], {
      admits: 6,
      shows: (left) => Math.max(0, left - 1),
    });
    const [finding] = judgedBy('LIMIT-02', evidenceOf(sent)).findings;
    expect(finding?.message).toContain(shown);
  });
});

describe('a bucket that is refilled with one each second, as nginx does it', () => {
  it.each([
    [60, 'pass', ''],
    [61, 'fail', 'a token bucket of 61 in 61 s'],
  ] as const)('and holds %i: LIMIT-02 is %s', (holds, expected, named) => {
    let [room, last] = [0, 0];
    const exhausting = [
      ...times(1.3, 12),
      ...times(7.34, 64, 0.025),
      9.35,
      9.6,
      9.9,
      ...times(36.4, 30, 0.025),
    ];
    const sent = [...exhausting, 106.1, ...times(170.4, 63, 0)].map((at): Sent => {
      room = Math.min(holds, last === 0 ? holds : room + at - last);
      last = at;
      const isAdmitted = room >= 1;
      room -= isAdmitted ? 1 : 0;
      return { at, status: isAdmitted ? 200 : 429, limit: 60 };
    });
    const plan = { name: 'free', perMinute: 60, perDay: 1000 } as const;
    const judged = judgedBy('LIMIT-02', evidenceOf(sent, { plan }));
    expect(judged.verdict).toBe(expected);
    expect(judged.findings[0]?.received ?? '').toContain(named);
  });
});

it('a counter whose Retry-After is always a minute has its windows where Reset says', () => {
  const [ends, limit] = [48.8, 60];
  const used = new Map<number, number>();
  const at = [...times(1, 40, 0.03), ...times(6, 22, 0.03), 8.2, 27.6, 46.2, 49.2, 61.8, 67.2, 83.2, 86.2];
  const sent = [...at, ...times(86.4, 50, 0)].map((now): Sent => {
    const window = Math.floor((now - ends) / 60);
    const gone = (now - ends) / 60 - window;
    const rate = Math.round((used.get(window - 1) ?? 0) * (1 - gone) + (used.get(window) ?? 0));
    const isAdmitted = rate < limit;
    if (isAdmitted) used.set(window, (used.get(window) ?? 0) + 1);
    const reset = Math.floor(ends + 60 * (window + 1));
    const told = { remaining: limit - rate - Number(isAdmitted), reset, limit };
    return { at: now, ...told, status: isAdmitted ? 200 : 429, ...(!isAdmitted && { retryAfter: '60' }) };
  });
  const plan = { name: 'free', perMinute: limit, perDay: 1000 } as const;
  const { best, history } = evidenceOf(sent, { plan }).diagnosis;
  const begin = (history.own[0]?.sentAt ?? 0) - 1_000;
  const [from, to] = best.hypothesis.phase ?? [0, 0];
  expect(best.hypothesis.algorithm).toBe('sliding counter');
  expect(-from).toBeGreaterThanOrEqual(begin + ends * 1_000);
  expect(-to).toBeLessThanOrEqual(begin + ends * 1_000);
});

it('a limit of each operation is named, though errors that are counted seem to be free in one for all', () => {
  const used = new Map<string, number>();
  const operations = ['listPets', 'createPet', 'getPet'] as const;
  const faulty = [1, 1.3, 1.6, 2, 2.3].map((at, index) => ({
    at,
    operation: operations[1 + (index % 2)],
    error: true,
  }));
  const byTurns = times(12, 96, 0.04).map((at, index) => ({
    at,
    operation: operations[index % 3],
    error: false,
  }));
  const atOnce = times(66, 63, 0).map((at, index) => ({
    at,
    operation: operations[index % 3],
    error: false,
  }));
  const sent = [...faulty, ...byTurns, ...atOnce].map(({ at, operation = 'listPets', error }): Sent => {
    const window = `${operation} ${Math.floor(at / 60)}`;
    used.set(window, (used.get(window) ?? 0) + 1);
    const served = operation === 'createPet' ? 201 : 200;
    const refused = operation === 'createPet' ? 400 : 404;
    const remaining = 60 - (used.get(window) ?? 0);
    return {
      at,
      operation,
      status: error ? refused : served,
      remaining,
      limit: 60,
      reset: at < 60 ? 60 : 120,
    };
  });
  const plan = { name: 'free', perMinute: 60, perDay: 1000 } as const;
  const [finding] = judgedBy('LIMIT-09', evidenceOf(sent, { plan })).findings;
  expect(finding?.received).toContain('counts each operation by itself');
});

describe('RATE-05', () => {
  it.each([['passes if only errors were counted, until they were answered', 400, 'pass']] as const)(
    '%s',
    (_name, status, expected) => {
      const beside = [2, 1].map((remaining) => ({ at: 65, status, remaining, reset: 120 }));
      const rising = [
        { at: 64, remaining: 4, reset: 120 },
        ...beside,
        { at: 65, remaining: 3, reset: 120 },
        { at: 65.1, remaining: 2, reset: 120 },
      ];
      expect(verdict('RATE-05', rising)).toBe(expected);
    },
  );

  it('passes if errors are given back once they are answered', () => {
    const late = [4, 3, 3, 3, 2, 2, 1].map((remaining, index) => ({
      at: 5 + index / 10,
      status: [2, 3, 5].includes(index) ? 400 : 200,
      remaining: remaining - Number([2, 3, 5].includes(index)),
      reset: 60,
    }));
    expect(verdict('RATE-05', late)).toBe('pass');
  });

  it.each([
    ['fails if it falls by two each time, whoever else may have come', 1, 'fail'],
    ['passes if others come between every second two', 2, 'pass'],
  ] as const)('%s', (_name, every, expected) => {
    let remaining = 60;
    const sent = times(5, 20, 0.1).map((at, index) => {
      remaining -= index % every === 0 ? 2 : 1;
      return { at, remaining, limit: 60, reset: 60 };
    });
    const plan = { name: 'free', perMinute: 60, perDay: 1000 } as const;
    expect(judgedBy('RATE-05', evidenceOf(sent, { plan })).verdict).toBe(expected);
  });

  it('passes if requests at the same time are told what all of them left', () => {
    const together = limited([...times(5, 8), ...times(62, 14, 0)]).map((one) =>
      one.at === 62 ? { ...one, remaining: 0 } : one,
    );
    expect(verdict('RATE-05', together)).toBe('pass');
  });

  it.each([
    ['fails if it stands still for one operation, though what was used before may come back', 0, 'fail'],
    ['passes if it falls for each operation while more comes back', 1, 'pass'],
  ] as const)('%s', (_name, fetched, expected) => {
    let remaining = 290;
    const sent = times(130, 40, 0.021).map((at, index) => {
      const operation = index % 8 === 0 ? ('getPet' as const) : ('listPets' as const);
      const back = fetched === 1 && index % 10 === 9 ? 1 : 0;
      remaining += back - (operation === 'getPet' ? fetched : 1);
      return { at, operation, remaining, limit: 300, reset: 180 };
    });
    const plan = { name: 'pro', perMinute: 300, perDay: 10_000 } as const;
    expect(judgedBy('RATE-05', evidenceOf(sent, { plan })).verdict).toBe(expected);
  });

  it.each([
    ['fails if it jumps up again and again', (index: number) => 300 - ((index * 37) % 101), 'fail'],
    ['passes if it rises once, as a window begins', (index: number) => 299 - ((index + 20) % 40), 'pass'],
  ] as const)('%s', (_name, remainingAt, expected) => {
    const sent = times(59.59, 40, 0.021).map((at, index) => ({
      at,
      remaining: remainingAt(index),
      limit: 300,
      reset: at < 60 ? 60 : 120,
    }));
    const plan = { name: 'pro', perMinute: 300, perDay: 10_000 } as const;
    expect(judgedBy('RATE-05', evidenceOf(sent, { plan })).verdict).toBe(expected);
  });

  it('stays open if it is told once', () => {
    expect(verdict('RATE-05', limited([5]))).toBe('inconclusive');
  });
});
