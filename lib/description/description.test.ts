import { describe, expect, it } from 'vitest';
import { loadDescription, placeOf } from './description.js';
import { judgedDescription } from './judged-description.js';
import { told } from './testing/told.js';

/** Loads with nothing in reach but this text. */
function loadText(text: string) {
  return judgedDescription('/service/openapi.yaml', { text });
}

/** Why it can't be used; empty if it can. */
function messageOf(checksOf: ReturnType<typeof loadText>): string {
  return told(checksOf('DESC-01', [])).open.join('');
}

const withSchemas = (schemas: unknown, openapi = '3.0.3') =>
  JSON.stringify({ openapi, info: { title: 'Pets', version: '1.0.0' }, paths: {}, components: { schemas } });

describe('a description that is read', () => {
  it.each([
    ['JSON', '{"openapi":"3.0.3"}'],
    ['JSON with a byte order mark', '\uFEFF{"openapi":"3.1.0"}'],
    ['YAML', 'openapi: 3.1.1\n'],
    ['YAML in the flow style', '{openapi: 3.0.0, paths: {}} # all'],
  ])('may be %s', (_, text) => {
    expect(messageOf(loadText(text))).toBe('');
  });

  it('may refer to itself in circles', () => {
    const { root } = loadDescription(
      withSchemas({
        A: { type: 'object', properties: { next: { $ref: '#/components/schemas/A' } } },
        B: { $ref: '#/components/schemas/C' },
        C: { $ref: '#/components/schemas/B' },
      }),
    );
    const { A } = root?.components?.schemas ?? {};
    expect(placeOf(A?.properties?.next)).toBe('/components/schemas/A');
  });
});

describe('a reference out of the document', () => {
  it.each(['parts/pet.yaml#/A', '../secrets.json', 'file:///etc/passwd', 'https://other.example/a.json'])(
    'is not followed, and named: %s',
    ($ref) => {
      const message = messageOf(loadText(withSchemas({ A: { $ref } })));
      expect(message).toContain(`it refers to ${$ref}: give it as one document`);
    },
  );
});

describe('an unusable description', () => {
  it.each([
    ['the input is empty', ' \n'],
    ['it is not an object in JSON or YAML', '<!doctype html><title>Swagger UI</title>'],
    ['unexpected end of the stream', '{"openapi": "3.0.3",'],
    ['unexpected end of the stream', 'a: [1, 2'],
    ['only OpenAPI 3.0 and 3.1 can be compared', '- openapi'],
    ['only OpenAPI 3.0 and 3.1 can be compared', 'swagger: "2.0"'],
    ['its `openapi` is 4.0.0', 'openapi: 4.0.0'],
    ['nesting exceeded', `{"openapi":"3.0.3","a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['nesting exceeded', '- '.repeat(100_000)],
  ])('is reported in one line: %s', (reason, text) => {
    const message = messageOf(loadText(text));
    expect(message).toContain("The interface description /service/openapi.yaml can't be used: ");
    expect(message).toContain(reason);
    expect(message).toMatch(/^[^\p{Cc}]{1,400}$/u);
  });

  it('is reported in one line if it is not there', () => {
    const loaded = judgedDescription('/service/none.json', { problem: 'no such file' });
    expect(messageOf(loaded)).toBe(
      "The interface description /service/none.json can't be used: no such file",
    );
  });
});

describe('a bomb', () => {
  it('of YAML aliases is read in bounded time and space', () => {
    const levels = Array.from({ length: 12 }, (_, level) => {
      const items = level === 0 ? 'x' : `*a${level - 1}`;
      return `a${level}: &a${level} [${Array(9).fill(items).join(', ')}]`;
    });
    expect(messageOf(loadText(`openapi: 3.0.3\n${levels.join('\n')}\n`))).toBe('');
  });

  it('of aliases without number is refused', () => {
    const message = messageOf(loadText(`openapi: 3.0.3\na: &a x\nb: [${'*a,'.repeat(10_001)}]\n`));
    expect(message).toContain('alias');
  });
});
