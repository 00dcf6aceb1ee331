import { expect, it } from 'vitest';
import { created, send, type WireResponse } from '../faults/wire.js';
import { referenceKeys } from '../keys.js';
import { serveReference } from '../serve.js';
import { variants } from './variants.js';

it('the conforming variants have names of their own', () => {
  expect(new Set(variants.map(({ name }) => name)).size).toBe(variants.length);
});

const { key, perDay } = referenceKeys.business;

type Differing = readonly [name: string, path: string, (response: WireResponse) => unknown, unlike: unknown];

// That a variant conforms is proven by `npm run proof`; these show that a variant is not the reference.
it.each<Differing>([
  ['limit-clamped', '/pets?limit=101', ({ status }) => status, 200],
  ['unknown-status-matches-nothing', '/pets?status=sleeping', ({ text }) => text, '[]'],
  ['listing-lags', '/pets', ({ text }) => text, '[]'],
  ['unknown-fields-kept', '/pets', ({ text }) => text.includes('"colour":"black"'), true],
  ['ids-from-0', '/pets/0', ({ status }) => status, 200],
  ['ids-read-leniently', '/pets/01', ({ status }) => status, 200],
  ['chunked', '/pets', ({ header }) => header('transfer-encoding'), 'chunked'],
  ['indented-json', '/pets', ({ text }) => text.slice(0, 3), '\n[\n'],
  ['escaped-json', '/pets', ({ text }) => text.includes('Zo\\u00eb'), true],
  ['connection-closed', '/pets', ({ header }) => header('connection'), 'close'],
  ['no-date', '/pets', ({ header }) => header('date'), undefined],
  ['headers-show-the-day', '/pets', ({ header }) => header('x-ratelimit-limit'), String(perDay)],
])('%s differs from the reference', async (name, path, valueOf, expected) => {
  const valueFrom = async (options: Parameters<typeof serveReference>[0]): Promise<unknown> => {
    const service = await serveReference(options);
    const target = { baseUrl: service.baseUrl, key };
    try {
      await created(target, '{"name":"Zoë","categoryId":7,"colour":"black"}');
      return valueOf(await send(target, { path }));
    } finally {
      await service.close();
    }
  };
  const variant = variants.find((one) => one.name === name);
  expect(await valueFrom(variant?.options)).toEqual(expected);
  expect(await valueFrom({})).not.toEqual(expected);
});
