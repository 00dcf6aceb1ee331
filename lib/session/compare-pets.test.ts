import { describe, expect, it } from 'vitest';
import type { Probe } from '../requirement/requirement.js';
import { ApiResponse } from './api-response.js';
import { creationOf, exchangeOf } from '../verdict/testing/exchange.js';
import { Judgement } from '../verdict/judgement.js';
import { animalOf, type Animal } from './animal.js';
import { judgeAsCreated, judgeUntouched } from './compare-pets.js';

type Fields = Readonly<Record<string, unknown>>;

function animal(shown: Fields): Animal {
  const found = animalOf(shown);
  if (!found) throw new Error('an animal has an id');
  return found;
}

/** What is found if an animal that was created from `sent` and shown as `returned` is later shown as `shown`. */
function findings(sent: Fields, returned: Fields, shown: Fields): string[] {
  const judgement = new Judgement('LIST-10');
  const created = { animal: animal(returned), response: new ApiResponse(creationOf(returned, { sent })) };
  const showing = { by: 'the listing', responses: [new ApiResponse(exchangeOf())] };
  judgeAsCreated(judgement, created, animal(shown), showing);
  return judgement.findings.map(({ message, expected, received }) => `${message}: ${expected}, ${received}`);
}

const sent = { name: 'Rex', categoryId: 9007199254740993n, status: 'sold' };
const returned = { id: 1, ...sent };

describe('an animal as it was created', () => {
  it('is shown with the same fields, and others beside them', () => {
    expect(findings(sent, returned, { ...returned, tags: [], createdAt: 'now' })).toEqual([]);
    expect(findings(sent, { ...returned, createdAt: 'then' }, { ...returned, createdAt: 'now' })).toEqual([]);
  });

  it.each([
    [{ name: 'rex' }, '`name`'],
    [{ categoryId: 9007199254740992n }, '`categoryId`'],
    [{ categoryId: '9007199254740993' }, '`categoryId`'],
    [{ status: 'pending' }, '`status`'],
    [{ status: undefined }, '`status`'],
    [{ status: null }, '`status`'],
  ])('is not one with %o', (change, field) => {
    const [finding] = findings(sent, returned, { ...returned, ...change });
    expect(finding).toContain(`the listing shows another ${field} than the creation returned`);
  });

  it('may show a status that the creation left untold, as none was sent', () => {
    const { status: _status, ...silent } = sent;
    expect(findings(silent, { id: 1, ...silent }, { ...returned, status: 'available' })).toEqual([]);
    expect(
      findings(silent, { ...returned, status: 'available' }, { ...returned, status: 'sold' }),
    ).not.toEqual([]);
  });

  it('is not judged by a field that the creation had wrong already', () => {
    expect(findings(sent, { ...returned, name: 'REX' }, { ...returned, name: 'Rex' })).toEqual([]);
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
