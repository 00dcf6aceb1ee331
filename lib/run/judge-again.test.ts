import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { verifyRun } from '../../reports/verify/verify-run.js';
import type { ProofOptions } from '../proof/prove.js';
import type { RunRecord } from '../evidence/record/record.js';
import { faults } from '../reference/faults/faults.js';
import { limitFaults } from '../reference/faults/limits/limit-faults.js';
import { referenceKeys } from '../reference/keys.js';
import type { ReferenceOptions } from '../reference/options.js';
import { serveReference } from '../reference/serve.js';
import { variants } from '../reference/variants/variants.js';
import openApiDocument from '../specification/openapi.json' with { type: 'json' };
import { plans } from '../specification/plan.js';
import { writeManifest } from '../../reports/finished-run.js';
import { suiteVersion } from './suite-name.js';
import { confirmedIn, runInFolder } from './testing/recorded-run.js';

const optionsOf = (name: string): ReferenceOptions => {
  const found = [...faults, ...variants, ...limitFaults].find((one) => one.name === name);
  if (!found) throw new Error(`there is no fault or variant ${name}`);
  return found.options;
};

const judged = ({ requirements }: RunRecord): string[] =>
  requirements.filter(({ verdict }) => verdict !== 'not-tested').map(({ id }) => id);

/** Of all that a run does, a little. */
const quick: ProofOptions = { settings: { profile: 'quick' } };

describe('a run comes out of its exchanges again, with every result', () => {
  it.each<[what: string, options: ReferenceOptions, proof?: ProofOptions]>([
    ['of a conforming service', {}],
    ['of a service with a wrong reset', optionsOf('reset-in-seconds-to-go'), quick],
    ['that waited for listings', optionsOf('listing-lags'), quick],
    ['whose connections were dropped', optionsOf('connection-dropped-on-a-bad-limit'), quick],
    ['that only read', {}, { target: { readOnly: true } }],
    ['of a few requirements', {}, { settings: { only: ['ERR-02', 'LIST-05'], except: ['LIST-06'] } }],
    ['that came to the end of its budget', {}, { settings: { maxRequests: 40 } }],
    ['paced as on the Free plan', {}, { ...quick, target: { plan: plans.free } }],
    ['of a key that looks otherwise', {}, { ...quick, target: { apiKey: 'xets-0123456789-abcdefx' } }],
  ])('%s', async (_, options, proof) => {
    const { directory, record } = await runInFolder(options, proof);
    const verification = await verifyRun(directory);
    expect(verification.remarks.filter(({ mark }) => mark === '✗')).toEqual([]);
    expect(confirmedIn(verification)).toBe(judged(record).length);
    expect(verification.code).toBe(0);
  });

  it.each<[what: string, options: ReferenceOptions]>([
    ['a conforming limiter', {}],
    ['a limiter that refills', { limiter: { algorithm: 'token-bucket' } }],
    ['a limiter that admits one more', optionsOf('limit-one-more')],
  ])('with the limits of the minute, for %s', async (_, options) => {
    const { directory, record } = await runInFolder(options, {
      settings: { limits: 'minute', only: ['RATE', 'LIMIT'] },
      target: { plan: plans.free, otherApiKey: 'pets_other_Vh3NsJ8yGf5PaXeU' },
    });
    const verification = await verifyRun(directory);
    expect(confirmedIn(verification)).toBe(judged(record).length);
    expect(judged(record).filter((id) => id.startsWith('LIMIT')).length).toBeGreaterThan(11);
    expect(verification.code).toBe(0);
  });

  it('with the limit of the day', async () => {
    const { directory } = await runInFolder(optionsOf('day-one-more'), {
      settings: { limits: 'day', only: ['LIMIT-10'] },
      target: { plan: { name: 'enterprise', perMinute: 60, perDay: 200 } },
    });
    const verification = await verifyRun(directory);
    expect([verification.code, confirmedIn(verification)]).toEqual([0, 1]);
    // The counts of the record are worth nothing without the ledger that was written request by request.
    const file = join(directory, 'report.json');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace(/"admitted": \d+/u, '"admitted": 150'));
    const changed = await verifyRun(directory);
    expect(changed.remarks.map((one) => one.text)).toContainEqual(expect.stringMatching(/^plans recorded/u));
    await writeFile(file, text);
    await rm(join(directory, 'ledger.jsonl'));
    const { remarks } = await verifyRun(directory);
    expect(remarks.map((one) => one.text)).toContainEqual(
      expect.stringMatching(/^LIMIT-10 can't be judged/u),
    );
  });
});

it('compares an interface description again, by what was read of it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-description-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const description = join(folder, 'openapi.json');
  const { '/pets/{petId}': _, ...paths } = openApiDocument.paths as Record<string, unknown>;
  await writeFile(description, JSON.stringify({ ...openApiDocument, paths }));
  const settings = { description, only: ['DESC', 'VERSION-01'] };
  const { directory, record } = await runInFolder({}, { settings });
  await rm(description);
  const verification = await verifyRun(directory);
  const failed = record.requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  expect(failed).not.toEqual([]);
  expect([verification.code, confirmedIn(verification)]).toEqual([0, judged(record).length]);
});

it('plays an interrupted run to the end of its record', async () => {
  const interruption = new AbortController();
  let received = 0;
  const { directory, record } = await runInFolder(
    {},
    {
      ...quick,
      signal: interruption.signal,
      listener: {
        exchange() {
          received += 1;
          if (received === 40) interruption.abort(new Error('the run was interrupted'));
        },
      },
    },
  );
  expect(record.run.complete).toBe(false);
  const verification = await verifyRun(directory);
  expect(verification.remarks.filter(({ mark }) => mark === '✗')).toEqual([]);
  expect(confirmedIn(verification)).toBeGreaterThan(5);
  expect(verification.code).toBe(3);
});

it('comes to the end of a run whose target was lost, by itself', async () => {
  const service = await serveReference({});
  let received = 0;
  const { directory, record } = await runInFolder(
    {},
    {
      ...quick,
      serve: async () => ({ baseUrl: service.baseUrl, close: async () => undefined }),
      key: referenceKeys.business.key,
      listener: {
        exchange() {
          received += 1;
          if (received === 30) void service.close();
        },
      },
    },
  );
  expect(record.run.stopped).toMatch(/target/u);
  const verification = await verifyRun(directory);
  expect(verification.remarks.filter(({ mark }) => mark === '✗')).toEqual([]);
  expect(confirmedIn(verification)).toBeGreaterThan(3);
  expect(verification.code).toBe(3);
});

it('names what it can not play again', async () => {
  const { directory } = await runInFolder({}, { settings: { profile: 'quick', only: ['LIST'] } });
  const file = join(directory, 'report.json');
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace(`"version": "${suiteVersion}"`, '"version": "0.0.9"'));
  await writeManifest(directory);
  const older = await verifyRun(directory);
  expect(older.code).toBe(3);
  expect(older.remarks.at(-1)?.text).toContain(
    `run npx petstore-conformance@0.0.9 report verify ${directory}`,
  );
});

it('stops where the run did that was to stop at a failure', async () => {
  const { directory, record } = await runInFolder(optionsOf('one-more-than-limit'), {
    settings: { bail: 1, profile: 'quick' },
  });
  const notReached = record.requirements.filter(({ reason }) => reason?.includes('--bail') === true);
  expect(notReached.length).toBeGreaterThan(3);
  const { remarks } = await verifyRun(directory);
  expect(remarks.filter(({ mark }) => mark === '✗')).toEqual([]);
});
