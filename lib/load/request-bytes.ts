import type { WireRequest } from '../http/exchange/planned-request.js';

/** A request as it is written to a connection (RFC 9112 3), each character of its head one byte. */
export function requestBytes(
  { method, path, headers, body }: WireRequest,
  baseUrl: string,
  closeConnection: boolean,
): Buffer {
  const content = typeof body === 'string' ? Buffer.from(body) : Buffer.from(body ?? []);
  const hasLength = body !== undefined || method === 'POST';
  const fields = [
    ['Host', new URL(baseUrl).host],
    ['Connection', closeConnection ? 'close' : 'keep-alive'],
    ...headers,
    ...(hasLength ? [['Content-Length', String(content.length)] as const] : []),
  ];
  const lines = [`${method} ${path} HTTP/1.1`, ...fields.map(([name, value]) => `${name}: ${value}`)];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), content]);
}
