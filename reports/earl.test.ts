import jsonld, { type JsonLdDocument } from 'jsonld';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { catalogue } from '../lib/specification/catalogue.js';
import { earl } from './earl.js';
import { collect } from './testing/collect.js';
import { hostileName } from './testing/sample-exchanges.js';
import { conformingRecord, faultyRecord } from './testing/sample-record.js';
import { sampleRun } from './testing/sample-folder.js';

const earlNamespace = 'http://www.w3.org/ns/earl#';
const dublinCore = 'http://purl.org/dc/terms/';
const reference = z.tuple([z.object({ '@id': z.string() })]).transform(([{ '@id': id }]) => id);
const literal = z.tuple([z.object({ '@value': z.string() })]).transform(([{ '@value': value }]) => value);

/** An assertion with every property that EARL 1.0 requires of it. */
const assertionSchema = z.object({
  '@type': z.tuple([z.literal(`${earlNamespace}Assertion`)]),
  [`${earlNamespace}assertedBy`]: reference,
  [`${earlNamespace}subject`]: reference,
  [`${earlNamespace}mode`]: reference.refine((mode) => mode === `${earlNamespace}automatic`),
  [`${earlNamespace}test`]: z.tuple([
    z.object({ '@id': z.string(), [`${dublinCore}identifier`]: literal, [`${dublinCore}title`]: literal }),
  ]),
  [`${earlNamespace}result`]: z.tuple([
    z.object({
      '@type': z.tuple([z.literal(`${earlNamespace}TestResult`)]),
      [`${earlNamespace}outcome`]: reference,
      [`${dublinCore}description`]: literal.optional(),
      [`${earlNamespace}info`]: literal.optional(),
    }),
  ]),
});

const term = z.object({ termType: z.string(), value: z.string() });
const quadsSchema = z.array(z.object({ subject: term, predicate: term, object: term }));

const offline = (url: string): never => {
  throw new Error(`the file needs ${url}`);
};

async function expanded(record = faultyRecord()) {
  const text = (await collect(earl.render(await sampleRun(record)))).join('');
  const document = JSON.parse(text) as JsonLdDocument;
  const nodes = await jsonld.expand(document, { documentLoader: offline });
  const quads = quadsSchema.parse(await jsonld.toRDF(document, { documentLoader: offline }));
  return { nodes, quads };
}

async function assertionsOf(record = faultyRecord()) {
  const { nodes } = await expanded(record);
  const rows = nodes
    .filter((node) => JSON.stringify(node['@type']) === JSON.stringify([`${earlNamespace}Assertion`]))
    .map((node) => assertionSchema.parse(node));
  const byId = new Map(
    rows.map((row) => {
      const [test] = row[`${earlNamespace}test`];
      const [result] = row[`${earlNamespace}result`];
      return [test[`${dublinCore}identifier`], result];
    }),
  );
  return { rows, byId };
}

describe('the EARL report', () => {
  it('expands offline, with an assertion for each requirement that has all that EARL requires', async () => {
    const { rows, byId } = await assertionsOf();
    expect(rows).toHaveLength(catalogue.length);
    expect([...byId.keys()]).toEqual(catalogue.map(({ id }) => id));
  });

  it.each([
    ['LIST-01', 'passed'],
    ['LIST-02', 'failed'],
    ['LIST-11', 'cantTell'],
    ['AUTH-06', 'cantTell'],
    ['DEP-02', 'inapplicable'],
    ['LIMIT-08', 'untested'],
  ])('tells %s as earl:%s', async (id, outcome) => {
    const { byId } = await assertionsOf();
    expect(byId.get(id)?.[`${earlNamespace}outcome`]).toBe(`${earlNamespace}${outcome}`);
  });

  it('tells a warning from a failure', async () => {
    const { byId } = await assertionsOf();
    expect(byId.get('AUTH-07')?.[`${earlNamespace}outcome`]).toBe('urn:petstore-conformance:outcome:warning');
  });

  it('says why, what was found, and that a failure is waived', async () => {
    const { byId } = await assertionsOf();
    expect(byId.get('LIMIT-08')?.[`${dublinCore}description`]).toBe('needs a second key: --other-api-key');
    expect(byId.get('CREATE-13')?.[`${dublinCore}description`]).toContain(hostileName);
    expect(byId.get('LIST-09')?.[`${earlNamespace}info`]).toContain('Waived until 2026-04-30');
  });

  it('makes RDF in which the assertions hang together and no address is relative', async () => {
    const { quads } = await expanded(conformingRecord());
    const subjects = quads.filter(({ predicate }) => predicate.value === `${earlNamespace}subject`);
    expect(subjects).toHaveLength(catalogue.length);
    expect(new Set(subjects.map(({ object }) => object.value)).size).toBe(1);
    const names = quads.flatMap(Object.values).filter(({ termType }) => termType === 'NamedNode');
    expect(names.filter(({ value }) => !/^(?:https?|urn):/u.test(value))).toEqual([]);
  });
});
