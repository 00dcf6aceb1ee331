import { describe, expect, it } from 'vitest';
import type { Exchange } from '../http/exchange/exchange.js';
import type { Probe } from '../requirement/requirement.js';
import { ApiResponse } from './api-response.js';
import { creationOf, exchangeOf } from '../verdict/testing/exchange.js';
import { Judgement } from '../verdict/judgement.js';
import { animalOf, type Animal } from './animal.js';
import { judgeKept, judgeUntouched } from './compare-pets.js';
import { KnownPets } from './known-pets.js';

type Fields = Readonly<Record<string, unknown>>;

function animal(shown: Fields): Animal {
  const found = animalOf(shown);
  if (!found) throw new Error('an animal has an id');
  return found;
}

const sent = { name: 'Rex', categoryId: 9007199254740993n, status: 'sold' };
const returned = { id: 1, ...sent };

describe('a field that a creation returned as it was sent', () => {
  const judgedHistory = (field: 'name' | 'status', exchanges: Exchange[]): Judgement => {
    const judgement = new Judgement('CREATE-13');
    const knownPets = new KnownPets(() => 'pc7');
    for (const exchange of exchanges) knownPets.see(exchange);
    const probe: Partial<Probe> = { judgement, exchanges, store: { knownPets } as Probe['store'] };
    judgeKept(probe as Probe, field, (shown) => typeof shown === 'string');
    return judgement;
  };
  const judged = (...later: Exchange[]): Judgement =>
    judgedHistory('name', [...later.slice(1), creationOf(returned), ...later.slice(0, 1)]);
  const got = (name: unknown): Exchange => exchangeOf({ operation: 'getPet', json: { ...returned, name } });
  const listed = (name: unknown): Exchange => exchangeOf({ json: [{ ...returned, name }] });

  it('is kept if getPet and listings show it so', () => {
    expect([judged(got('Rex')).findings, judged(listed('Rex')).checks]).toEqual([[], 1]);
  });

  it('was sent: a status that was omitted may be shown later although the creation did not show it', () => {
    const { status: _status, ...silent } = returned;
    const { id: _id, ...body } = silent;
    const listing = exchangeOf({ json: [{ ...silent, status: 'available' }] });
    expect(judgedHistory('status', [creationOf(silent, { sent: body }), listing]).findings).toEqual([]);
  });

  it('is lost if one of them shows another', () => {
    expect(judged(got('Re')).findings).toMatchObject([{ received: '"Re"', pointer: '/name' }]);
    expect(judged(listed('REX')).findings).toMatchObject([{ received: '"REX"' }]);
  });

  it('is not compared with what is omitted, of another type, or another animal of that identifier', () => {
    for (const judgement of [judged(got(undefined)), judged(got(7)), judged(listed('Rex'), listed('Old'))])
      expect(judgement.findings).toEqual([]);
  });
});

describe('an animal that must not be changed', () => {
  const before = animal({ id: 1, name: 'Rex', categoryId: 7, status: 'sold' });
  const attempts = [{ name: 'Cuckoo', status: 'pending' }];
  const got = (status: number, json?: unknown): ApiResponse =>
    new ApiResponse(exchangeOf({ operation: 'getPet', status, json }));
  const after = async (
    status: number,
    json?: unknown,
    former?: ApiResponse,
    unchanged = true,
  ): Promise<Judgement> => {
    const judgement = new Judgement('ROBUST-02', { 'GET-01': 'it is shown otherwise' });
    const probe = { judgement, store: { once: () => Promise.resolve(unchanged) } } as unknown as Probe;
    const untouched = { created: before, before: former, after: got(status, json), by: 'PUT' };
    await judgeUntouched(probe, untouched, attempts);
    return judgement;
  };

  it('is untouched as before, and if a field is shown in another way', async () => {
    expect((await after(200, before.shown)).findings).toEqual([]);
    expect((await after(200, { ...before.shown, status: undefined })).findings).toEqual([]);
    expect((await after(200, { ...before.shown, name: 'rex' })).findings).toEqual([]);
  });

  it.each([
    [200, { ...before.shown, name: 'Cuckoo' }, 'PUT changed an animal'],
    [200, { ...before.shown, status: 'pending' }, 'PUT changed an animal'],
    [404, { code: 'not_found' }, 'PUT removed an animal'],
  ])('is not after %i %j', async (status, json, message) => {
    expect((await after(status, json)).findings).toMatchObject([{ message }]);
  });

  it('is untouched if getPet shows it in its own way before and after', async () => {
    const shouted = { ...before.shown, name: 'REX', visits: 2 };
    expect((await after(200, shouted, got(200, { ...shouted, visits: 1 }))).findings).toEqual([]);
    expect((await after(200, before.shown, got(404, { code: 'not_found' }))).findings).toEqual([]);
  });

  it.each([
    [{ name: 'Rex!' }, 'name "Rex", categoryId 7, status "sold"'],
    [{ categoryId: 8 }, 'name "Rex", categoryId 7, status "sold"'],
    [{ status: 'available' }, 'name "Rex", categoryId 7, status "sold"'],
  ])('is not if getPet showed it otherwise before, %j', async (change, former) => {
    const judgement = await after(200, { ...before.shown, ...change }, got(200, before.shown));
    expect(judgement.findings).toMatchObject([
      { message: 'PUT changed an animal', expected: `the animal as before: ${former}` },
    ]);
  });

  it('is not judged if getPet shows what nobody touches otherwise, too', async () => {
    const judgement = await after(
      200,
      { ...before.shown, status: 'available' },
      got(200, before.shown),
      false,
    );
    expect([judgement.findings, judgement.open.length]).toEqual([[], 1]);
    const gone = await after(404, { code: 'not_found' }, got(200, before.shown), false);
    expect([gone.findings, gone.open.length]).toEqual([[], 1]);
  });
});
