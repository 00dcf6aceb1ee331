import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson, writeJson } from './lossless-json.js';
import { judgeBody } from './witnesses.js';

const rex = { id: 1, name: 'Rex', categoryId: 2 };
const error = { code: 'not_found', message: 'No such animal.', status: 404 };

describe('a conforming body', () => {
  it.each([
    ['Pet', rex],
    ['Pet', { ...rex, status: 'sold', colour: 'brown' }],
    ['Pet', { ...rex, id: -(2n ** 63n), categoryId: 2n ** 63n - 1n }],
    ['Pets', []],
    ['Pets', [rex, { ...rex, id: 2 }]],
    ['Error', error],
    ['Error', { ...error, details: [null] }],
    ['Error', { ...error, status: 2n ** 70n }],
  ] as const)('is accepted as a %s: %o', (kind, value) => {
    expect(judgeBody(kind, value)).toEqual({ ok: true });
  });
});

describe('a faulty body', () => {
  const { id: _id, ...idless } = rex;
  it.each([
    ['Pet', idless, '/id', 'absent'],
    ['Pet', { ...rex, id: '1' }, '/id', '"1" (a string)'],
    ['Pet', { ...rex, id: 1.5 }, '/id', '1.5'],
    ['Pet', { ...rex, id: 2n ** 63n }, '/id', '9223372036854775808'],
    ['Pet', { ...rex, categoryId: -(2n ** 63n) - 1n }, '/categoryId', '-9223372036854775809'],
    ['Pet', { ...rex, categoryId: Infinity }, '/categoryId', 'a number beyond the range of a double'],
    ['Pet', { ...rex, name: null }, '/name', 'null'],
    ['Pet', { ...rex, name: 12n }, '/name', '12'],
    ['Pet', { ...rex, status: null }, '/status', 'null'],
    ['Pet', { ...rex, status: 'Sold' }, '/status', '"Sold" (a string)'],
    ['Pet', [rex], '', 'an array of 1'],
    ['Pet', null, '', 'null'],
    ['Pets', { items: [rex] }, '', 'an object'],
    ['Pets', [rex, null], '/1', 'null'],
    ['Pets', [rex, { ...rex, status: 'x'.repeat(100) }], '/1/status', `"${'x'.repeat(60)}…" (a string)`],
    ['Error', { ...error, status: '404' }, '/status', '"404" (a string)'],
    ['Error', { ...error, status: 404.5 }, '/status', '404.5'],
    ['Error', 'Not found', '', '"Not found" (a string)'],
  ] as const)('is refused as a %s: %o', (kind, value, pointer, received) => {
    expect(judgeBody(kind, value)).toMatchObject({ ok: false, problems: [{ pointer, received }] });
  });

  it('names the property and what was expected of it', () => {
    expect(judgeBody('Pets', [{ ...rex, id: '1' }])).toEqual({
      ok: false,
      problems: [
        {
          pointer: '/0/id',
          property: 'id',
          expected: 'an integer of 64 bits (-2^63 to 2^63 - 1)',
          received: '"1" (a string)',
        },
      ],
    });
  });

  it('is told in full, not by its first fault', () => {
    const judgement = judgeBody('Error', {});
    expect('problems' in judgement && judgement.problems.map(({ property }) => property)).toEqual([
      'code',
      'message',
      'status',
    ]);
  });
});

describe('hostile bodies', () => {
  it('with a fraction that a double rounds to an integer are refused', () => {
    const body = parseJson('{"id":1.00000000000000000001,"name":"Rex","categoryId":2}');
    expect(judgeBody('Pet', body.ok && body.value)).toMatchObject({
      problems: [{ pointer: '/id', received: '1.00000000000000000001' }],
    });
  });

  it('with a `__proto__` key do not borrow its fields', () => {
    const body = parseJson(`{"__proto__":${JSON.stringify(rex)}}`);
    expect(judgeBody('Pet', body.ok && body.value)).toMatchObject({ ok: false });
  });

  it('nested as deep as is read are judged', () => {
    const body = parseJson(
      `{"id":1,"name":"Rex","categoryId":2,"more":${'['.repeat(999)}${']'.repeat(999)}}`,
    );
    expect(judgeBody('Pet', body.ok && body.value)).toEqual({ ok: true });
  });

  it('of a hundred thousand faulty animals are told by about twenty faults', () => {
    const judgement = judgeBody(
      'Pets',
      Array.from({ length: 100_000 }, () => ({})),
    );
    expect('problems' in judgement && judgement.problems.length).toBeLessThan(30);
  });

  it('with one fault at the end of a long listing are refused', () => {
    const listing: unknown[] = Array.from({ length: 100_000 }, (_, id) => ({ ...rex, id }));
    listing.push({ ...rex, id: null });
    expect(judgeBody('Pets', listing)).toMatchObject({ problems: [{ pointer: '/100000/id' }] });
  });
});

describe('the two witnesses', () => {
  const loose = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom<unknown>(
      'available',
      'pending',
      'sold',
      'Sold',
      2n ** 63n,
      2n ** 63n - 1n,
      -0,
      1.5,
      Infinity,
    ),
    fc.bigInt(),
    fc.integer(),
    fc.string(),
  );
  const field = (valid: fc.Arbitrary<unknown>) =>
    fc.oneof({ weight: 5, arbitrary: valid }, { weight: 1, arbitrary: loose });
  const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  const animal = fc.record(
    {
      id: field(int64),
      name: field(fc.string()),
      categoryId: field(int64),
      status: field(fc.constantFrom('available', 'pending', 'sold')),
      extra: loose,
    },
    { requiredKeys: [] },
  );
  const errorLike = fc.record(
    { code: field(fc.string()), message: field(fc.string()), status: field(fc.integer()), extra: loose },
    { requiredKeys: [] },
  );
  const bodies = fc.oneof(animal, errorLike, fc.array(fc.oneof(animal, loose), { maxLength: 5 }), loose);

  it.each(['Pet', 'Pets', 'Error'] as const)('agree on every drawn body judged as a %s', (kind) => {
    fc.assert(
      fc.property(bodies, (body) => {
        expect(judgeBody(kind, body)).not.toHaveProperty('disagreement');
      }),
      { numRuns: 500 },
    );
  });

  it('judge a drawn body as they judge its text, parsed', () => {
    fc.assert(
      fc.property(animal, (body) => {
        const sent = JSON.stringify(body, (_, value: unknown) =>
          typeof value === 'bigint' ? Number.MAX_SAFE_INTEGER : value,
        );
        const parsed = parseJson(sent);
        const again = parseJson(parsed.ok ? writeJson(parsed.value) : '');
        expect(judgeBody('Pet', again.ok && again.value)).toEqual(
          judgeBody('Pet', parsed.ok && parsed.value),
        );
      }),
    );
  });
});
