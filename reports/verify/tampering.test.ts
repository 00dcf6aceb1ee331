import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { exchangeFile } from '../../lib/evidence/record/run-files.js';
import { exchangeSchema, type RecordedExchange } from '../../lib/evidence/recorded-exchange.js';
import { proveAgainst } from '../../lib/proof/prove.js';
import { recordText } from '../../lib/evidence/record/regular-file.js';
import { runRecordSchema, type RunRecord, type RequirementResult } from '../../lib/evidence/record/record.js';
import { faults } from '../../lib/reference/faults/faults.js';
import { combineOptions } from '../../lib/reference/options.js';
import { recordedCauses } from '../../lib/verdict/causes.js';
import { classResult, runVerdict } from '../../lib/verdict/class-verdict.js';
import { manifestDigest, writeManifest } from '../finished-run.js';
import { reportNames } from '../../lib/options/run-options.js';
import { writeReports, type RendererName } from '../renderers.js';
import { applyWaivers } from '../waivers.js';
import type { Witnesses } from './file-checks.js';
import { verifyRun } from './verify-run.js';

/** What a tamperer holds: he writes the manifest and the hash chain anew from what he has changed. */
interface Evidence {
  record: RunRecord;
  exchanges: RecordedExchange[];
}

const failing = 'ERR-02';
/** The files that a run is verified by; and the same with every report. */
let original: string;
let reported: string;

beforeAll(async () => {
  original = await mkdtemp(join(tmpdir(), 'petstore-tampered-'));
  const broken = faults.filter(
    ({ breaks }) => breaks.length === 1 && (breaks[0] === failing || breaks[0] === 'AUTH-07'),
  );
  const [first, second] = [
    broken.find(({ breaks }) => breaks[0] === failing),
    broken.find(({ breaks }) => breaks[0] === 'AUTH-07'),
  ];
  if (!first || !second) throw new Error('no faults break these alone');
  const recorded = await proveAgainst(combineOptions(first.options, second.options), {
    settings: {
      directory: original,
      profile: 'quick',
      // Nothing below is about these: each case judges again what was recorded.
      except: [
        'CREATE-06',
        'CREATE-07',
        'CREATE-08',
        'CREATE-09',
        'CREATE-10',
        'CREATE-11',
        'LIST-03',
        'LIST-04',
        'LIST-11',
        'LIST-12',
      ],
      command: 'petstore-conformance --waivers=waivers.yaml',
    },
  });
  const waivers = [{ id: 'AUTH-07', reason: 'known', owner: 'ann', until: '2099-01-01' }] as const;
  const record = applyWaivers(recorded, { file: 'waivers.yaml', sha256: 'a'.repeat(64), waivers });
  await writeFile(join(original, 'report.json'), recordText(record));
  await writeReports(original, []);
  reported = await mkdtemp(join(tmpdir(), 'petstore-tampered-'));
  await cp(original, reported, { recursive: true });
  await writeReports(reported, reportNames);
});
afterAll(async () => {
  for (const directory of [original, reported]) await rm(directory, { recursive: true, force: true });
});

async function copied(from = original): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'petstore-tampered-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  await cp(from, directory, { recursive: true });
  return directory;
}

async function evidenceIn(directory: string): Promise<Evidence> {
  const read = (name: string): Promise<string> => readFile(join(directory, name), 'utf8');
  return {
    record: runRecordSchema.parse(JSON.parse(await read('report.json'))),
    exchanges: (await read('exchanges.jsonl'))
      .trimEnd()
      .split('\n')
      .map((line) => exchangeSchema.parse(JSON.parse(line))),
  };
}

async function writeAgain(
  directory: string,
  { record, exchanges }: Evidence,
  reports: readonly RendererName[] = [],
): Promise<void> {
  const file = join(directory, 'exchanges.jsonl');
  await rm(file);
  const evidence = exchangeFile(file);
  for (const exchange of exchanges) evidence.append(exchange);
  evidence.close();
  await writeFile(join(directory, 'report.json'), recordText(record));
  await writeReports(directory, reports);
}

function row({ record }: Evidence, id: string): RequirementResult {
  const found = record.requirements.find((one) => one.id === id);
  if (!found) throw new Error(`there is no row ${id}`);
  return found;
}

/** The counts and verdicts that follow from changed rows. */
function summarised({ record }: Evidence): void {
  record.classes = record.classes.map(({ id }) =>
    classResult(id, record.requirements, { strict: record.run.strict }),
  );
  record.verdict = runVerdict(record.classes);
  record.causes = recordedCauses(record.requirements);
}

function find({ exchanges }: Evidence, fits: (exchange: RecordedExchange) => boolean): RecordedExchange {
  const found = exchanges.find(fits);
  if (!found) throw new Error('no exchange fits');
  return found;
}

const isOf = (purpose: string) => (one: RecordedExchange) => one.purpose === purpose;
const responds = (status: number) => (one: RecordedExchange) => one.response?.status === status;

function body(exchange: RecordedExchange, change: (text: string) => string): void {
  const { response } = exchange;
  if (!response) throw new Error('it has no response');
  const text = change(response.body.text ?? '');
  const bytes = Buffer.byteLength(text);
  response.body = { ...response.body, text, bytes };
  response.headers = response.headers.map(([name, value]) => [
    name,
    /^content-length$/iu.test(name) ? String(bytes) : value,
  ]);
}

function header(exchange: RecordedExchange, name: string, change: (value: string) => string): void {
  const { response } = exchange;
  if (!response?.headers.some(([own]) => own.toLowerCase() === name.toLowerCase()))
    throw new Error(`there is no ${name}`);
  response.headers = response.headers.map(([own, value]) => [
    own,
    own.toLowerCase() === name.toLowerCase() ? change(value) : value,
  ]);
}

function passed(evidence: Evidence, id: string): void {
  const { checks, ...result } = row(evidence, id);
  Object.assign(row(evidence, id), { ...result, verdict: 'pass', findings: [], checks });
  delete row(evidence, id).waived;
  summarised(evidence);
}

function later(time: string, milliseconds: number): string {
  return `${new Date(Date.parse(time) + milliseconds).toISOString().slice(0, 23)}${time.slice(23)}`;
}

type Tampering = (evidence: Evidence) => void;

const verdicts: Record<string, Tampering> = {
  'a failure called a pass': (e) => passed(e, failing),
  'a warning called a pass': (e) => passed(e, 'AUTH-07'),
  'a failure called inconclusive': (e) => {
    Object.assign(row(e, failing), { verdict: 'inconclusive', reason: 'the network broke', findings: [] });
    summarised(e);
  },
  'a failure called not tested': (e) => {
    Object.assign(row(e, failing), {
      verdict: 'not-tested',
      reason: 'not selected (--except)',
      selected: false,
      findings: [],
      checks: 0,
    });
    summarised(e);
  },
  'a pass called a failure': (e) => {
    Object.assign(row(e, 'LIST-02'), {
      verdict: 'fail',
      findings: [{ message: 'too many', exchanges: ['e1'] }],
    });
    summarised(e);
  },
  'a not tested row called a pass': (e) => {
    const open = e.record.requirements.find(({ verdict }) => verdict === 'not-tested');
    Object.assign(open ?? {}, { verdict: 'pass', checks: 3, selected: true });
    summarised(e);
  },
  'a row removed': (e) => {
    e.record.requirements = e.record.requirements.filter(({ id }) => id !== failing);
    summarised(e);
  },
  'a row twice': (e) => {
    e.record.requirements.push(structuredClone(row(e, 'LIST-02')));
    summarised(e);
  },
  'a MUST called a SHOULD': (e) => {
    row(e, failing).level = 'SHOULD';
    row(e, failing).verdict = 'warn';
    summarised(e);
  },
  'another title': (e) => void (row(e, failing).title = 'Errors may have any status'),
  'more checks': (e) => void (row(e, 'LIST-02').checks += 10),
  'no checks': (e) => void (row(e, 'LIST-02').checks = 0),
  'another reason': (e) => {
    const open = e.record.requirements.find(
      ({ verdict, reason }) => verdict === 'inconclusive' || reason !== undefined,
    );
    Object.assign(open ?? {}, { reason: 'it was a sunny day' });
  },
  'the verdict of the run alone': (e) => void (e.record.verdict = 'conformant'),
  'the verdict of a class alone': (e) => {
    e.record.classes = e.record.classes.map((one) => ({ ...one, verdict: 'conformant' }));
    e.record.verdict = 'conformant';
  },
  'the counts of a class': (e) => {
    e.record.classes = e.record.classes.map((one) => ({ ...one, counts: { ...one.counts, fail: 0 } }));
  },
  'a class removed': (e) => {
    e.record.classes = [];
    e.record.verdict = 'incomplete';
  },
};

const findings: Record<string, Tampering> = {
  'a finding removed': (e) => {
    row(e, failing).findings = row(e, failing).findings.slice(1);
  },
  'a finding added': (e) => void row(e, failing).findings.push({ message: 'it is slow', exchanges: ['e1'] }),
  'another message': (e) => void Object.assign(row(e, failing).findings[0] ?? {}, { message: 'a trifle' }),
  'something else expected': (e) =>
    void Object.assign(row(e, failing).findings[0] ?? {}, { expected: '999' }),
  'another exchange cited': (e) =>
    void Object.assign(row(e, failing).findings[0] ?? {}, { exchanges: ['e1'] }),
  'an exchange cited that is not there': (e) =>
    void Object.assign(row(e, failing).findings[0] ?? {}, { exchanges: ['e4711'] }),
  'another curl line in a finding': (e) =>
    void Object.assign(row(e, failing).findings[0] ?? {}, { reproduce: 'curl https://example.org' }),
  'an observation changed': (e) => {
    const observed = e.record.requirements.find(({ observations = [] }) => observations.length > 0);
    Object.assign(observed?.observations?.[0] ?? {}, { behaviour: 'as it likes' });
  },
  'a note added': (e) => void (row(e, failing).notes = ['the network is to blame']),
};

const exchanges: Record<string, Tampering> = {
  'an exchange removed': (e) => {
    const lost = find(e, isOf('AUTH-01'));
    e.exchanges = e.exchanges.filter((one) => one !== lost);
  },
  'the last exchange removed, and not counted': (e) => {
    const last = e.exchanges.pop();
    e.record.requests.sent -= 1;
    const name = last?.operation ?? 'unlisted';
    e.record.requests.byOperation[name] = (e.record.requests.byOperation[name] ?? 1) - 1;
  },
  'an exchange twice': (e) =>
    void e.exchanges.splice(5, 0, structuredClone(e.exchanges[4] ?? find(e, responds(200)))),
  'an exchange added at the end': (e) => {
    const added = structuredClone(find(e, isOf('AUTH-01')));
    e.exchanges.push({
      ...added,
      id: `e${e.exchanges.length + 1}`,
      sentAt: e.exchanges.at(-1)?.sentAt ?? added.sentAt,
    });
    e.record.requests.sent += 1;
  },
  'an exchange numbered twice': (e) => void Object.assign(e.exchanges[7] ?? {}, { id: e.exchanges[3]?.id }),
  'a number that is far too large': (e) => void Object.assign(e.exchanges[7] ?? {}, { id: 'e99999999999' }),
  'a number that is none': (e) => void Object.assign(e.exchanges[7] ?? {}, { id: 'e07' }),
  // Neighbours may have ended within the same millisecond: their order shows nothing.
  "two exchanges in each other's place": (e) => {
    const far = e.exchanges.length - 2;
    e.exchanges.splice(
      3,
      far - 2,
      ...e.exchanges.slice(far, far + 1),
      ...e.exchanges.slice(4, far),
      ...e.exchanges.slice(3, 4),
    );
  },
  'all exchanges removed': (e) => void (e.exchanges = []),
  'another status': (e) => void Object.assign(find(e, responds(400)).response ?? {}, { status: 401 }),
  'a success in the place of a refusal': (e) =>
    void Object.assign(find(e, isOf('CREATE-05')).response ?? {}, { status: 201 }),
  'a body made right': (e) => {
    for (const one of e.exchanges.filter(({ response }) => (response?.status ?? 0) >= 400))
      body(one, (text) => text.replace(/"status":\d+/u, `"status":${one.response?.status}`));
  },
  'a body of another size': (e) =>
    void Object.assign(find(e, responds(201)).response?.body ?? {}, { bytes: 3 }),
  'another name in a listing': (e) =>
    body(
      find(e, (one) => one.operation === 'listPets' && (one.response?.body.text ?? '').includes('CREATE-')),
      (text) => text.replace('CREATE-', 'CREAXE-'),
    ),
  'no response': (e) => void delete find(e, isOf('LIST-02')).response,
  'a failure of the network in the place of a response': (e) => {
    const one = find(e, isOf('CREATE-05'));
    delete one.response;
    one.failure = { kind: 'reset', message: 'the connection was reset' };
  },
  'a header removed': (e) => {
    const { response } = find(e, isOf('LIST-02'));
    if (response) response.headers = response.headers.filter(([name]) => !/^x-ratelimit-limit$/iu.test(name));
  },
  'a header added': (e) => {
    const { response } = find(e, isOf('LIST-02'));
    if (response) response.headers = [...response.headers, ['Deprecation', '@1']];
  },
  'another reset': (e) =>
    header(find(e, isOf('LIST-02')), 'X-RateLimit-Reset', (value) => `${Number(value) + 200_000}`),
  'another date': (e) => header(find(e, isOf('LIST-02')), 'Date', () => 'Sat, 01 Jan 2000 00:00:00 GMT'),
  'another origin': (e) => {
    for (const one of e.exchanges) {
      one.request.url = one.request.url.replace(/127\.0\.0\.1:\d+/u, 'petstore.example');
    }
  },
  'another target, everywhere but in its exchanges': (e) =>
    void (e.record.target.baseUrl = 'https://petstore.example/v1'),
  'another credential': (e) => void (find(e, isOf('AUTH-01')).credential = 'valid'),
  'another key sent': (e) => {
    const one = find(e, isOf('AUTH-02'));
    one.request.headers = one.request.headers.map(([name, value]) => [
      name,
      name === 'Authorization' ? 'Bearer $PETSTORE_API_KEY' : value,
    ]);
  },
  'a repeat of nothing': (e) => void (find(e, isOf('CREATE-05')).repeats = 'e1'),
  'a request sent a minute later': (e) => {
    const one = find(e, isOf('CREATE-05'));
    one.sentAt = later(one.sentAt, 60_000);
  },
  'a duration that no clock shows': (e) => void (find(e, isOf('CREATE-05')).timing.total = -4),
  'a response after the end of the run': (e) => void (find(e, isOf('CREATE-05')).timing.total = 86_400_000),
};

/** What leads to the same results: no rule can tell. */
const harmless: Record<string, Tampering> = {
  'another request body': (e) => {
    const { request } = find(e, isOf('CREATE-05'));
    request.body = '{"categoryId":1}';
  },
  'another address': (e) => {
    const one = find(e, isOf('LIST-02'));
    one.request.url = one.request.url.replace('limit=', 'limit=1');
  },
  'another seed': (e) => void (e.record.run.seed += 1),
};

const run: Record<string, Tampering> = {
  'another profile': (e) => void (e.record.run.profile = 'standard'),
  'another beginning': (e) => void (e.record.run.startedAt = later(e.record.run.startedAt, 3_600_000)),
  'more requests': (e) => void (e.record.requests.sent += 5),
  'another plan': (e) => Object.assign(e.record.target, { plan: 'pro', perMinute: 300, perDay: 10_000 }),
  'another difference of the clocks': (e) => void (e.record.target.clockDifferenceMs = 123_456),
  'leftovers removed': (e) => void (e.record.leftovers = []),
  'another selection': (e) => void Object.assign(e.record.run.options ?? {}, { except: [failing] }),
  'a note on the run': (e) => void (e.record.notes = ['The target is excellent.']),
  'a run called complete that was not': (e) => {
    e.exchanges.splice(30);
  },
  'a run called incomplete': (e) =>
    Object.assign(e.record.run, { complete: false, stopped: 'the run was interrupted' }),
  'no options': (e) => void delete e.record.run.options,
};

const waivers: Record<string, Tampering> = {
  'a waiver that has expired': (e) => {
    row(e, failing).waived = { reason: 'none', owner: 'eve', until: '2001-01-01' };
    summarised(e);
  },
  'a waiver for what passed': (e) => {
    row(e, 'LIST-02').waived = { reason: 'none', owner: 'eve', until: '2099-01-01' };
    summarised(e);
  },
  'a waiver that is not counted': (e) => {
    row(e, failing).waived = { reason: 'none', owner: 'eve', until: '2099-01-01' };
  },
  'a waiver removed, and the warning with it': (e) => passed(e, 'AUTH-07'),
};

const casesOf = (groups: Record<string, Record<string, Tampering>>): [string, Tampering][] =>
  Object.entries(groups).flatMap(([group, table]) =>
    Object.entries(table).map(([name, tamper]): [string, Tampering] => [`${group}: ${name}`, tamper]),
  );
/** They change what the suites are played on. */
const casesOfEvidence = casesOf({ exchanges, run });
/** They change what the suites never read. */
const casesOfResults = casesOf({ verdicts, findings, waivers });

async function verifiedAfter(tamper: Tampering, witnesses: Witnesses = {}): Promise<number> {
  const directory = await copied();
  const evidence = await evidenceIn(directory);
  tamper(evidence);
  await writeAgain(directory, evidence);
  return (await verifyRun(directory, witnesses)).code;
}

describe('what was changed by someone who writes manifest and hash chain anew', () => {
  it('is at least sixty things', () =>
    expect(casesOfEvidence.length + casesOfResults.length).toBeGreaterThanOrEqual(60));

  it.each([
    ['alone', []],
    ['with its reports', reportNames],
  ] as const)('is nothing in an untouched run %s', async (_, reports) => {
    const directory = await copied();
    await writeAgain(directory, await evidenceIn(directory), reports);
    const { code, remarks } = await verifyRun(directory);
    expect(remarks.filter(({ mark }) => mark === '✗')).toEqual([]);
    expect(code).toBe(0);
  });

  it.each(casesOfEvidence)('is found: %s', async (_, tamper) => {
    expect(await verifiedAfter(tamper)).not.toBe(0);
  });

  it.each(casesOfResults)('is found by the results of the exchanges: %s', async (_, tamper) => {
    expect(await verifiedAfter(tamper)).not.toBe(0);
  });

  it.each(Object.entries(harmless))(
    'is found by the digest alone if it changes no result: %s',
    async (_, tamper) => {
      const digest = await manifestDigest(original);
      expect(await verifiedAfter(tamper)).toBe(0);
      expect(await verifiedAfter(tamper, { digest })).not.toBe(0);
    },
  );
});

describe('what was changed in the files alone', () => {
  it('is nothing if the folder was copied', async () => {
    const { code, remarks } = await verifyRun(await copied(reported));
    expect([code, remarks.filter(({ text }) => text.includes('another report'))]).toEqual([0, []]);
  });

  it('is found in each report, though the manifest knows it', async () => {
    const names = ['report.html', 'junit.xml', 'summary.md'];
    const directory = await copied(reported);
    for (const name of names) await appendFile(join(directory, name), ' ');
    await writeManifest(directory);
    const { code, remarks } = await verifyRun(directory);
    expect(remarks.map(({ text }) => text)).toEqual(
      expect.arrayContaining(
        names.map((name) => `${name}: another report than the record and the exchanges give`),
      ),
    );
    expect(code).toBe(1);
  });

  it.each<[string, (text: string) => string]>([
    [
      'a member twice',
      (text) => text.replace('"verdict": "fail"', '"verdict": "pass",\n      "verdict": "fail"'),
    ],
    ['a member that nobody knows', (text) => text.replace('"seed":', '"approved": true,\n    "seed":')],
    ['white space', (text) => text.replace('{', '{ ')],
  ])('is found in the record: %s', async (_, change) => {
    const directory = await copied();
    const path = join(directory, 'report.json');
    const text = await readFile(path, 'utf8');
    await writeFile(path, change(text));
    expect(change(text)).not.toBe(text);
    await writeManifest(directory);
    expect((await verifyRun(directory)).code).toBe(1);
  });

  it.each(['exchanges.jsonl', 'report.json'])('is found if %s is no longer listed', async (name) => {
    const directory = await copied();
    const path = join(directory, 'manifest.json');
    const manifest = JSON.parse(await readFile(path, 'utf8')) as { files: { name: string }[] };
    await writeFile(
      path,
      JSON.stringify({ ...manifest, files: manifest.files.filter((one) => one.name !== name) }),
    );
    expect((await verifyRun(directory)).code).toBe(1);
  });
});

it('names what stands in no exchange, and finds a run that was forged as a whole by its digest alone', async () => {
  const directory = await copied();
  const evidence = await evidenceIn(directory);
  exchanges['a body made right']?.(evidence);
  passed(evidence, failing);
  await writeAgain(directory, evidence);
  const { code, remarks } = await verifyRun(directory);
  expect(code).toBe(0);
  const texts = remarks.map(({ text }) => text);
  expect(texts).toContain('Not looked at: whether waivers were given for AUTH-07.');
  expect(await manifestDigest(directory)).not.toBe(await manifestDigest(original));
});
