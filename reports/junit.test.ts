import { readFile } from 'node:fs/promises';
import { parse } from 'junit2json';
import { expect, it } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { z } from 'zod';
import { catalogue } from '../lib/specification/catalogue.js';
import type { RunRecord } from '../lib/evidence/record/record.js';
import { junitXml } from './junit.js';
import { hostileName } from './testing/sample-exchanges.js';
import {
  conformingRecord,
  faultyRecord,
  oneCauseRecord,
  recordOf,
  sampleRows,
} from './testing/sample-record.js';

/** What junit2json, a reader of the format, gives of a document with suites. */
const textsSchema = z.array(z.object({ inner: z.string() })).optional();
const caseSchema = z.object({
  name: z.string(),
  classname: z.string(),
  failure: z.array(z.object({ message: z.string(), type: z.string(), inner: z.string() })).optional(),
  error: textsSchema,
  skipped: textsSchema,
  'system-out': z.array(z.string()).optional(),
});
const documentSchema = z.object({
  tests: z.int(),
  failures: z.int(),
  errors: z.int(),
  testsuite: z.array(z.object({ name: z.string(), skipped: z.int(), testcase: z.array(caseSchema) })),
});

const xmlOf = async (record: RunRecord): Promise<string> => junitXml(record);

async function casesOf(record: RunRecord) {
  const document = documentSchema.parse(await parse(await xmlOf(record)));
  const cases = document.testsuite.flatMap(({ testcase }) => testcase);
  return { document, byId: new Map(cases.map((one) => [one.name.split(' ')[0], one])) };
}

it("fits Jenkins' schema, with a case for each requirement, and counts as many as it has", async () => {
  const schema = await readFile(new URL('testing/jenkins-junit.xsd', import.meta.url), 'utf8');
  const xml = await Promise.all([faultyRecord(), conformingRecord(), strict(faultyRecord())].map(xmlOf));
  const checked = await validateXML({
    xml: xml.map((contents, index) => ({ fileName: `${index}.xml`, contents })),
    schema,
  });
  expect(checked.errors).toEqual([]);
  const { document, byId } = await casesOf(faultyRecord());
  expect([...byId.keys()]).toEqual(expect.arrayContaining(catalogue.map(({ id }) => id)));
  expect(document.tests).toBe(catalogue.length);
  expect(document.failures).toBe([...byId.values()].filter(({ failure }) => failure).length);
  expect(document.failures).toBe(7);
});

it('tells failures with their findings, skips with their reasons, and warnings beside a pass', async () => {
  const { byId } = await casesOf(faultyRecord());
  expect(byId.get('LIST-02')).toMatchObject({
    classname: 'functional.LIST',
    failure: [
      {
        type: 'MUST',
        inner: expect.stringContaining('expected  at most 2 animals\n    received  3 animals'),
      },
    ],
  });
  expect(byId.get('LIST-09')?.skipped?.[0]?.inner).toContain('Waived until 2026-04-30 by store team');
  expect(byId.get('LIMIT-08')?.skipped?.[0]?.inner).toBe('not tested: needs a second key: --other-api-key');
  expect(byId.get('AUTH-06')?.error?.[0]?.inner).toMatch(/^inconclusive: /u);
  expect(byId.get('AUTH-07')?.failure).toBeUndefined();
  expect(byId.get('AUTH-07')?.['system-out']?.[0]).toMatch(
    /^! AUTH-07 .*\n {2}A 401 does not name its scheme/u,
  );
  const failsIfStrict = (await casesOf(strict(faultyRecord()))).byId.get('AUTH-07');
  expect(failsIfStrict?.failure?.[0]?.type).toBe('SHOULD');
});

it('tells as errors of their own that the run was cut off, and what is wrong with its waivers', async () => {
  const record = faultyRecord({ waiverProblems: ['LIST-01 passed: its waiver is not needed'] });
  record.run = { ...record.run, complete: false, stopped: 'the target was lost' };
  const { document } = await casesOf(record);
  const { testcase = [] } = document.testsuite.at(-1) ?? {};
  expect(testcase.slice(-2).map(({ error }) => error?.[0]?.inner)).toEqual([
    'the target was lost',
    'LIST-01 passed: its waiver is not needed',
  ]);
  expect(document.errors).toBe(4);
});

it('has the own findings of each requirement in its case', async () => {
  const { byId } = await casesOf(oneCauseRecord());
  expect(byId.get('CREATE-05')?.failure?.[0]?.inner).toContain('    curl -d 30');
  const own = byId.get('ROBUST-01')?.failure?.[0];
  expect(own?.message).toBe('createPet responds 422');
  expect(own?.inner).toMatch(
    /^✗ ROBUST-01 .*\n {2}createPet responds 422\n {4}expected {2}201 or 400 or 401\n[^]*\n {4}curl -d 22\n/u,
  );
  expect(own?.inner).not.toContain('CREATE-05');
});

it('carries any text of the target as text', async () => {
  const received = `${hostileName}\u0001\u009b\uffff\ud800 ]]> <!-- & "[[ATTACHMENT|/etc/passwd]]`;
  const findings = [{ message: received, received, exchanges: [] }];
  const { byId } = await casesOf(recordOf(sampleRows({ 'GET-01': { verdict: 'fail', findings } })));
  expect(byId.get('GET-01')?.failure?.[0]?.inner).toContain('<script>alert(1)</script>');
  expect(byId.get('GET-01')?.failure?.[0]?.message).toContain('\\x01\\x9b\\uffff\\ud800 ]]> <!-- & "');
  expect(await xmlOf(recordOf(sampleRows({ 'AUTH-07': { verdict: 'warn', findings } })))).not.toContain(
    '[[ATTACHMENT',
  );
});

function strict(record: RunRecord): RunRecord {
  return { ...record, run: { ...record.run, strict: true } };
}
