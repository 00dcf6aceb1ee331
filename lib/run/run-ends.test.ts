import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Exchange } from '../evidence/exchange.js';
import { exchangeSchema } from '../evidence/recorded-exchange.js';
import { openIn, proveAgainst, turnedIn } from '../proof/prove.js';
import { withBehaviour, withResponses } from '../reference/changes.js';
import type { ReferenceOptions } from '../reference/options.js';
import { Refusal } from '../reference/operations/refused-request.js';
import { runRecordSchema, type RunRecord } from '../evidence/record/record.js';
import { catalogue } from '../specification/catalogue.js';

const verdictsOf = ({ requirements }: RunRecord): Set<string> =>
  new Set(requirements.map(({ verdict }) => verdict));
const resultOf = ({ requirements }: RunRecord, id: string) => requirements.find((result) => result.id === id);

/** A service that cuts every connection from a request on, and on no others. */
function goneFrom(first: number): ReferenceOptions {
  let seen = 0;
  return withResponses((answer) => {
    seen += 1;
    return seen >= first ? { ...answer, drop: true } : answer;
  });
}

describe('a key that the target refuses', () => {
  it('leaves the run incomplete, which says whose key it is, and fails nothing', async () => {
    const record = await proveAgainst({}, { target: { apiKey: 'pets_nobody_7dRt2KqLw9' } });
    expect(turnedIn(record)).toEqual([]);
    expect(record.obstacle).toMatch(/key of PETSTORE_API_KEY .*Does this key belong to http/);
    expect(record.verdict).toBe('incomplete');
    expect(resultOf(record, 'AUTH-04')).toMatchObject({ verdict: 'inconclusive', reason: record.obstacle });
    expect(record.requests.sent).toBeLessThan(12);
    expect(resultOf(record, 'CREATE-05')).toMatchObject({
      verdict: 'inconclusive',
      reason: 'nothing of this target can be judged (see AUTH-04)',
    });
    expect(record.leftovers).toEqual([]);
  });
});

describe('a limiter that lets a request through now and then', () => {
  it('ends the run at last, which says what it left out', async () => {
    let seen = 0;
    const record = await proveAgainst(
      withResponses((answer) => {
        seen += 1;
        const headers = answer.headers.filter(([name]) => !name.startsWith('X-RateLimit'));
        return seen % 12 === 0
          ? { ...answer, status: 429, headers: [...headers, ['Retry-After', '60']] }
          : answer;
      }),
    );
    expect(record.run.stopped).toContain('it waits no longer');
    expect(record.requests.waitedMs).toBeLessThan(7 * 60_000);
    const left = record.requirements.filter(({ reason }) => reason === record.run.stopped);
    expect(left.length).toBeGreaterThan(10);
    expect(record.verdict).not.toBe('conformant');
  });
});

it('a run ends when its time is used up', async () => {
  const record = await proveAgainst({}, { settings: { maxTime: 150 } });
  expect(record.run.stopped).toBe('the time of 0.15 s (--max-time) is used up');
  expect(turnedIn(record)).toEqual([]);
  expect(resultOf(record, 'CREATE-15')).toMatchObject({ verdict: 'not-tested', reason: record.run.stopped });
});

describe('a base address without /v1', () => {
  const below = (baseUrl: string): string => baseUrl.replace(/\/v1$/, '');

  it('whose /v1 answers fails VERSION-01 alone, and is said first', async () => {
    const record = await proveAgainst({}, { address: below });
    expect(turnedIn(record)).toEqual(['VERSION-01']);
    expect(record.obstacle).toMatch(/does not end with \/v1, and http.*\/v1\/pets answers/);
    expect(resultOf(record, 'ROBUST-01')).toMatchObject({ verdict: 'inconclusive', leftTo: ['VERSION-01'] });
    expect(record.requests.sent).toBe(2);
  });

  it('that refuses the key everywhere is named with the key', async () => {
    const record = await proveAgainst({}, { address: below, target: { apiKey: 'pets_nobody_7dRt2KqLw9' } });
    expect(turnedIn(record)).toEqual([]);
    expect(record.obstacle).toMatch(/Does this key belong to .*, which does not end with \/v1\?/);
  });

  it('that goes on to the animals is told in the same way', async () => {
    const record = await proveAgainst({}, { address: (baseUrl) => `${baseUrl}/pets` });
    expect(record.obstacle).toMatch(/ends with \/pets, which requests append to it\. .*\/v1(?: |\.)/);
    expect(turnedIn(record)).toEqual(['VERSION-01']);
  });

  it('where nothing listens accuses nobody', async () => {
    const record = await proveAgainst({}, { address: () => 'http://127.0.0.1:9/pets' });
    expect(turnedIn(record)).toEqual([]);
    expect(record.verdict).toBe('incomplete');
  });

  it('that is served itself is judged', async () => {
    const record = await proveAgainst({ version: 'api' });
    expect(record.obstacle).toBeUndefined();
    expect(turnedIn(record)).toEqual(['VERSION-01']);
    expect(resultOf(record, 'CREATE-01')?.verdict).toBe('pass');
  });
});

describe('a target that is lost', () => {
  it.each([2, 30, 120, 270])('from request %i on fails nothing for its silence', async (first) => {
    const record = await proveAgainst(goneFrom(first));
    expect(turnedIn(record)).toEqual([]);
    expect(record.verdict).toBe('incomplete');
    expect(record.run).toMatchObject({
      complete: false,
      stopped: expect.stringContaining('did not respond'),
    });
    expect(record.requests.sent).toBeLessThan(first + 40);
    expect(resultOf(record, 'ROBUST-01')?.verdict).toBe('inconclusive');
    const reasons = record.requirements.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'observed');
    expect(reasons.filter(({ reason }) => (reason ?? '') === '')).toEqual([]);
  });

  it('keeps what was found while it was there', async () => {
    const faulty = withResponses((answer) =>
      answer.status === 404
        ? { ...answer, status: 410, content: { code: 'gone', message: 'Gone', status: 410 } }
        : answer,
    );
    const gone = goneFrom(150);
    const record = await proveAgainst({
      alterations: [...(faulty.alterations ?? []), ...(gone.alterations ?? [])],
    });
    expect(turnedIn(record)).toContain('GET-02');
    expect(record.verdict).toBe('non-conformant');
  });
});

describe('an interruption', () => {
  it.each([1, 25, 200])('after %i exchanges leaves a whole record of what was done', async (after) => {
    const directory = await mkdtemp(join(tmpdir(), 'petstore-interrupted-'));
    onTestFinished(() => rm(directory, { recursive: true, force: true }));
    const interruption = new AbortController();
    let seen = 0;
    const record = await proveAgainst(
      {},
      {
        settings: { directory },
        signal: interruption.signal,
        listener: {
          exchange() {
            seen += 1;
            if (seen === after) interruption.abort(new Error('interrupted'));
          },
        },
      },
    );
    expect(turnedIn(record)).toEqual([]);
    expect(record.run).toMatchObject({ complete: false, stopped: 'the run was interrupted' });
    expect(resultOf(record, 'CREATE-15')).toMatchObject({
      verdict: 'not-tested',
      reason: 'the run was interrupted',
    });
    expect(record.requirements.every(({ id }) => id !== '')).toBe(true);

    const written: unknown = JSON.parse(await readFile(join(directory, 'report.json'), 'utf8'));
    expect(runRecordSchema.parse(written)).toEqual(runRecordSchema.parse(record));
    const lines = (await readFile(join(directory, 'exchanges.jsonl'), 'utf8')).trim().split('\n');
    const ids = lines.map((line) => exchangeSchema.parse(JSON.parse(line)).id);
    expect(new Set(ids).size).toBe(record.requests.sent);
  });
});

describe('a whole run', () => {
  const exchanges: Exchange[] = [];
  let record: RunRecord;
  beforeAll(async () => {
    record = await proveAgainst({}, { listener: { exchange: (one) => void exchanges.push(one) } });
  });

  it('has a result for every id, no pass without a check, and a reason for what was not judged', () => {
    expect(record.requirements.length).toBe(catalogue.length);
    expect(record.requirements.filter(({ verdict, checks }) => verdict === 'pass' && checks === 0)).toEqual(
      [],
    );
    const open = new Set<string>(['not-tested', 'not-applicable', 'inconclusive']);
    expect(record.requirements.filter(({ verdict, reason }) => open.has(verdict) && !reason)).toEqual([]);
    expect(verdictsOf(record)).toEqual(new Set(['pass', 'observed', 'not-tested', 'not-applicable']));
  });

  it('sends all else while it waits for what refused creations may leave late', () => {
    const purposes = exchanges.map(({ purpose }) => purpose);
    const refused = exchanges.findLastIndex(
      ({ operation, purpose, response }) =>
        operation === 'createPet' && (response?.status ?? 0) >= 400 && purpose !== 'CREATE-15',
    );
    expect(refused).toBeGreaterThan(0);
    expect(refused).toBeLessThan(purposes.indexOf('side effects'));
    const afterWait = purposes.slice(purposes.lastIndexOf('side effects') + 1);
    expect(new Set(afterWait)).toEqual(new Set(['CREATE-15']));
  });

  it('sends last what no listing may survive, and requests a listing behind it', () => {
    const [creation, listing] = exchanges.slice(-2);
    expect(creation?.request.body).toContain('\\ud800');
    expect(listing?.operation).toBe('listPets');
  });

  it('tells what it left behind: every animal that it created', async () => {
    const service: { names: string[] } = { names: [] };
    const record = await proveAgainst(
      withResponses((answer, _asked, { store }) => {
        service.names = [...store.oldestFirst()].map(({ name }) => name);
        return answer;
      }),
    );
    expect(record.leftovers.map(({ name }) => name).toSorted()).toEqual(service.names.toSorted());
  });

  it('judges what was asked last, too', async () => {
    // Only LIST-08 asks for pages after the bursts, in the last phase but one.
    const late = withResponses((answer, asked, { store }) => {
      const page =
        asked.operation === 'listPets' && asked.query.get('limit') === '100' && asked.query.has('status');
      return page && store.size > 95
        ? { ...answer, headers: answer.headers.filter(([name]) => name !== 'X-RateLimit-Limit') }
        : answer;
    });
    expect(turnedIn(await proveAgainst(late))).toEqual(['RATE-01']);
  });
});

describe('a target that knows but one category', () => {
  const knowsOnly42 = withBehaviour(({ checkCategoryId }) => ({
    checkCategoryId(value) {
      if (checkCategoryId(value) !== 42n) throw new Refusal('invalid-body', 'There is no such category.');
      return 42n;
    },
  }));

  it('is judged by the one that the user names, but for the range of categories', async () => {
    const record = await proveAgainst(knowsOnly42, { target: { categoryId: 42n } });
    expect(turnedIn(record)).toEqual([]);
    expect(openIn(record)).toEqual(['CREATE-12']);
  });

  it('is not accused if the user names none, and is told what to do', async () => {
    const record = await proveAgainst(knowsOnly42);
    expect(turnedIn(record)).toEqual([]);
    expect(record.verdict).toBe('incomplete');
    expect(resultOf(record, 'CREATE-05')?.reason).toContain('NAME_CATEGORY_ID');
    expect(record.requests.sent).toBeLessThan(100);
  });

  it('is judged by one that a listed animal shows', async () => {
    const animals = [{ name: 'Resident', categoryId: 42n, status: 'sold' as const }];
    const record = await proveAgainst({ ...knowsOnly42, animals });
    expect([turnedIn(record), openIn(record)]).toEqual([[], ['CREATE-12']]);
  });
});
