import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw, type ZlibOptions } from 'node:zlib';
import type { FailureKind } from '../../evidence/recorded-exchange.js';
import type { TransportFailure } from '../connection/failure.js';
import { valuesOf, type HeaderList } from '../headers/header-list.js';

/** A response whose body may be coded. */
interface Coded {
  readonly headers: HeaderList;
  readonly body: Uint8Array;
  /** Only the beginning of the body came. */
  readonly truncated: boolean;
  readonly failure?: TransportFailure | undefined;
}

type Decoder = (body: Uint8Array, options: ZlibOptions) => Promise<Uint8Array>;

/** Nobody needs more codings; each costs memory and time. */
const maximumCodings = 4;
/** Bytes that are decompressed at a time. Each portion waits for its turn in the event loop. */
const chunkSize = 256 * 1024;

/**
 * Undoes gzip, deflate and br in a body that came whole (RFC 9110 8.4), with at most `maximumBytes` at any layer. One
 * that can't be undone stays as it came, and is a failure.
 */
export async function decoded<Response extends Coded>(
  response: Response,
  maximumBytes: number,
): Promise<Response> {
  const codings = valuesOf(response.headers, 'Content-Encoding')
    .flatMap((value) => value.split(','))
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
  let { body } = response;
  if (codings.length === 0 || body.length === 0 || response.truncated) return response;
  const failed = (kind: FailureKind, message: string): Response =>
    Object.assign(response, {
      truncated: kind === 'too-large',
      failure: response.failure ?? { kind, message },
    });
  if (codings.length > maximumCodings)
    return failed(
      'not-http',
      `Content-Encoding names ${codings.length} codings, more than ${maximumCodings}`,
    );
  for (const coding of codings.toReversed()) {
    const decode = decoderOf(coding, body);
    if (!decode) return failed('not-http', 'Content-Encoding names a coding other than gzip, deflate and br');
    try {
      body = await decode(body, { chunkSize, maxOutputLength: maximumBytes });
    } catch (error) {
      return error instanceof RangeError
        ? failed('too-large', `the decompressed body is longer than ${maximumBytes} bytes`)
        : failed('not-http', `the body is not what its Content-Encoding (${coding}) says`);
    }
  }
  return Object.assign(response, { body });
}

function decoderOf(coding: string, body: Uint8Array): Decoder | undefined {
  // RFC 9110 means zlib's format (low nibble 8); some servers send the bare stream, and browsers read both.
  if (coding === 'deflate') return promisify(((body[0] ?? 0) & 0x0f) === 8 ? inflate : inflateRaw);
  if (coding === 'gzip' || coding === 'x-gzip') return promisify(gunzip);
  return coding === 'br' ? promisify(brotliDecompress) : undefined;
}
