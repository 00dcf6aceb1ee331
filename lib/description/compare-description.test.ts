import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../specification/openapi.js';
import { compareDescription } from './compare-description.js';
import { loadDescription, loadSpecification } from './document/load-description.js';
import { put, type Draft } from './testing/draft.js';

/** The pointers of everything that stands in a document. */
function pointersOf(value: unknown, pointer = ''): string[] {
  if (typeof value !== 'object' || value === null) return [pointer];
  return Object.entries(value).flatMap(([key, child]) => {
    const escaped = key.replaceAll('~', '~0').replaceAll('/', '~1');
    return [`${pointer}/${escaped}`, ...pointersOf(child, `${pointer}/${escaped}`)];
  });
}

const pointers = [...new Set(pointersOf(openApiDocument))].filter((pointer) => pointer !== '/openapi');

async function load(document: unknown) {
  return loadDescription('openapi.json', {
    allowOtherHosts: false,
    fetchText: async () => Promise.reject(new Error('offline')),
    readFile: async () => Promise.resolve(JSON.stringify(document)),
  });
}

const specification = await loadSpecification();

describe('the comparison', () => {
  it('bears anything at any place of a description', async () => {
    const anything = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom<unknown>({}, [], null, true, false, 'string', [null], [{}], {
        $ref: '#/components/schemas/Pet',
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...pointers), anything, async (pointer, value) => {
        const draft = structuredClone(openApiDocument) as unknown as Draft;
        put(draft, pointer, value);
        const loaded = await load(draft);
        expect(loaded.ok ? '' : loaded.message).not.toContain('\n');
        const results = loaded.ok ? Object.values(compareDescription(loaded.root, specification)) : [];
        for (const { checks, findings } of results) {
          expect(checks).toBeGreaterThanOrEqual(findings.length);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('compares nothing of operations that are not there', async () => {
    const loaded = await load({ openapi: '3.0.3', info: { version: '1.0.0' }, paths: {} });
    if (!loaded.ok) throw new Error(loaded.message);
    const results = compareDescription(loaded.root, specification);
    expect(results['DESC-02'].findings).toHaveLength(3);
    for (const id of ['DESC-03', 'DESC-04', 'DESC-05'] as const) {
      expect(results[id]).toMatchObject({ checks: 0, findings: [] });
    }
  });

  it('is quick on a chain of compositions without end', async () => {
    const schemas: Record<string, unknown> = {};
    for (let level = 0; level < 60; level++) {
      const $ref = `#/components/schemas/s${level + 1}`;
      schemas[`s${level}`] = { allOf: [{ $ref }, { anyOf: [{ $ref }, { $ref }] }] };
    }
    const draft = structuredClone(openApiDocument) as unknown as Draft;
    put(draft, '/components/schemas', {
      ...openApiDocument.components.schemas,
      ...schemas,
      s60: { $ref: '#/components/schemas/NewPet' },
    });
    put(draft, '/paths/~1pets/post/requestBody/content/application~1json/schema', {
      $ref: '#/components/schemas/s0',
    });
    const loaded = await load(draft);
    if (!loaded.ok) throw new Error(loaded.message);
    expect(compareDescription(loaded.root, specification)['DESC-03'].findings).toEqual([]);
  });
});
