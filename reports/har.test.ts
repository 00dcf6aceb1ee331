import { Ajv } from 'ajv';
import draft6 from 'ajv/dist/refs/json-schema-draft-06.json' with { type: 'json' };
import formats from 'ajv-formats';
import harSchema from 'har-schema';
import type { Har } from 'har-format';
import { describe, expect, it } from 'vitest';
import type { Exchange } from '../lib/http/exchange/exchange.js';
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

async function harOf(exchanges?: Exchange[]): Promise<Har> {
  const run = await sampleRun(faultyRecord(), exchanges);
  return JSON.parse((await collect(har.render(run))).join('')) as Har;
}

function sample(id: string): Exchange {
  const found = sampleExchanges().find((exchange) => exchange.id === id);
  if (!found) throw new Error(`no sample ${id}`);
  return found;
}

describe('the HTTP Archive', () => {
  it.each([
    ['every kind of exchange', sampleExchanges()],
    ['none', []],
  ])('fits the published schema with %s', async (_, exchanges) => {
    const validate = validator();
    const archive = await harOf(exchanges);
    expect(validate(archive) ? [] : validate.errors).toEqual([]);
    expect(archive.log.entries).toHaveLength(exchanges.length);
  });

  it('is refused by the schema where an entry is broken, so that the check means something', async () => {
    const archive = await harOf();
    const broken = archive.log.entries.map((entry) => ({ ...entry, time: 'long' }));
    expect(validator()({ log: { ...archive.log, entries: broken } })).toBe(false);
  });

  it('carries bodies, headers and failures as they were recorded', async () => {
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
  });

  it('splits the query into its parameters and keeps the address as it was sent', () => {
    const withUrl = (url: string) =>
      entryOf({ ...sample('e1'), request: { ...sample('e1').request, url } }).request;
    expect(withUrl('https://a.example/v1/pets?limit=1&limit=&status=a%20b?').queryString).toEqual([
      { name: 'limit', value: '1' },
      { name: 'limit', value: '' },
      { name: 'status', value: 'a b?' },
    ]);
    expect(withUrl('https://a.example/v1/pets/12%20').url).toBe('https://a.example/v1/pets/12%20');
    expect(withUrl('https://a.example/v1/pets/ä ').url).toBe('https://a.example/v1/pets/%C3%A4%20');
    expect(withUrl('https://a.example/v1/pets').queryString).toEqual([]);
  });

  it('reads an exchange only when its entry is asked for', async () => {
    let read = 0;
    async function* endless() {
      for (;;) yield { ...sample('e1'), id: `e${(read += 1)}` };
    }
    const run = { ...(await sampleRun()), exchanges: endless };
    const pieces = har.render(run)[Symbol.asyncIterator]();
    for (let piece = 0; piece < 4; piece += 1) await pieces.next();
    expect(read).toBe(3);
    await pieces.return?.(undefined);
  });

  it('has times that add up', () => {
    for (const exchange of sampleExchanges()) {
      const { time, timings } = entryOf(exchange);
      expect((timings.send ?? 0) + timings.wait + timings.receive).toBeCloseTo(time, 6);
    }
  });
});
