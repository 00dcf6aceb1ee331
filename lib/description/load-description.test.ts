import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadDescription } from './load-description.js';

interface Surroundings {
  readonly files?: Readonly<Record<string, string>>;
  readonly pages?: Readonly<Record<string, string>>;
}

/** Loads with nothing in reach but what is given, and returns what was requested. */
async function load(source: string, { files = {}, pages = {} }: Surroundings) {
  const requested: string[] = [];
  const from = async (texts: Readonly<Record<string, string>>, name: string): Promise<string> => {
    requested.push(name);
    const text = texts[name];
    return text === undefined
      ? Promise.reject(Object.assign(new Error(`no ${name}`), { code: 'ENOENT' }))
      : Promise.resolve(text);
  };
  const loaded = await loadDescription(source, async (url) =>
    url.protocol === 'file:' ? from(files, fileURLToPath(url)) : from(pages, url.href),
  );
  return { loaded, requested };
}

async function loadText(text: string) {
  const { loaded } = await load('/service/openapi.yaml', { files: { '/service/openapi.yaml': text } });
  return loaded;
}

function messageOf(loaded: Awaited<ReturnType<typeof loadText>>): string {
  return loaded.ok ? '' : loaded.message;
}

const withSchemas = (schemas: unknown, openapi = '3.0.3') =>
  JSON.stringify({ openapi, info: { title: 'Pets', version: '1.0.0' }, paths: {}, components: { schemas } });

describe('a description that is read', () => {
  it.each([
    ['JSON', '{"openapi":"3.0.3"}'],
    ['JSON with a byte order mark', '\uFEFF{"openapi":"3.1.0"}'],
    ['YAML', 'openapi: 3.1.1\n'],
    ['YAML in the flow style', '{openapi: 3.0.0, paths: {}} # all'],
  ])('may be %s', async (_, text) => {
    expect(await loadText(text)).toMatchObject({ ok: true });
  });

  it('may refer to files of its folder, which make one document', async () => {
    const { loaded } = await load('/service/openapi.json', {
      files: {
        '/service/openapi.json': withSchemas({ A: { $ref: 'parts/common.yaml#/A' } }),
        '/service/parts/common.yaml': 'A:\n  properties:\n    id: {$ref: "ids.json"}\n',
        '/service/parts/ids.json': '{"type":"integer"}',
      },
    });
    const schema = loaded.ok ? loaded.description.root.at('components', 'schemas', 'A') : undefined;
    expect(schema?.pointer).toBe('/components/schemas/A');
    expect(schema?.at('properties', 'id', 'type').pointer).toBe('/components/schemas/A/properties/id/type');
  });

  it('may refer to itself in circles', async () => {
    const loaded = await loadText(
      withSchemas({
        A: { type: 'object', properties: { next: { $ref: '#/components/schemas/A' } } },
        B: { $ref: '#/components/schemas/C' },
        C: { $ref: '#/components/schemas/B' },
      }),
    );
    expect(
      loaded.ok && loaded.description.root.at('components', 'schemas', 'A', 'properties', 'next').pointer,
    ).toBe('/components/schemas/A');
  });
});

describe('a reference out of reach', () => {
  const page = 'https://petstore.example/docs/openapi.json';
  const file = '/service/openapi.json';

  it.each([
    [page, '//other.example/pet.json'],
    [page, 'file:///etc/passwd'],
    [file, '../secrets.json'],
    [file, 'file:///etc/passwd'],
    [file, 'https://petstore.example/a.json'],
    [file, 'data:application/json,{}'],
  ])('is not followed: from %s to %s', async (source, $ref) => {
    const text = withSchemas({ A: { $ref } });
    const { loaded, requested } = await load(source, {
      files: { [source]: text },
      pages: { [source]: text },
    });
    const why = "can't be read: it is neither in the folder nor of the origin of the description";
    expect(messageOf(loaded)).toContain(`The interface description ${source} can't be used: `);
    expect(messageOf(loaded)).toContain(why);
    expect(requested).toEqual([source]);
  });

  it('is none on the same host', async () => {
    const at = 'https://petstore.example/pet.json';
    const { loaded } = await load(page, {
      pages: { [page]: withSchemas({ A: { $ref: '../pet.json' } }), [at]: '{"type":"object"}' },
    });
    const schema = loaded.ok ? loaded.description.root.at('components', 'schemas', 'A', 'type') : undefined;
    expect(schema?.value).toBe('object');
  });

  it('to a file that is not there is named', async () => {
    const { loaded } = await load(file, { files: { [file]: withSchemas({ A: { $ref: 'pet.json' } }) } });
    expect(messageOf(loaded)).toContain("file:///service/pet.json can't be read: no /service/pet.json");
  });

  it('that is one of too many, one within the other, is told in a line', async () => {
    const chain = Array.from({ length: 20_000 }, (_, n) => [
      `s${n}`,
      { allOf: [{ $ref: `#/components/schemas/s${n + 1}` }] },
    ]);
    const schemas = { ...Object.fromEntries(chain), s20000: {} };
    const { loaded } = await load(file, { files: { [file]: withSchemas(schemas) } });
    expect(messageOf(loaded)).toContain('it nests too deep');
  });

  it('that leads nowhere is named', async () => {
    const { loaded } = await load(file, { files: { [file]: withSchemas({ A: { $ref: '#/B' } }) } });
    expect(messageOf(loaded)).toContain('Missing $ref pointer "#/B"');
  });

  it('through more files than a description has ends', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 100 }, (_, n) => [`/service/${n}.json`, `{"$ref":"${n + 1}.json"}`]),
    );
    const { loaded, requested } = await load('/service/openapi.json', {
      files: { ...files, '/service/openapi.json': withSchemas({ A: { $ref: '0.json' } }) },
    });
    expect(messageOf(loaded)).toContain('a description may consist of 50 files');
    expect(requested.length).toBeLessThan(60);
  });
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
  ])('is reported in one line: %s', async (reason, text) => {
    const message = messageOf(await loadText(text));
    expect(message).toContain("The interface description /service/openapi.yaml can't be used: ");
    expect(message).toContain(reason);
    expect(message).toMatch(/^[^\p{Cc}]{1,400}$/u);
  });

  it.each(['/service/none.json', 'https://petstore.example/none.json'])(
    'is reported in one line if %s is not there',
    async (source) => {
      const { loaded } = await load(source, {});
      expect(messageOf(loaded)).toContain(`The interface description ${source} can't be used: `);
    },
  );
});

describe('a bomb', () => {
  it('of YAML aliases is read in bounded time and space', async () => {
    const levels = Array.from({ length: 12 }, (_, level) => {
      const items = level === 0 ? 'x' : `*a${level - 1}`;
      return `a${level}: &a${level} [${Array(9).fill(items).join(', ')}]`;
    });
    expect(await loadText(`openapi: 3.0.3\n${levels.join('\n')}\n`)).toMatchObject({ ok: true });
  });

  it('of aliases without number is refused', async () => {
    const message = messageOf(await loadText(`openapi: 3.0.3\na: &a x\nb: [${'*a,'.repeat(10_001)}]\n`));
    expect(message).toContain('alias');
  });
});
