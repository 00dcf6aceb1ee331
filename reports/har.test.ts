import { Ajv } from 'ajv';
import draft6 from 'ajv/dist/refs/json-schema-draft-06.json' with { type: 'json' };
import formats from 'ajv-formats';
import harSchema from 'har-schema';
import type { Har } from 'har-format';
import { expect, it } from 'vitest';
import type { RecordedExchange } from '../lib/evidence/recorded-exchange.js';
import { entryOf, har } from './har.js';
import { collect } from './testing/collect.js';
import { hostileName, sampleExchanges } from './testing/sample-exchanges.js';
import { faultyRecord } from './testing/sample-record.js';
import { sampleRun } from './testing/sample-folder.js';

function validator() {
  const ajv = new Ajv({ strict: false, allErrors: true });
  ajv.addMetaSchema(draft6);
  formats.default(ajv);
  for (const schema of Object.values(harSchema)) ajv.addSchema(schema);
  const validate = ajv.getSchema('har.json#');
  if (!validate) throw new Error('har-schema has no har.json#');
  return validate;
}

async function harOf(exchanges?: RecordedExchange[]): Promise<Har> {
  const run = await sampleRun(faultyRecord(), exchanges);
  return JSON.parse((await collect(har.render(run))).join('')) as Har;
}

function sample(id: string): RecordedExchange {
  const found = sampleExchanges().find((exchange) => exchange.id === id);
  if (!found) throw new Error(`no sample ${id}`);
  return found;
}

it('fits the published schema with every kind of exchange and with none, and not if an entry is broken', async () => {
  const validate = validator();
  const archive = await harOf();
  for (const [one, entries] of [
    [archive, sampleExchanges().length],
    [await harOf([]), 0],
  ] as const) {
    expect(validate(one) ? [] : validate.errors).toEqual([]);
    expect(one.log.entries).toHaveLength(entries);
  }
  const broken = archive.log.entries.map((entry) => ({ ...entry, time: 'long' }));
  expect(validate({ log: { ...archive.log, entries: broken } })).toBe(false);
});

it('has no control character as it came, which a terminal may obey', async () => {
  const [first] = sampleExchanges();
  if (!first?.response) throw new Error('the first sample has a response');
  const response = { ...first.response, body: { text: 'a\u009b31mb', bytes: 6 } };
  const run = await sampleRun(faultyRecord(), [{ ...first, response }]);
  const text = (await collect(har.render(run))).join('');
  expect(text).not.toMatch(/[\u007f-\u009f]/u);
  expect((JSON.parse(text) as Har).log.entries[0]?.response.content.text).toBe('a\u009b31mb');
});

it('carries bodies, headers and failures as they were recorded, with times that add up', async () => {
  const { entries } = (await harOf()).log;
  expect(entries[10]?.response.content.text).toBe(sample('e11').response?.body.text);
  expect(entries[10]?.request.postData?.text).toContain(JSON.stringify(hostileName).slice(1, -1));
  expect(entries[9]?.response.content).toMatchObject({ encoding: 'base64', text: '//4AgA==' });
  expect(entries[7]?.response.content.comment).toContain('5000000 bytes');
  expect(entries[13]).toMatchObject({
    response: { status: 0, statusText: 'timeout' },
    _error: 'timeout: no answer within 10 s',
  });
  expect(entries[15]?.response).toMatchObject({ status: 429, statusText: 'Too Many Requests' });
  for (const { time, timings } of entries)
    expect((timings.send ?? 0) + timings.wait + timings.receive).toBeCloseTo(time, 6);
});

it.each([
  ['https://a.example/v1/pets?limit=1&limit=&status=a%20b?', 'limit=1 limit= status=a b?'],
  ['https://a.example/v1/pets/12%20', ''],
  ['https://a.example/v1/pets', ''],
])('keeps the address %s as it was sent, and splits its query', (url, query) => {
  const { request } = entryOf({ ...sample('e1'), request: { ...sample('e1').request, url } });
  expect(request.url).toBe(url);
  expect(request.queryString.map(({ name, value }) => `${name}=${value}`).join(' ')).toBe(query);
});

it('encodes an address that is no URI', () => {
  const url = 'https://a.example/v1/pets/ä ';
  const { request } = entryOf({ ...sample('e1'), request: { ...sample('e1').request, url } });
  expect(request.url).toBe('https://a.example/v1/pets/%C3%A4%20');
});

it('reads an exchange only when its entry is asked for', async () => {
  let read = 0;
  async function* endless() {
    for (;;) yield { ...sample('e1'), id: `e${(read += 1)}` };
  }
  const pieces = har.render({ ...(await sampleRun()), exchanges: endless })[Symbol.asyncIterator]();
  for (let piece = 0; piece < 4; piece += 1) await pieces.next();
  expect(read).toBe(3);
  await pieces.return?.(undefined);
});
