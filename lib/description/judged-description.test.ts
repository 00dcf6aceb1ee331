import { describe, expect, it } from 'vitest';
import { Exchange } from '../evidence/exchange.js';
import type { RecordedExchange } from '../evidence/recorded-exchange.js';
import openApiDocument from '../specification/openapi.json' with { type: 'json' };
import { judgedDescription } from './judged-description.js';
import { drop, put, type Draft } from './testing/draft.js';
import { told } from './testing/told.js';

type Received = Partial<Omit<RecordedExchange, 'response'>> & {
  status?: number;
  type?: string;
  text?: string;
};

const unspecified = { method: 'GET', url: 'http://127.0.0.1/v1/pets?limit=0', headers: [] };
const error = '{"code":"refused","message":"No.","status":401}';

function exchange({ status = 401, type = 'application/json', text = error, ...given }: Received): Exchange {
  return new Exchange({
    id: 'e1',
    purpose: 'AUTH-01',
    operation: 'listPets',
    credential: 'missing',
    sentAt: '2026-11-24T00:00:00.000000Z',
    request: { method: 'GET', url: 'http://127.0.0.1/v1/pets', headers: [] },
    response: { status, headers: [['Content-Type', type]], body: { text, bytes: text.length } },
    timing: { wait: 0, total: 1 },
    ...given,
  });
}

function judged(received: Received, edit: (draft: Draft) => void = () => {}) {
  const draft = structuredClone(openApiDocument) as unknown as Draft;
  edit(draft);
  const checksOf = judgedDescription('openapi.json', { text: JSON.stringify(draft) });
  return told(checksOf('DESC-06', [exchange(received)]));
}

const responses = '/paths/~1pets/get/responses';

describe('a response', () => {
  it.each<[what: string, received: Received, edit?: (draft: Draft) => void]>([
    ['as it is described', {}],
    ['of a media type with a parameter', { type: 'Application/JSON;charset=utf-8' }],
    [
      'of a range of media types',
      {},
      (draft) => put(draft, `${responses}/401`, { content: { 'application/*': {} } }),
    ],
    [
      'whose status is in a range',
      {},
      (draft) => {
        drop(draft, `${responses}/401`);
        put(draft, `${responses}/4xx`, { description: 'Refused.' });
      },
    ],
    [
      'for which there is a default',
      { status: 418 },
      (draft) => put(draft, `${responses}/default`, { description: 'Anything else.' }),
    ],
    ['to what the specification leaves open, refused', { status: 400, request: unspecified }],
    ['whose content is not described', { status: 429, type: 'text/plain', text: 'Slow down.' }],
    ['of a gateway', { status: 502, type: 'text/html', text: '<h1>Bad Gateway</h1>' }],
    [
      'with the greatest int64',
      { status: 200, text: '[{"id":9223372036854775807,"name":"Rex","categoryId":1}]' },
    ],
  ])('%s is not accused', (_, received, edit) => {
    expect(judged(received, edit).findings).toEqual([]);
  });

  it.each<[message: string, received: Received, pointer: string]>([
    ['The 418 response of listPets is not in its interface description', { status: 418 }, responses],
    [
      'The 500 response of listPets is not in its interface description',
      { status: 500, request: unspecified },
      responses,
    ],
    [
      'The 401 response of listPets has another media type than its interface description',
      { type: 'text/html', text: '<h1>No</h1>' },
      '/components/responses/Unauthorized',
    ],
    [
      'The 401 response of listPets has a body (it is not JSON) that differs from its interface description',
      { text: 'No.' },
      '/components/schemas/Error',
    ],
    [
      'The 200 response of listPets has a body (/*/name must be string) that differs from its interface description',
      { status: 200, text: '[{"id":1,"name":null,"categoryId":1}]' },
      '/components/schemas/Pets',
    ],
  ])('%s', (message, received, pointer) => {
    const { findings } = judged(received);
    const expected = expect.stringContaining(`, as ${pointer} says`) as string;
    expect(findings).toMatchObject([{ message, expected, exchanges: ['e1'] }]);
  });

  it('of an operation that is not described, or that did not come whole, is not judged', () => {
    expect(judged({}, (draft) => drop(draft, '/paths/~1pets/get')).checks).toBe(0);
    expect(judged({ operation: null }).checks).toBe(0);
    expect(judged({ failure: { kind: 'closed', message: 'cut off' } }).checks).toBe(0);
  });
});
