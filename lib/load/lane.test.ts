import { expect, it } from 'vitest';
import { requestBytes } from './lane.js';

it('writes each request as it was planned, with the length of its body in bytes', () => {
  const headers = [['X-One', 'a'] as const, ['X-One', 'b'] as const];
  const text = (...given: Parameters<typeof requestBytes>): string => requestBytes(...given).toString('utf8');
  expect(text({ method: 'GET', path: '/v1/pets?limit=1', headers }, 'a:1', true)).toBe(
    'GET /v1/pets?limit=1 HTTP/1.1\r\nHost: a:1\r\nConnection: close\r\nX-One: a\r\nX-One: b\r\n\r\n',
  );
  expect(text({ method: 'POST', path: '/', headers: [], body: '{"name":"Ä"}' }, 'a', false)).toBe(
    'POST / HTTP/1.1\r\nHost: a\r\nConnection: keep-alive\r\nContent-Length: 13\r\n\r\n{"name":"Ä"}',
  );
  expect(text({ method: 'POST', path: '/', headers: [] }, 'a', false)).toContain('Content-Length: 0\r\n\r\n');
});
