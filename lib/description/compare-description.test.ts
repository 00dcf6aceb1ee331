import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import openApiDocument from '../specification/openapi.json' with { type: 'json' };
import { jsonPointer } from '../specification/json-value.js';
import { judgedDescription } from './judged-description.js';
import { put, type Draft } from './testing/draft.js';
import { told } from './testing/told.js';

/** The pointers of everything that stands in a document. */
function pointersOf(value: unknown, pointer = ''): string[] {
  if (typeof value !== 'object' || value === null) return [pointer];
  return Object.entries(value).flatMap(([key, child]) => {
    const inner = pointer + jsonPointer([key]);
    return [inner, ...pointersOf(child, inner)];
  });
}

const pointers = [...new Set(pointersOf(openApiDocument))].filter((pointer) => pointer !== '/openapi');

function judged(document: unknown, id: string) {
  return judgedDescription('openapi.json', { text: JSON.stringify(document) })(id, []);
}

const tooLong = 'the schemas of the interface description nest too deep, or take too long to be tried';

const ids = ['DESC-01', 'DESC-02', 'DESC-03', 'DESC-04', 'DESC-05'];

describe('the comparison', () => {
  it('bears anything at any place of a description', () => {
    const anything = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom<unknown>({}, [], null, true, false, 'string', [null], [{}], {
        $ref: '#/components/schemas/Pet',
      }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...pointers), anything, (pointer, value) => {
        const draft = structuredClone(openApiDocument) as unknown as Draft;
        put(draft, pointer, value);
        const checksOf = judgedDescription('openapi.json', { text: JSON.stringify(draft) });
        for (const id of ids) {
          const checks = checksOf(id, []);
          expect(told(checks).checks).toBe(checks.length);
          expect(told(checks).open.join('')).not.toContain('\n');
        }
      }),
      { numRuns: 60 },
    );
  });

  it('compares nothing of operations that are not there', () => {
    const document = { openapi: '3.0.3', info: { version: '1.0.0' }, paths: {} };
    expect(told(judged(document, 'DESC-02')).findings).toHaveLength(3);
    for (const id of ['DESC-03', 'DESC-04', 'DESC-05']) expect(judged(document, id)).toEqual([]);
  });

  const newPet = '/components/schemas/NewPet';
  const inSchemas = (schemas: Readonly<Record<string, unknown>>) => {
    const draft = structuredClone(openApiDocument) as unknown as Draft;
    for (const [name, schema] of Object.entries(schemas)) put(draft, `/components/schemas/${name}`, schema);
    return told(judged(draft, 'DESC-03'));
  };
  const specified = openApiDocument.components.schemas.NewPet;
  const chainOf = (length: number, compose: ($ref: string) => unknown) => ({
    NewPet: compose('#/components/schemas/s1'),
    ...Object.fromEntries(
      Array.from({ length }, (_, n) => [`s${n + 1}`, compose(`#/components/schemas/s${n + 2}`)]),
    ),
    [`s${length + 1}`]: specified,
  });

  it('judges a chain of references of the length that people write', () => {
    const { findings, open } = inSchemas(chainOf(100, ($ref) => ({ allOf: [{ $ref }] })));
    expect([...findings, ...open]).toEqual([]);
  });

  it('leaves compositions open that multiply without end', () => {
    const { findings, open } = inSchemas(
      chainOf(60, ($ref) => ({ allOf: [{ $ref }, { anyOf: [{ $ref }, { $ref }] }] })),
    );
    expect(findings).toEqual([]);
    expect(open).toEqual([tooLong]);
  });

  it('leaves a pattern open that takes longer than anybody waits', () => {
    const name = { type: 'string', pattern: '^(Luna|((.|\\s)+)+!)$' };
    const { open } = inSchemas({
      NewPet: { ...specified, properties: { ...specified.properties, name } },
    });
    expect(open).toEqual([tooLong]);
  });

  it.each([
    ['a type that does not exist', { type: 'text' }, 'type must be JSONType'],
    ['a pattern that is none', { type: 'string', pattern: '(' }, 'Invalid regular expression'],
  ])('finds %s', (_, name, received) => {
    const schema = { ...specified, properties: { ...specified.properties, name } };
    const { findings } = inSchemas({ NewPet: schema });
    expect(findings).toContainEqual({
      message: 'The body of createPet refuses {"name":"Luna","categoryId":7,"status":"available"}',
      expected: 'accepted',
      received: expect.stringContaining(received) as string,
      exchanges: [],
      pointer: newPet,
    });
  });

  it('finds a schema that is nothing but itself', () => {
    const { findings, open } = inSchemas({ NewPet: { $ref: newPet.replace('/', '#/') } });
    expect(findings.length + open.length).toBeGreaterThan(0);
  });

  it('bears aliases that unfold without end', () => {
    const levels = Array.from({ length: 12 }, (_, level) => {
      const items = level === 0 ? 'x' : `*a${level - 1}`;
      return `"x-${level}": &a${level} [${Array(9).fill(items).join(', ')}]`;
    });
    const text = JSON.stringify(openApiDocument).replace(/\}$/, `, ${levels.join(', ')}}`);
    const checksOf = judgedDescription('openapi.yaml', { text });
    expect(told(checksOf('DESC-03', [])).open).toEqual([tooLong]);
    expect(told(checksOf('DESC-02', [])).findings).toEqual([]);
  });
});
