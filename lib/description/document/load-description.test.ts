import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadDescription } from './load-description.js';

interface Surroundings {
  readonly files?: Readonly<Record<string, string>>;
  readonly pages?: Readonly<Record<string, string>>;
  readonly allowOtherHosts?: boolean;
}

/** Loads with nothing in reach but what is given, and returns what was requested. */
async function load(source: string, { files = {}, pages = {}, allowOtherHosts = false }: Surroundings) {
  const requested: string[] = [];
  const from = async (texts: Readonly<Record<string, string>>, name: string): Promise<string> => {
    requested.push(name);
    const text = texts[name];
    return text === undefined
      ? Promise.reject(Object.assign(new Error(`no ${name}`), { code: 'ENOENT' }))
      : Promise.resolve(text);
  };
  const loaded = await loadDescription(source, {
    allowOtherHosts,
    read: async (url) => (url.protocol === 'file:' ? from(files, fileURLToPath(url)) : from(pages, url.href)),
  });
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

  it('may refer to files of its folder, whose names stand in the pointers', async () => {
    const { loaded } = await load('/service/openapi.json', {
      files: {
        '/service/openapi.json': withSchemas({ A: { $ref: 'parts/common.yaml#/A' } }),
        '/service/parts/common.yaml': 'A:\n  properties:\n    id: {$ref: "ids.json"}\n',
        '/service/parts/ids.json': '{"type":"integer"}',
      },
    });
    const schema = loaded.ok ? loaded.description.root.at('components', 'schemas', 'A') : undefined;
    expect(schema?.pointer).toBe('parts/common.yaml#/A');
    expect(schema?.at('properties', 'id', 'type').pointer).toBe('parts/ids.json#/type');
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
    [page, false, '//other.example/pet.json', 'on another host: --allow-other-hosts permits that'],
    [page, true, 'file:///etc/passwd', 'which is not an http or https address'],
    [file, false, '../secrets.json', 'outside the folder of the description'],
    [file, false, 'file:///etc/passwd', 'outside the folder of the description'],
    [file, false, 'https://petstore.example/a.json', 'on another host'],
    [file, false, 'data:application/json,{}', 'which is not an http or https address'],
  ])('is not followed: from %s (other hosts: %s) to %s', async (source, allowOtherHosts, $ref, reason) => {
    const text = withSchemas({ A: { $ref } });
    const { loaded, requested } = await load(source, {
      allowOtherHosts,
      files: { [source]: text },
      pages: { [source]: text },
    });
    expect(messageOf(loaded)).toMatch(
      new RegExp(`^The interface description ${source} refers to .* is .*${reason.replace('which is ', '')}`),
    );
    expect(requested).toEqual([source]);
  });

  it.each([
    [false, '../pet.json', 'https://petstore.example/pet.json'],
    [true, 'https://other.example/pet.json', 'https://other.example/pet.json'],
  ])(
    'is none on the same host, or if other hosts are allowed (%s): %s',
    async (allowOtherHosts, $ref, at) => {
      const { loaded } = await load(page, {
        allowOtherHosts,
        pages: { [page]: withSchemas({ A: { $ref } }), [at]: '{"type":"object"}' },
      });
      expect(loaded.ok && loaded.description.root.at('components', 'schemas', 'A', 'type').value).toBe(
        'object',
      );
    },
  );

  it('to a file that is not there is named', async () => {
    const { loaded } = await load(file, { files: { [file]: withSchemas({ A: { $ref: 'pet.json' } }) } });
    expect(messageOf(loaded)).toContain('refers to file:///service/pet.json, which cannot be read');
  });

  it('within the document is the end of the way', async () => {
    const { loaded } = await load(file, { files: { [file]: withSchemas({ A: { $ref: '#/B' } }) } });
    const schema = loaded.ok ? loaded.description.root.at('components', 'schemas', 'A') : undefined;
    expect(schema?.value).toEqual({ $ref: '#/B' });
    expect(schema?.pointer).toBe('/components/schemas/A');
  });

  it('through more files than a description has ends', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 100 }, (_, n) => [`/service/${n}.json`, `{"$ref":"${n + 1}.json"}`]),
    );
    const { loaded, requested } = await load('/service/openapi.json', {
      files: { ...files, '/service/openapi.json': withSchemas({ A: { $ref: '0.json' } }) },
    });
    expect(messageOf(loaded)).toContain('one file too many: the limit is 50');
    expect(requested.length).toBeLessThan(60);
  });
});

describe('an unusable description', () => {
  it.each([
    ['is empty', ' \n'],
    ['is HTML', '<!doctype html><title>Swagger UI</title>'],
    ['is neither JSON nor YAML', '{"openapi": "3.0.3",'],
    ['is neither JSON nor YAML', 'a: [1, 2'],
    ['is not a JSON or YAML object', '- openapi'],
    ['is Swagger 2.0', 'swagger: "2.0"'],
    ['it is not an OpenAPI 3 document', 'info: {}'],
    ['is OpenAPI 4.0.0', 'openapi: 4.0.0'],
    ['nests too deep', `{"openapi":"3.0.3","a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['is neither JSON nor YAML: nesting exceeded', '- '.repeat(100_000)],
    ['is longer than', 'x'.repeat(20_000_001)],
  ])('is reported in one line: %s', async (reason, text) => {
    const message = messageOf(await loadText(text));
    expect(message).toContain(
      `The interface description /service/openapi.yaml ${reason.startsWith('it ') ? '' : reason}`,
    );
    expect(message).toContain(reason);
    expect(message).toMatch(/^[^\p{Cc}]{1,400}$/u);
  });

  it.each([
    ['/service/none.json', 'there is no such file'],
    ['https://petstore.example/none.json', ''],
  ])('is reported in one line if %s is not there', async (source, why) => {
    const { loaded } = await load(source, {});
    expect(messageOf(loaded)).toContain(`The interface description ${source} cannot be read: ${why}`);
  });
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
