import { Exchange } from '../../../evidence/exchange.js';
import type { RecordedExchange } from '../../../evidence/recorded-exchange.js';

/** An exchange as judgements and the pace see it, of which only what a test is about is given. */
export function exchangeOf({
  status = 200,
  headers = [],
  body = {},
  ...rest
}: Partial<Omit<RecordedExchange, 'response'>> & {
  status?: number | null;
  headers?: ReadonlyArray<readonly [string, string]>;
  body?: { text?: string; truncated?: boolean };
} = {}): Exchange {
  return new Exchange({
    id: 'e1',
    purpose: 'LIST-01',
    operation: 'listPets',
    credential: 'valid',
    sentAt: '2026-01-01T00:00:00.000Z',
    request: { method: 'GET', url: 'http://127.0.0.1/v1/pets', headers: [] },
    timing: { wait: 0, total: 10 },
    ...(status === null
      ? {}
      : {
          response: {
            status,
            headers: headers.map(([name, value]): [string, string] => [name, value]),
            body: { bytes: body.text?.length ?? 0, ...body },
          },
        }),
    ...rest,
  });
}
