import type { WireRequest } from '../http/exchange/planned-request.js';

/** A request as it is written to a connection (RFC 9112 3), each character of its head one byte. */
export function requestBytes(
  { method, path, headers, body }: WireRequest,
  host: string,
  closeConnection: boolean,
): Buffer {
  let head = `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: ${closeConnection ? 'close' : 'keep-alive'}\r\n`;
  for (const [name, value] of headers) head += `${name}: ${value}\r\n`;
  if (body === undefined && method !== 'POST') return Buffer.from(`${head}\r\n`, 'latin1');
  const content = typeof body === 'string' ? Buffer.from(body) : (body ?? new Uint8Array());
  return Buffer.concat([Buffer.from(`${head}Content-Length: ${content.length}\r\n\r\n`, 'latin1'), content]);
}
