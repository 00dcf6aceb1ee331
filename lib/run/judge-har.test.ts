import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { reportNames } from '../options/run-options.js';
import { writeReports } from '../../reports/renderers.js';
import { verifyRun } from '../../reports/verify/verify-run.js';
import type { RunRecord } from '../evidence/record/record.js';
import { keysIn } from '../evidence/har/har.js';
import { confirmedIn } from '../run/testing/recorded-run.js';
import { plans } from '../specification/plan.js';
import { writeRun } from '../evidence/record/run-files.js';
import { judgeHar, type HarJob } from './judge-har.js';
import { base, harOf, key, tools, type Sent, type Tool } from '../evidence/har/testing/har-of-tool.js';

const all = Object.keys(tools) as Tool[];
const rex = { id: 1, name: 'Rex', categoryId: 7, status: 'sold' };
/** getPet announces its end. */
const deprecated = { Deprecation: '@1767225600', Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT' };
const error = (status: number, code: string) => ({ code, message: 'no', status });

/** What a person does with the service, as a conforming one responds. */
const conforming: readonly Sent[] = [
  { path: '/pets', status: 200, json: [] },
  { path: '/pets', body: '{"name":"Rex","categoryId":7,"status":"sold"}', status: 201, json: rex },
  { path: '/pets', body: '{"categoryId":7}', status: 400, json: error(400, 'invalid') },
  { path: '/pets?limit=1', status: 200, json: [rex] },
  { path: '/pets?status=sold', status: 200, json: [rex] },
  { path: '/pets/1', status: 200, json: rex, headers: deprecated },
  { path: '/pets/77', status: 404, json: error(404, 'missing'), headers: deprecated },
  { path: '/pets?limit=0', status: 400, json: error(400, 'invalid') },
  { path: '/pets', authorization: '', status: 401, json: error(401, 'unauthorized') },
  {
    path: '/pets',
    authorization: 'Bearer nobody-has-this-one',
    status: 401,
    json: error(401, 'unauthorized'),
  },
  { path: '/pets', status: 0 },
];

function entryWith(status: number, header: [name: string, value: string]) {
  const request = { method: 'GET', url: `${base}/pets`, headers: [header] };
  return { request, response: { status, headers: [], content: {} } };
}

interface Judged {
  readonly record: RunRecord;
  readonly directory: string;
}

async function judge(text: string, more: Partial<HarJob> = {}): Promise<Judged> {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-traffic-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, 'traffic.har');
  writeFileSync(file, text);
  const run = join(directory, 'run');
  const judged = judgeHar({ file, command: 'report judge', ...more });
  writeRun(run, judged);
  const { record } = judged;
  return { record, directory: run };
}

function idsWith({ requirements }: RunRecord, ...verdicts: readonly string[]): string[] {
  return requirements.filter(({ verdict }) => verdicts.includes(verdict)).map(({ id }) => id);
}

const changed = (path: string, change: Partial<Sent>): Sent[] =>
  conforming.map((one) => (one.path === path && one.status !== 401 ? { ...one, ...change } : one));

describe.each(all)('traffic that %s recorded', (tool) => {
  it('of a conforming service turns nothing, and what needs requests of its own is not tested', async () => {
    const { record } = await judge(harOf(tool, conforming));
    expect(idsWith(record, 'fail', 'warn', 'inconclusive')).toEqual([]);
    expect(idsWith(record, 'pass')).toEqual(expect.arrayContaining(['PET-01', 'ERR-01', 'RATE-01']));
    const untested = ['LIST-02', 'CREATE-05', 'LIMIT-01', 'DESC-01'];
    expect(idsWith(record, 'not-tested')).toEqual(expect.arrayContaining(untested));
    expect(record.requirements.find(({ id }) => id === 'LIST-02')?.reason).toContain(
      'fewer than two animals',
    );
    expect(record.verdict).toBe('partial');
    expect(record.run.traffic?.leftOut).toMatchObject({ 'without a response': 1 });
  });

  it('of a faulty service turns what it breaks', async () => {
    const faulty = changed('/pets?limit=1', { json: [{ ...rex, categoryId: 'cats' }] })
      .map((one) => (one.path === '/pets/77' ? { ...one, json: error(400, 'missing') } : one))
      .map((one) => (one.status === 400 && one.body ? { ...one, status: 422, json: error(422, 'no') } : one));
    const { record } = await judge(harOf(tool, faulty));
    expect(idsWith(record, 'fail')).toEqual(['LIST-10', 'PET-01', 'ERR-02', 'ROBUST-01']);
  });
});

it.each<[what: string, sent: Partial<Sent>]>([
  ['a parameter of its own', { path: '/pets?page=2' }],
  ['a limit beyond the range', { path: '/pets?limit=101' }],
  ['an identifier that is no integer', { path: '/pets/first' }],
  ['a name that may be too long', { body: JSON.stringify({ name: 'x'.repeat(65), categoryId: 7 }) }],
  ['a member of its own', { body: '{"name":"Rex","categoryId":7,"age":3}' }],
])('%s may be refused with any 4xx', async (_, sent) => {
  const one = { path: '/pets', status: 422, json: error(422, 'no'), ...sent };
  const { record } = await judge(harOf('Firefox', [...conforming, one]));
  expect(idsWith(record, 'fail', 'warn')).toEqual([]);
});

it('nothing of a key or a cookie is written, and the run that is written proves itself', async () => {
  const echo = changed('/pets/77', { json: { ...error(404, 'missing'), message: `no pet for ${key}` } });
  const { record, directory } = await judge(harOf('Firefox', echo), { plan: plans.free });
  await writeReports(directory, reportNames);
  for (const name of readdirSync(directory))
    expect(readFileSync(join(directory, name), 'utf8')).not.toMatch(
      /8Zt4Qm7RzT2x|cookie-secret|nobody-has-this/u,
    );
  expect(JSON.stringify(record)).not.toContain(key);
  expect(idsWith(record, 'warn')).toEqual(['ERR-04']);
  const verification = await verifyRun(directory);
  expect(confirmedIn(verification)).toBe(
    record.requirements.filter(({ verdict }) => verdict !== 'not-tested').length,
  );
  expect(verification.code).toBe(0);
});

it('what the file does not hold convicts nobody: a body, a credential that was removed, a response from a cache', async () => {
  const file = JSON.parse(harOf('Firefox', conforming)) as {
    log: {
      entries: {
        response: { content: object; status: number };
        request: { headers: { name: string; value: string }[] };
      }[];
    };
  };
  for (const { request, response } of file.log.entries) {
    response.content = {
      size: response.status === 0 ? 0 : 4_000,
      mimeType: 'application/json',
      comment: 'truncated',
    };
    for (const header of request.headers) if (header.name === 'Authorization') header.value = 'REDACTED';
  }
  const { record } = await judge(JSON.stringify(file), { plan: plans.pro });
  expect(idsWith(record, 'fail', 'warn')).toEqual([]);
  expect(idsWith(record, 'pass')).toContain('RATE-01');
  expect(idsWith(record, 'pass')).not.toContain('ERR-01');
});

it.each<[how: string, body: string, bytesSent: number, verdict: string]>([
  ['in UTF-8', 'é', 46, 'fail'],
  ['in Latin-1, shown as characters', 'é', 45, 'not-tested'],
  ['in Latin-1, shown as U+FFFD', '\ufffd', 45, 'not-tested'],
  ['that may be in any encoding', '\ufffd', -1, 'not-tested'],
])(
  'a name that was sent %s and comes back otherwise is judged by its bytes',
  async (_how, text, bytesSent, verdict) => {
    const body = JSON.stringify({ name: `Zo${text}`, categoryId: 7, status: 'sold' });
    const created = { path: '/pets', body, bytesSent, status: 201, json: { ...rex, id: 9, name: 'Zo?' } };
    const { record } = await judge(harOf('Playwright', [...conforming, created]));
    expect(record.requirements.find(({ id }) => id === 'CREATE-13')?.verdict).toBe(verdict);
  },
);

describe('what a request without the key gets', () => {
  const sent = (authorization: string, status: number, path = '/pets'): Sent => ({
    path,
    authorization,
    status,
    json: status < 400 ? [rex] : error(status, 'no'),
  });
  const verdictsOf = async (tool: Tool, ...more: readonly Sent[]): Promise<Record<string, string>> => {
    const { record } = await judge(
      harOf(tool, [...conforming.filter(({ status }) => status !== 401), ...more]),
    );
    const rows = record.requirements.filter(({ id }) => /^AUTH-0[1235]$/.test(id));
    return Object.fromEntries(rows.map(({ id, verdict }) => [id, verdict]));
  };
  const onAll = (authorization: string, status: number): Sent[] => [
    sent(authorization, status),
    { ...sent(authorization, status), body: '{"name":"Rex","categoryId":7,"status":"sold"}' },
    sent(authorization, status, '/pets/1'),
  ];

  it('is judged if others carry it', async () => {
    const refused = [...onAll('', 401), ...onAll('Bearer nobody', 401), ...onAll(key, 401)];
    const faulty = [sent('', 401, '/pets?limit=0'), sent('Bearer nobody', 401, '/pets/77')];
    expect(await verdictsOf('Firefox', ...refused, ...faulty)).toEqual({
      'AUTH-01': 'pass',
      'AUTH-02': 'pass',
      'AUTH-03': 'pass',
      'AUTH-05': 'pass',
    });
    expect(
      await verdictsOf('Firefox', sent('', 200), sent(key, 200), sent('Bearer nobody', 403)),
    ).toMatchObject({
      'AUTH-01': 'fail',
      'AUTH-02': 'fail',
      'AUTH-03': 'fail',
    });
    expect(await verdictsOf('Playwright', sent('', 400, '/pets?limit=0'))).toMatchObject({
      'AUTH-05': 'fail',
    });
  });

  it('is not, if the recorder may have removed it, or another key or a cookie was sent', async () => {
    const untested = { 'AUTH-01': 'not-tested', 'AUTH-02': 'not-tested', 'AUTH-03': 'not-tested' };
    const letThrough = [sent('', 200), sent('Bearer another', 200), sent('Basic dXNlcjpwYXNz', 200)];
    expect(await verdictsOf('Chromium DevTools', ...letThrough)).toMatchObject(untested);
    expect(await verdictsOf('Firefox', ...letThrough.slice(1), sent('Bearer [removed]', 200))).toMatchObject(
      untested,
    );
    const cookie = entryWith(200, ['Cookie', 'session=1']);
    const { credentialOf } = keysIn([cookie, entryWith(200, ['Authorization', `Bearer ${key}`])]);
    expect(credentialOf(cookie, 0)).toEqual({ credential: 'other' });
  });

  it('says nothing of a service whose bodies the file does not hold', async () => {
    const file = JSON.parse(harOf('Firefox', conforming)) as {
      log: { entries: { response: { content: object } }[] };
    };
    for (const { response } of file.log.entries) response.content = { size: 4_000 };
    const { record } = await judge(JSON.stringify(file));
    expect(idsWith(record, 'fail', 'warn')).toEqual([]);
  });
});

it('fails the rules of single operations, too, if the traffic shows what they judge', async () => {
  const others = [2, 3].map((id) => ({ ...rex, id }));
  const create = (body: string, status: number): Sent => ({
    method: 'POST',
    path: '/pets',
    body,
    status,
    json: { ...rex, id: 9 },
  });
  const { record } = await judge(
    harOf('Firefox', [
      { path: '/pets', status: 200, json: others },
      { path: '/pets?limit=1', status: 200, json: others },
      create(JSON.stringify({ name: 'Rex', categoryId: rex.categoryId, status: rex.status }), 201),
      create(JSON.stringify({ categoryId: rex.categoryId, status: rex.status }), 200),
    ]),
  );
  expect(idsWith(record, 'fail')).toEqual(expect.arrayContaining(['LIST-02', 'CREATE-05']));
});

it('the plan of the key lets the limits be judged', async () => {
  const listings = Array.from({ length: 55 }, (): Sent => ({ path: '/pets', status: 200, json: [rex] }));
  const { record } = await judge(harOf('Playwright', listings), { plan: plans.free });
  expect(idsWith(record, 'pass')).toEqual(expect.arrayContaining(['RATE-04', 'RATE-05']));
  const { record: other } = await judge(harOf('Playwright', listings), { plan: plans.pro });
  expect(idsWith(other, 'fail')).toContain('RATE-04');
});

it.each<[what: string, values: string[], secrets: string[]]>([
  ['a scheme alone', ['Bearer', 'Basic', 'Bearer a-key', 'a-secret'], ['a-key', 'a-secret']],
  ['the name of a key', ['Bearer $KEY', 'Bearer Bearer $KEY', 'x Bearer $KEY'], []],
])('%s is no secret that an error could disclose', (_what, values, secrets) => {
  const sent = values.map((value) => entryWith(401, ['Authorization', value]));
  expect(keysIn(sent).secrets).toEqual(secrets);
});

it('of several services one must be chosen, and one that is not in the file is a mistake', async () => {
  const [one, other] = [
    harOf('Firefox', conforming),
    harOf('Firefox', conforming, 'https://other.example/v1'),
  ].map((text) => JSON.parse(text) as { log: { entries: object[] } });
  one?.log.entries.push(...(other?.log.entries ?? []));
  const both = JSON.stringify(one);
  await expect(judge(both)).rejects.toThrow(
    /holds responses of https:\S+ and https:\S*other\S+: choose one with --base-url=URL/u,
  );
  const { record } = await judge(both, { baseUrl: `${base}/` });
  expect(record.target.baseUrl).toBe(base);
  await expect(judge(both, { baseUrl: 'https://nowhere.example/v1' })).rejects.toThrow(
    /holds responses of https:\S+ and/u,
  );
});

it.each([
  ['no JSON', '<har>', /is not a HAR file .*: it is not JSON/u],
  ['another JSON', '{"log":{}}', /is not a HAR file .*entries/u],
  ['an empty file', '{"log":{"entries":[]}}', /holds responses of no pet store/u],
])('%s is a mistake of the user', async (_, text, message) => {
  await expect(judge(text)).rejects.toThrow(message);
});
