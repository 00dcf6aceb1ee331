import { promisify } from 'node:util';
import { brotliDecompress, constants, gunzip, inflate, inflateRaw } from 'node:zlib';
import type { TransportFailure } from '../connection/failure.js';
import { valuesOf, type HeaderList } from '../headers/header-list.js';

/** A body with its content codings undone (RFC 9110 8.4), or as it came if that is not possible. */
export interface DecodedBody {
  readonly body: Uint8Array;
  readonly truncated: boolean;
  readonly failure?: TransportFailure;
}

/** Nobody needs more codings; each costs memory and time. */
const maximumCodings = 4;
/** Bytes that are decompressed at a time. Each portion waits for its turn in the event loop. */
const chunkSize = 256 * 1024;

const decoders = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  'raw deflate': promisify(inflateRaw),
  br: promisify(brotliDecompress),
} as const;

/** The codings of a response in the order of their application, without `identity`. */
export function contentCodings(headers: HeaderList): string[] {
  return valuesOf(headers, 'Content-Encoding')
    .flatMap((value) => value.split(','))
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
}

/**
 * Undoes gzip, deflate and br, with at most `maximumBytes` at any layer. `complete` is false if the body was cut off:
 * its loose end is then not a second failure.
 */
export async function decodeBody(
  received: Uint8Array,
  codings: readonly string[],
  maximumBytes: number,
  complete: boolean,
): Promise<DecodedBody> {
  if (codings.length === 0 || received.length === 0) return { body: received, truncated: false };
  const unreadable = (message: string): DecodedBody => ({
    body: received,
    truncated: false,
    failure: { kind: 'not-http', message },
  });
  if (codings.length > maximumCodings)
    return unreadable(`Content-Encoding names ${codings.length} codings, more than ${maximumCodings}`);
  let body = received;
  for (const coding of codings.toReversed()) {
    const decoder = decoderOf(coding, body);
    if (!decoder) return unreadable('Content-Encoding names a coding other than gzip, deflate and br');
    const { BROTLI_OPERATION_FINISH, BROTLI_OPERATION_FLUSH, Z_FINISH, Z_SYNC_FLUSH } = constants;
    const [whole, cutOff] =
      decoder === 'br' ? [BROTLI_OPERATION_FINISH, BROTLI_OPERATION_FLUSH] : [Z_FINISH, Z_SYNC_FLUSH];
    const finishFlush = complete ? whole : cutOff;
    try {
      body = await decoders[decoder](body, { chunkSize, finishFlush, maxOutputLength: maximumBytes });
    } catch (error) {
      if (!(error instanceof RangeError))
        return unreadable(`the body is not what its Content-Encoding (${coding}) says`);
      const message = `the decompressed body is longer than ${maximumBytes} bytes`;
      return { body: received, truncated: true, failure: { kind: 'too-large', message } };
    }
  }
  return { body, truncated: false };
}

function decoderOf(coding: string, body: Uint8Array): keyof typeof decoders | undefined {
  // RFC 9110 means zlib's format (low nibble 8); some servers send the bare stream, and browsers read both.
  if (coding === 'deflate') return ((body[0] ?? 0) & 0x0f) === 8 ? 'deflate' : 'raw deflate';
  if (coding === 'gzip' || coding === 'x-gzip') return 'gzip';
  return coding === 'br' ? 'br' : undefined;
}
