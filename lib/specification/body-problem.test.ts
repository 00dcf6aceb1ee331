import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodyProblems } from './body-problem.js';
import { parseJson } from './json-value.js';
import { schemaProblems } from './testing/body-schema.js';

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
    expect(bodyProblems(kind, value)).toEqual([]);
  });
});

describe('a faulty body', () => {
  const { id: _id, ...idless } = rex;
  it.each([
    ['Pet', idless, '/id', 'absent'],
    ['Pet', { ...rex, id: '1' }, '/id', '"1"'],
    ['Pet', { ...rex, id: 2n ** 63n }, '/id', '9223372036854775808'],
    ['Pet', { ...rex, categoryId: Infinity }, '/categoryId', 'a number beyond the range of a double'],
    ['Pet', { ...rex, name: null }, '/name', 'null'],
    ['Pet', { ...rex, status: null }, '/status', 'null'],
    ['Pet', { ...rex, status: 'Sold' }, '/status', '"Sold"'],
    ['Pet', [rex], '', JSON.stringify([rex])],
    ['Pets', { items: [rex] }, '', '{"items":[{"id":1,"name":"Rex","categoryId":2}]}'],
    ['Pets', [rex, null], '/1', 'null'],
    ['Pets', [rex, { ...rex, status: 'x'.repeat(100) }], '/1/status', `"${'x'.repeat(59)}…`],
    ['Error', { ...error, status: 404.5 }, '/status', '404.5'],
    ['Error', 'Not found', '', '"Not found"'],
  ] as const)('is refused as a %s: %o', (kind, value, pointer, received) => {
    expect(bodyProblems(kind, value)).toMatchObject([{ pointer, received }]);
  });

  it('is reported in full: each property, what was expected of it, and what came', () => {
    const required = 'openapi.json#/components/schemas/Error/required';
    const text = { expected: 'a string', received: 'absent', described: required };
    expect(bodyProblems('Error', {})).toEqual([
      { pointer: '/code', property: 'code', ...text },
      { pointer: '/message', property: 'message', ...text },
      { ...text, pointer: '/status', property: 'status', expected: 'an integer' },
    ]);
  });

  it.each([
    ['Pet', { ...rex, id: '1' }, '/Pet/allOf/1/properties/id'],
    ['Pet', { ...rex, name: 1 }, '/NewPet/properties/name'],
    ['Pet', { ...rex, status: 'x' }, '/NewPet/properties/status'],
    ['Pet', idless, '/Pet/allOf/1/required'],
    ['Pets', rex, '/Pets'],
    ['Pets', [null], '/Pet'],
    ['Error', { ...error, code: 1 }, '/Error/properties/code'],
  ] as const)('cites the place in the interface description: a %s %o', (kind, value, place) => {
    expect(bodyProblems(kind, value)).toMatchObject([
      { described: `openapi.json#/components/schemas${place}` },
    ]);
  });
});

describe('hostile bodies', () => {
  it('with a fraction that a double rounds to an integer are refused', () => {
    const body = parseJson('{"id":1.00000000000000000001,"name":"Rex","categoryId":2}');
    expect(bodyProblems('Pet', body.ok && body.value)).toMatchObject([
      { pointer: '/id', received: '1.00000000000000000001' },
    ]);
  });

  it('with a `__proto__` key do not borrow its fields', () => {
    const body = parseJson(`{"__proto__":${JSON.stringify(rex)}}`);
    expect(bodyProblems('Pet', body.ok && body.value)).toHaveLength(3);
  });

  it('nested as deep as is read are judged', () => {
    const body = parseJson(
      `{"id":1,"name":"Rex","categoryId":2,"more":${'['.repeat(999)}${']'.repeat(999)}}`,
    );
    expect(bodyProblems('Pet', body.ok && body.value)).toEqual([]);
  });

  it('of a hundred thousand animals are judged to the end, and reported by about twenty problems', () => {
    const listing: unknown[] = Array.from({ length: 100_000 }, (_, id) => ({ ...rex, id }));
    expect(bodyProblems('Pets', [...listing, { ...rex, id: null }])).toMatchObject([
      { pointer: '/100000/id' },
    ]);
    expect(
      bodyProblems(
        'Pets',
        listing.map(() => ({})),
      ).length,
    ).toBeLessThan(30);
  });
});

describe('the schemas and the OpenAPI document', () => {
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
    fc.bigInt({ min: -(2n ** 100n), max: 2n ** 100n }),
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
        const pointers = bodyProblems(kind, body).map(({ pointer }) => pointer);
        expect(new Set(pointers)).toEqual(new Set(schemaProblems(kind, body)));
      }),
      { numRuns: 500 },
    );
  });
});
