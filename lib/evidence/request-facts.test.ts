import { describe, expect, it } from 'vitest';
import type { RecordedExchange } from './recorded-exchange.js';
import { readRequest } from './request-facts.js';

const base = 'http://127.0.0.1/v1';

function facts(
  request: Partial<RecordedExchange['request']>,
  operation: RecordedExchange['operation'] = 'createPet',
): ReturnType<typeof readRequest> {
  const headers: [string, string][] = [['Content-Type', 'application/json']];
  return readRequest({
    operation,
    request: { method: 'POST', url: `${base}/pets`, headers, ...request },
  });
}

function ofBody(body: string | undefined): ReturnType<typeof readRequest> {
  return facts({ body });
}

describe('a creation', () => {
  it('without a fault has none, and its integers are exact', () => {
    const { faults, unspecified, unusual, members } = ofBody(
      '{"name":"Rex","categoryId":9007199254740993,"status":"sold"}',
    );
    expect([faults, unspecified, unusual]).toEqual([[], [], ['categoryId']]);
    expect(members.categoryId).toBe(9007199254740993n);
  });

  it.each([
    ['{"categoryId":1}', ['no name']],
    ['{"name":"Rex"}', ['no categoryId']],
    ['{}', ['no name', 'no categoryId']],
    ['{"name":null,"categoryId":1}', ['name']],
    ['{"name":"Rex","categoryId":9223372036854775808}', ['categoryId']],
    ['{"name":"Rex","categoryId":"1"}', ['categoryId']],
    ['{"name":"Rex","categoryId":1.5,"status":"Sold"}', ['categoryId', 'status']],
    ['[]', ['not an object']],
    ['{"name":"Rex"', ['not an object']],
    ['', ['not an object']],
    [undefined, ['not an object']],
  ])('of %s has the faults %j', (body, faults) => {
    expect(ofBody(body).faults).toEqual(faults);
  });

  it.each([
    ['{"name":"Rex","categoryId":1,"colour":"brown"}', ['further member']],
    ['{"name":"","categoryId":1}', ['empty name']],
    ['{"name":" Rex","categoryId":1}', ['outer space']],
    ['{"name":"R\\u0007x","categoryId":1}', ['control character']],
    ['{"name":"R\\ud800x","categoryId":1}', ['lone surrogate']],
    ['{"name":"Rex","name":"Tom","categoryId":1}', ['repeated member']],
    ['{"name":"Re:x \\"name\\":","categoryId":1}', []],
  ])('of %s leaves open %j', (body, unspecified) => {
    expect(ofBody(body).unspecified).toEqual(unspecified);
  });

  it('in another media type or another encoding is unspecified', () => {
    const body = '{"name":"Rexé","categoryId":1}';
    expect(facts({ body, latin1: true }).unspecified).toEqual(['not UTF-8']);
    expect(facts({ body, headers: [['Content-Type', 'text/plain']] }).unspecified).toEqual(['media type']);
    expect(facts({ body }).unspecified).toEqual([]);
  });

  it('with a name that a store may change is unusual', () => {
    expect(ofBody('{"name":"Zoë","categoryId":1}').unusual).toEqual(['name']);
    expect(ofBody('{"name":"pc1 CREATE-01 abc 1","categoryId":1}').unusual).toEqual([]);
  });
});

describe('a listing', () => {
  it.each([
    ['', []],
    ['?limit=100&status=sold', []],
    ['?limit=101', ['limit']],
    ['?limit=1&limit=2', ['further parameter']],
    ['?status=Sold', ['status filter']],
    ['?page=2', ['further parameter']],
  ])('with %j leaves open %j', (query, unspecified) => {
    const { faults, unspecified: found } = facts({ url: `${base}/pets${query}` }, 'listPets');
    expect([faults, found]).toEqual([[], unspecified]);
  });
});

it.each([
  ['12', [], []],
  ['9223372036854775807', [], []],
  ['012', [], ['petId spelling']],
  ['12%20', [], ['petId spelling']],
  ['9223372036854775807.0', [], ['petId spelling']],
  ['9223372036854775808', ['petId'], []],
  ['12abc', ['petId'], []],
])('a `petId` %s has the faults %j and leaves open %j', (id, faults, unspecified) => {
  const found = facts({ url: `${base}/pets/${id}` }, 'getPet');
  expect([found.faults, found.unspecified]).toEqual([faults, unspecified]);
});
