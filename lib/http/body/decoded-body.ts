import { once } from 'node:events';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import type { TransportFailure } from '../connection/failure.js';
import { valuesOf, type HeaderList } from '../headers/header-list.js';

/** A body with its content codings undone (RFC 9110 8.4), or what is wrong with them. */
export interface DecodedBody {
  readonly body: Uint8Array;
  readonly truncated: boolean;
  readonly failure?: TransportFailure;
}

/** Nobody needs more codings; each costs memory and time. */
const maximumCodings = 4;
/** Bytes that are decompressed at a time. Each portion waits for its turn in the event loop. */
const chunkSize = 256 * 1024;

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
  let truncated = false;
  for (const coding of codings.toReversed()) {
    const decoder = decoderOf(coding, body, complete && !truncated);
    if (!decoder) return unreadable('Content-Encoding names a coding other than gzip, deflate and br');
    const decoded = await decompress(decoder, body, maximumBytes);
    if (!decoded) return unreadable(`the body is not what its Content-Encoding (${coding}) says`);
    truncated ||= decoded.length > maximumBytes;
    body = decoded.subarray(0, maximumBytes);
  }
  if (!truncated) return { body, truncated };
  const message = `the decompressed body is longer than ${maximumBytes} bytes`;
  return { body, truncated, failure: { kind: 'too-large', message } };
}

type Decoder = ReturnType<typeof createGunzip>;

function decoderOf(coding: string, body: Uint8Array, complete: boolean): Decoder | undefined {
  const zlib = { chunkSize, finishFlush: complete ? constants.Z_FINISH : constants.Z_SYNC_FLUSH };
  if (coding === 'gzip' || coding === 'x-gzip') return createGunzip(zlib);
  // RFC 9110 means zlib's format (low nibble 8); some servers send the bare stream, and browsers read both.
  if (coding === 'deflate')
    return ((body[0] ?? 0) & 0x0f) === 8 ? createInflate(zlib) : createInflateRaw(zlib);
  const { BROTLI_OPERATION_FINISH, BROTLI_OPERATION_FLUSH } = constants;
  const finishFlush = complete ? BROTLI_OPERATION_FINISH : BROTLI_OPERATION_FLUSH;
  return coding === 'br' ? createBrotliDecompress({ chunkSize, finishFlush }) : undefined;
}

/** Decompresses a body, and stops as soon as it is longer than the limit; undefined if it is not in this format. */
async function decompress(
  decoder: Decoder,
  body: Uint8Array,
  maximumBytes: number,
): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  let broken = false;
  decoder.on('data', (chunk: Uint8Array) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maximumBytes) decoder.destroy();
  });
  decoder.on('error', () => {
    broken = true;
  });
  const closed = once(decoder, 'close').catch(() => undefined);
  decoder.end(body);
  await closed;
  return broken ? undefined : Buffer.concat(chunks, length);
}
