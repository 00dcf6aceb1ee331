import { readFile } from 'node:fs/promises';
import { parse } from 'junit2json';
import { expect, it } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { z } from 'zod';
import { catalogue } from '../lib/specification/catalogue.js';
import type { RunRecord } from '../lib/record/record.js';
import { junit } from './junit.js';
import { collect } from './testing/collect.js';
import { hostileName } from './testing/sample-exchanges.js';
import {
  conformingRecord,
  faultyRecord,
  oneCauseRecord,
  recordOf,
  sampleRows,
} from './testing/sample-record.js';
import { sampleRun } from './testing/sample-folder.js';

/** What junit2json, a reader of the format, gives of a document with suites. */
const caseSchema = z.object({
  name: z.string(),
  classname: z.string(),
  failure: z.array(z.object({ message: z.string(), type: z.string(), inner: z.string() })).optional(),
  error: z.array(z.object({ inner: z.string() })).optional(),
  skipped: z.array(z.object({ inner: z.string() })).optional(),
  'system-out': z.array(z.string()).optional(),
});
const documentSchema = z.object({
  tests: z.int(),
  failures: z.int(),
  errors: z.int(),
  testsuite: z.array(z.object({ name: z.string(), skipped: z.int(), testcase: z.array(caseSchema) })),
});

async function xmlOf(record: RunRecord): Promise<string> {
  return (await collect(junit.render(await sampleRun(record)))).join('');
}

async function casesOf(record: RunRecord) {
  const document = documentSchema.parse(await parse(await xmlOf(record)));
  const cases = document.testsuite.flatMap(({ testcase }) => testcase);
  return { document, byId: new Map(cases.map((one) => [one.name.split(' ')[0], one])) };
}

it.each([
  ['a faulty run', faultyRecord()],
  ['a conforming run', conformingRecord()],
  ['a strict run', strict(faultyRecord())],
])("fits Jenkins' schema for %s", async (_, record) => {
  const schema = await readFile(new URL('testing/jenkins-junit.xsd', import.meta.url), 'utf8');
  const { valid, errors } = await validateXML({ xml: await xmlOf(record), schema });
  expect(errors).toEqual([]);
  expect(valid).toBe(true);
});

it('has a case for each requirement, and counts as many as it has', async () => {
  const { document, byId } = await casesOf(faultyRecord());
  expect([...byId.keys()]).toEqual(expect.arrayContaining(catalogue.map(({ id }) => id)));
  expect(document.tests).toBe(catalogue.length);
  const failed = [...byId.values()].filter(({ failure }) => failure);
  expect(document.failures).toBe(failed.length);
  expect(failed).toHaveLength(7);
});

it('tells failures with their findings, skips with their reasons, and warnings beside a pass', async () => {
  const { byId } = await casesOf(faultyRecord());
  expect(byId.get('LIST-02')).toMatchObject({
    classname: 'functional.LIST',
    failure: [{ type: 'MUST' }],
  });
  expect(byId.get('LIST-02')?.failure?.[0]?.inner).toContain(
    'expected: at most 2 animals\nreceived: 3 animals',
  );
  expect(byId.get('LIST-09')?.skipped?.[0]?.inner).toContain('Waived until 2026-04-30 by store team');
  expect(byId.get('LIMIT-08')?.skipped?.[0]?.inner).toBe('not tested: needs a second key: --other-api-key');
  expect(byId.get('AUTH-06')?.error?.[0]?.inner).toMatch(/^inconclusive: /u);
  expect(byId.get('AUTH-07')?.failure).toBeUndefined();
  expect(byId.get('AUTH-07')?.['system-out']?.[0]).toContain('warn: A 401 does not name its scheme');
});

it('tells as errors of their own that the run was cut off, and what is wrong with its waivers', async () => {
  const record = faultyRecord();
  record.run = { ...record.run, complete: false, stopped: 'the target was lost' };
  record.waiverProblems = ['LIST-01 passed: its waiver is not needed'];
  const { document } = await casesOf(record);
  const { testcase = [] } = document.testsuite.at(-1) ?? {};
  expect(testcase.map(({ error }) => error?.[0]?.inner)).toEqual([
    'the target was lost',
    'LIST-01 passed: its waiver is not needed',
  ]);
  expect(document.errors).toBe(4);
});

it('tells the causes first, and the evidence of each in the case of its first requirement', async () => {
  const { byId } = await casesOf(oneCauseRecord());
  expect(await xmlOf(oneCauseRecord())).toMatch(
    /<property name="cause.1" value="CREATE-05, CREATE-06, ROBUST-01: createPet responds 422, expected 400"/u,
  );
  expect(byId.get('CREATE-05')?.failure?.[0]?.inner).toContain('reproduce: curl');
  expect(byId.get('ROBUST-01')?.failure?.[0]?.inner).toBe(
    'one cause with CREATE-05: createPet responds 422, expected 400',
  );
});

it('fails on warnings where the run is strict', async () => {
  const { byId } = await casesOf(strict(faultyRecord()));
  expect(byId.get('AUTH-07')?.failure?.[0]?.type).toBe('SHOULD');
});

it('carries any text of the target as text', async () => {
  const received = `${hostileName}\u0001\uffff\ud800 ]]> <!-- & "`;
  const record = recordOf(
    sampleRows({ 'GET-01': { verdict: 'fail', findings: [{ message: received, received, exchanges: [] }] } }),
  );
  const { byId } = await casesOf(record);
  expect(byId.get('GET-01')?.failure?.[0]?.inner).toContain('<script>alert(1)</script>');
  expect(byId.get('GET-01')?.failure?.[0]?.message).toContain('\\x01\\uffff\\ud800 ]]> <!-- & "');
});

function strict(record: RunRecord): RunRecord {
  return { ...record, run: { ...record.run, strict: true } };
}
