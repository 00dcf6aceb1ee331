import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Exchange } from '../lib/http/exchange/exchange.js';
import { explanationRecord } from '../lib/limits/diagnose/explanation-record.js';
import { limitsOfRecord } from '../lib/limits/limits-of-run.js';
import { proveAgainst } from '../lib/proof/prove.js';
import { readExchanges } from '../lib/record/recorded-exchanges.js';
import { faults } from '../lib/reference/faults/faults.js';
import { limitFaults } from '../lib/reference/faults/limits/limit-faults.js';
import type { ReferenceOptions } from '../lib/reference/options.js';
import { plans } from '../lib/specification/plan.js';
import { exchangeOf } from '../lib/verdict/testing/exchange.js';
import { writeReports } from '../reports/renderers.js';
import { conformingRecord } from '../reports/testing/sample-record.js';
import { verifyRun } from '../reports/verify/verify-run.js';
import { judgeAgain } from './judge-exchanges.js';

async function runInto(options: ReferenceOptions): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'petstore-judged-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  await proveAgainst(options, { settings: { directory, profile: 'quick' } });
  await writeReports(directory, []);
  return directory;
}

function faultOfLimits(name: string): ReferenceOptions {
  const fault = limitFaults.find((one) => one.name === name);
  if (!fault) throw new Error(`there is no fault ${name}`);
  return fault.options;
}

const faultOf = (id: string): ReferenceOptions => {
  const fault = faults.find(({ breaks }) => breaks.length === 1 && breaks.some((broken) => broken === id));
  if (!fault) throw new Error(`no fault breaks ${id} alone`);
  return fault.options;
};

it.each([
  ['a conforming service', {}],
  ['a service with a wrong error status', faultOf('ERR-02')],
  ['a service with a wrong reset', faultOf('RATE-03')],
])('comes to the verdicts of the run itself, for %s', async (_, options) => {
  const verification = await verifyRun(await runInto(options), judgeAgain);
  expect(verification.differences).toEqual([]);
  expect(verification.confirmed.length).toBeGreaterThan(15);
  expect(verification.code).toBe(0);
});

it.each([
  ['a conforming limiter', {}],
  ['a limiter that refills', { limiter: { algorithm: 'token-bucket' } }],
  ['a limiter that admits one more', faultOfLimits('limit-one-more')],
] as const)('comes to the same limits, from the files alone, for %s', async (_, options) => {
  const directory = await mkdtemp(join(tmpdir(), 'petstore-judged-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const record = await proveAgainst(options, {
    settings: { directory, limits: 'minute', only: ['LIMIT'] },
    target: { plan: plans.free, otherApiKey: 'pets_other_Vh3NsJ8yGf5PaXeU' },
  });
  await writeReports(directory, []);
  const verification = await verifyRun(directory, judgeAgain);
  expect(verification.differences).toEqual([]);
  const tried = record.requirements.filter(
    ({ id, verdict }) => id.startsWith('LIMIT') && verdict !== 'not-tested',
  );
  expect(tried.length).toBeGreaterThan(11);
  expect(verification.confirmed).toEqual(expect.arrayContaining(tried.map(({ id }) => id)));
  // Not the verdicts alone: each result, and the explanation that the report draws.
  const exchanges: Exchange[] = [];
  for await (const exchange of readExchanges(directory)) exchanges.push(exchange);
  const again = await judgeAgain(readExchanges(directory), record);
  for (const result of tried) expect(again).toContainEqual(result);
  const [plan] = record.plans ?? [];
  const [limits] = limitsOfRecord(record, exchanges).plans;
  const explained = limits?.minute && explanationRecord(limits.minute.diagnosis, plan?.requirements ?? []);
  expect(explained).toEqual(plan?.explanation);
});

it('finds a verdict that was changed in the record', async () => {
  const directory = await runInto(faultOf('ERR-02'));
  const file = join(directory, 'report.json');
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace(/("id": "ERR-02"[^}]*"verdict": )"fail"/u, '$1"pass"'));
  await rm(join(directory, 'manifest.json'));
  const { differences } = await verifyRun(directory, judgeAgain);
  expect(differences).toMatchObject([{ id: 'ERR-02', recorded: 'pass', again: 'fail' }]);
});

/** A day's run: the same listing again and again, and a service that gives each error a number of its own. */
async function* aLongDay(): AsyncGenerator<Exchange> {
  const pet = { id: 7n, name: 'pc1 a long day', categoryId: 1n, status: 'sold' };
  const common = { method: 'POST', operation: 'createPet', sent: { ...pet, id: undefined } } as const;
  yield exchangeOf({ ...common, status: 201, json: pet });
  for (let time = 0; time < 1_000; time += 1) {
    yield exchangeOf({ json: [time % 2 === 0 ? pet : { ...pet, name: 'pc1 another' }] });
    const error = { code: `E-${time}`, message: 'no key', status: 401 };
    yield exchangeOf({ credential: 'missing', status: 401, json: error });
  }
}

it('counts what is seen again and again, and keeps some of it', async () => {
  const rows = await judgeAgain(aLongDay(), conformingRecord());
  const row = (id: string) => rows.find((one) => one.id === id);
  expect(row('LIST-10')).toMatchObject({
    verdict: 'fail',
    checks: 1_000,
    findings: [{ message: 'the listing shows another `name` than the creation returned', occurrences: 500 }],
  });
  expect(row('LIST-10')?.findings[0]?.exchanges).toHaveLength(4);
  const observations = row('ERR-05')?.observations ?? [];
  expect(observations).toHaveLength(201);
  expect(observations.at(-1)).toMatchObject({ behaviour: 'another code, 800 times' });
});
