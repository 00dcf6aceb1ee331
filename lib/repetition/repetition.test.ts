import '../../suites/all.js';
import { describe, expect, test } from 'vitest';
import type { Exchange } from '../http/exchange/exchange.js';
import { exchangeOf } from '../http/exchange/testing/exchange-of.js';
import type { RequirementResult, RunRecord } from '../record/record.js';
import { likeness, renamed } from './likeness.js';
import { notSentAgain, notTriedAgain } from './not-sent-again.js';
import { toRepeat } from './repetition.js';

const baseUrl = 'http://127.0.0.1/v1';

function record(...results: ReadonlyArray<Partial<RequirementResult>>): RunRecord {
  const requirements = results.map((result) => ({
    level: 'MUST' as const,
    section: '4',
    title: 'A title',
    verdict: 'pass' as const,
    checks: 1,
    findings: [],
    id: '',
    ...result,
  }));
  return { requirements, run: { strict: false }, target: { baseUrl } } as unknown as RunRecord;
}

function failing(id: string, ...exchanges: string[]): Partial<RequirementResult> {
  return { id, verdict: 'fail', findings: [{ message: 'wrong', exchanges }] };
}

/** @param at seconds after the first request */
function listing(id: string, purpose: string, query = '', at = 0, ids: readonly number[] = []): Exchange {
  const animals = ids.map((one) => ({ id: one, name: 'Rex', categoryId: 1 }));
  return exchangeOf({
    id,
    purpose,
    sentAt: new Date(Date.UTC(2026, 0, 1, 0, 0, at)).toISOString(),
    request: { method: 'GET', url: `${baseUrl}/pets${query}`, headers: [] },
    body: { text: JSON.stringify(animals) },
  });
}

function creation(id: string, purpose: string, animal: number, at = 0): Exchange {
  const body = { name: `pc1 ${purpose} 1`, categoryId: 1, status: 'sold' };
  return exchangeOf({
    id,
    purpose,
    operation: 'createPet',
    sentAt: new Date(Date.UTC(2026, 0, 1, 0, 0, at)).toISOString(),
    request: { method: 'POST', url: `${baseUrl}/pets`, headers: [], body: JSON.stringify(body) },
    status: 201,
    body: { text: JSON.stringify({ ...body, id: animal }) },
  });
}

const fetched = (id: string, purpose: string, animal: number, at: number): Exchange =>
  exchangeOf({
    id,
    purpose,
    operation: 'getPet',
    sentAt: new Date(Date.UTC(2026, 0, 1, 0, 0, at)).toISOString(),
    request: { method: 'GET', url: `${baseUrl}/pets/${animal}`, headers: [] },
    status: 500,
  });

describe('the requirements to repeat', () => {
  test.each([
    ['are those that failed', [failing('LIST-02', 'e1'), { id: 'AUTH-01' }], ['LIST-02']],
    [
      'are not those that are open beside them',
      [failing('LIST-05', 'e1'), { id: 'AUTH-01', verdict: 'inconclusive' }],
      ['LIST-05'],
    ],
    [
      'are those that are open if none failed',
      [{ id: 'AUTH-01', verdict: 'inconclusive' }, { id: 'AUTH-02' }],
      ['AUTH-01'],
    ],
    [
      'hold none that is waived',
      [{ ...failing('LIST-02', 'e1'), waived: { reason: 'r', owner: 'o', until: '2030-01-01' } }],
      undefined,
    ],
    ['are none if all passed', [{ id: 'LIST-02' }], undefined],
  ] as ReadonlyArray<readonly [string, ReadonlyArray<Partial<RequirementResult>>, string[] | undefined]>)(
    '%s',
    async (_, results, only) => {
      expect((await toRepeat(record(...results), [listing('e1', 'survey')]))?.settings.only).toEqual(only);
    },
  );
});

async function againOf(results: ReadonlyArray<Partial<RequirementResult>>, exchanges: readonly Exchange[]) {
  return (await toRepeat(record(...results), exchanges))?.settings.again;
}

describe('the requests to repeat', () => {
  test('are those that a finding shows: its own are sent by the probe, others as they were', async () => {
    const exchanges = [listing('e1', 'LIST-02', '?limit=1'), listing('e2', 'LIST-07', '?limit=2', 1)];
    expect(await againOf([failing('LIST-02', 'e1', 'e2')], exchanges)).toMatchObject([
      { path: '/pets?limit=1', of: ['LIST-02'], asItWas: false },
      { path: '/pets?limit=2', of: ['LIST-02'], asItWas: true },
    ]);
  });

  test('are sent as they were for an invariant, with the creation of an animal in their path', async () => {
    const exchanges = [creation('e1', 'CREATE-01', 7), fetched('e2', 'GET-01', 7, 1)];
    expect(await againOf([failing('ROBUST-01', 'e2')], exchanges)).toMatchObject([
      { method: 'POST', created: '7', asItWas: true },
      { path: '/pets/7', asItWas: true, status: 500 },
    ]);
  });

  test('are one for each operation and status if each of many shows the same', async () => {
    const many = Array.from({ length: 9 }, (_, index) => listing(`e${index}`, 'survey', '', index));
    const finding = { message: 'wrong', exchanges: many.map(({ id }) => id), occurrences: 9 };
    const result: Partial<RequirementResult> = { id: 'PET-01', verdict: 'fail', findings: [finding] };
    expect(await againOf([result], many)).toHaveLength(1);
  });
});

describe('what failed alike', () => {
  const refused = Array.from({ length: 20 }, (_, index) => {
    const [status, operation] = index < 15 ? [200, 'listPets' as const] : [201, 'createPet' as const];
    return exchangeOf({ id: `e${index}`, purpose: 'AUTH-03', operation, status, credential: 'malformed' });
  });
  const result: Partial<RequirementResult> = {
    id: 'AUTH-03',
    verdict: 'fail',
    findings: refused.map(({ id }) => ({ message: `${id}: got it`, exchanges: [id] })),
  };

  test('is tried by a few findings, of each operation and each requirement', async () => {
    const other = { ...result, id: 'ROBUST-02', findings: result.findings?.slice(0, 1) ?? [] };
    const settings = (await toRepeat(record(result, other), refused))?.settings;
    expect(settings?.round.findings).toBe(21);
    expect(settings?.repeated['ROBUST-02']).toEqual(['e0: got it ']);
    expect(settings?.repeated['AUTH-03']?.length).toBeLessThanOrEqual(5);
    expect(new Set(settings?.again.map(({ operation }) => operation))).toEqual(
      new Set(['listPets', 'createPet']),
    );
  });

  test('is tried whole if it is not much', async () => {
    const few = { ...result, findings: result.findings?.slice(0, 3) ?? [] };
    expect((await toRepeat(record(few), refused))?.settings.repeated['AUTH-03']).toHaveLength(3);
  });
});

describe('only the whole run can tell', () => {
  const whole = async (id: string, exchanges: readonly Exchange[]) =>
    (await toRepeat(record(failing(id, 'e2')), exchanges))?.wholeRun;

  test('if one request got one status and then another', async () => {
    const exchanges = [
      { ...fetched('e1', 'control', 7, 0), response: undefined },
      fetched('e2', 'GET-01', 7, 1),
    ];
    expect(await whole('GET-01', exchanges)).toBe('GET-01: one request got no response and 500');
    expect(await whole('GET-01', [fetched('e2', 'GET-01', 7, 1)])).toBeUndefined();
  });

  test('if one listing showed an animal at one time, and omitted it at another', async () => {
    const before = creation('e1', 'CREATE-01', 1);
    const [with1, without] = [listing('e3', 'stock', '', 3, [1]), listing('e2', 'LIST-06', '', 2)];
    expect(await whole('LIST-08', [before, without, with1])).toContain('omitted it at another time');
    expect(await whole('LIST-08', [before, without])).toBeUndefined();
    expect(
      await whole('LIST-08', [listing('e2', 'survey'), creation('e3', 'stock', 1, 2), with1]),
    ).toBeUndefined();
  });

  test('if an animal is missing from the listings, and another one created like it is not', async () => {
    const [one, other] = [creation('e1', 'stock', 1), creation('e2', 'stock', 2)];
    const missing = async (...ids: number[]) => {
      const exchanges = [one, other, listing('e3', 'stock', '', 2, ids)];
      return (await toRepeat(record(failing('LIST-08', 'e2', 'e3')), exchanges))?.wholeRun;
    };
    expect(await missing(1)).toContain('created like it');
    expect(await missing()).toBeUndefined();
  });

  test('if a listing with room omitted at first what a refused creation added', async () => {
    const { response: _, ...sent } = creation('e2', 'CREATE-09', 7);
    const refused = exchangeOf({ ...sent, status: 400 });
    const added = listing('e9', 'LIST-04', '', 9, [7]);
    const result: Partial<RequirementResult> = {
      id: 'CREATE-11',
      verdict: 'fail',
      findings: [{ message: 'added', exchanges: ['e2', 'e9'] }],
    };
    const late = async (...listings: Exchange[]) =>
      (await toRepeat(record(result), [refused, ...listings, added]))?.wholeRun;
    expect(await late(listing('e5', 'side effects', '', 5))).toBe(
      'CREATE-11: the animal was not listed at first',
    );
    expect(await late()).toBeUndefined();
    expect(await late(listing('e5', 'side effects', '?limit=1', 5, [3]))).toBeUndefined();
  });

  test('but not because a body that equals an earlier one is refused', async () => {
    const first = creation('e1', 'CREATE-01', 1);
    const { response: _, ...sent } = first;
    const equal = exchangeOf({ ...sent, id: 'e2', status: 409 });
    expect(await whole('CREATE-01', [first, equal])).toBeUndefined();
  });

  test('if a run that repeated another one has not tried everything again', async () => {
    const untried = { id: 'LIST-02', verdict: 'inconclusive', reason: notTriedAgain } as const;
    expect((await toRepeat(record(untried), []))?.wholeRun).toBe(notTriedAgain);
  });
});

describe('requests of two runs', () => {
  const request = { method: 'POST', path: '/pets' };
  const body = (text: object): string => JSON.stringify(text);

  test('are alike but for names, identifiers, and which category and status the target accepts', () => {
    expect(
      likeness({ ...request, body: body({ name: 'pc1a CREATE-07 12 x', categoryId: 7, status: 'sold' }) }),
    ).toBe(
      likeness({ ...request, body: body({ name: 'pc2b-CREATE-07 3 x', categoryId: 1, status: 'pending' }) }),
    );
    expect(likeness({ method: 'GET', path: '/pets/7' })).toBe(likeness({ method: 'GET', path: '/pets/123' }));
  });

  test.each([
    ['another kind of name', { name: 7, categoryId: 1 }],
    ['another text behind the name', { name: 'pc1a CREATE-07 12 y', categoryId: 1 }],
    ['a greater category', { name: 'pc1a CREATE-07 12 x', categoryId: 12_345_678_901_234 }],
    ['a status that is none', { name: 'pc1a CREATE-07 12 x', categoryId: 1, status: 'none' }],
  ])('differ by %s', (_, other) => {
    const one = likeness({ ...request, body: body({ name: 'pc1a CREATE-07 12 x', categoryId: 1 }) });
    expect(likeness({ ...request, body: body(other) })).not.toBe(one);
  });

  test('have names of their own, in whatever spelling, and as long as before', () => {
    const escaped = '{"name":"\\u0070\\u0063\\u0031\\u0020\\u0078\\u0020\\u0031"}';
    expect(renamed('{"name":"pc1 x 1"}', 'pc2')).toBe('{"name":"pc2-x 1"}');
    expect(renamed('{"name":52711222}', 'pc2')).toMatch(/^\{"name":(?!52711222)[1-9]\d{7}\}$/);
    expect(JSON.parse(renamed(escaped, 'pc2'))).toEqual({ name: 'pc2-x 1' });
  });

  test('that were not sent again are told', () => {
    const again = { of: ['LIST-02'], asItWas: false, method: 'GET', path: '/pets?limit=1' } as const;
    const requests = [
      { ...again, purpose: 'LIST-02', operation: 'listPets', credential: 'valid', input: 'specified' },
    ] as const;
    expect(
      notSentAgain(
        [...requests].map((one) => ({ ...one, of: [...one.of] })),
        [],
      ),
    ).toHaveLength(1);
    const sent = listing('e1', 'stock', '?limit=1');
    expect(
      notSentAgain(
        [...requests].map((one) => ({ ...one, of: [...one.of] })),
        [sent],
      ),
    ).toEqual([]);
  });
});
