import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import type { FailureKind } from '../../evidence/recorded-exchange.js';
import type { Received } from '../connection/reception.js';
import { valuesOf } from '../headers/header-list.js';

type Coded = Pick<Received, 'headers' | 'body' | 'truncated' | 'failure'>;

/** Bytes that are decompressed at a time. Each portion waits for its turn in the event loop. */
const chunkSize = 256 * 1024;

const decoders = new Map([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);

/**
 * Undoes the coding of a body that came whole (RFC 9110 8.4), up to `maximumBytes`. One that can't be undone stays as it
 * came, and is a failure.
 */
export async function decoded<Response extends Coded>(
  response: Response,
  maximumBytes: number,
): Promise<Response> {
  const { headers, body, truncated } = response;
  const coding = valuesOf(headers, 'Content-Encoding').join(', ').trim().toLowerCase();
  if (coding === '' || coding === 'identity' || body.length === 0 || truncated) return response;
  const failed = (kind: FailureKind, message: string): Response => {
    const failure = response.failure ?? { kind, message };
    return Object.assign(response, { truncated: kind === 'too-large', failure });
  };
  const decode = decoders.get(coding);
  if (!decode) return failed('not-http', 'Content-Encoding names a coding other than gzip, deflate and br');
  try {
    return Object.assign(response, {
      body: await decode(body, { chunkSize, maxOutputLength: maximumBytes }),
    });
  } catch (error) {
    return error instanceof RangeError
      ? failed('too-large', `the decompressed body is longer than ${maximumBytes} bytes`)
      : failed('not-http', `the body is not what its Content-Encoding (${coding}) says`);
  }
}
