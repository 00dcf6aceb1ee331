import { once } from 'node:events';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, constants } from 'node:zlib';
import type { TransportFailure } from '../connection/failure.js';

/** The body with its content codings undone (RFC 9110 8.4), or what was wrong with them. */
export interface DecodedBody {
  body: Uint8Array;
  truncated: boolean;
  failure?: TransportFailure;
}

/** More layers than anyone applies in earnest; each costs memory and time. */
const maximumCodings = 4;

/** The codings of a response in the order of their application, `identity` left out. */
export function contentCodings(headers: readonly (readonly [string, string])[]): string[] {
  return headers
    .filter(([name]) => name.toLowerCase() === 'content-encoding')
    .flatMap(([, value]) => value.split(','))
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
}

/**
 * Undoes gzip, deflate and br, never giving more than `maximumBytes` at any layer, so that a bomb costs no more memory
 * than an honest body. `complete` is false if the body was already cut off: its incomplete end is then not a second failure.
 */
export async function decodeBody(
  received: Uint8Array,
  codings: readonly string[],
  maximumBytes: number,
  complete: boolean,
): Promise<DecodedBody> {
  if (codings.length === 0 || received.length === 0) return { body: received, truncated: false };
  if (codings.length > maximumCodings) {
    return unreadable(
      received,
      `Content-Encoding names ${codings.length} codings, more than ${maximumCodings}`,
    );
  }
  let body = received;
  let truncated = false;
  for (const coding of codings.toReversed()) {
    const decoder = createDecoder(coding, body, complete && !truncated);
    if (!decoder) {
      return unreadable(
        received,
        'Content-Encoding names a coding other than gzip, deflate and br, which were not asked for either',
      );
    }
    const layer = await decompress(decoder, body, maximumBytes);
    if (!layer) return unreadable(received, `the body is not what its Content-Encoding (${coding}) says`);
    body = layer.body;
    truncated ||= layer.truncated;
  }
  if (!truncated) return { body, truncated };
  return {
    body,
    truncated,
    failure: { kind: 'too-large', message: `the decompressed body is longer than ${maximumBytes} bytes` },
  };
}

function unreadable(body: Uint8Array, message: string): DecodedBody {
  return { body, truncated: false, failure: { kind: 'not-http', message } };
}

type Decoder = ReturnType<typeof createGunzip>;

/** Bytes that are unpacked in one go. Every portion waits for its turn in the event loop, so that small ones take long. */
const chunkSize = 256 * 1024;

function createDecoder(coding: string, body: Uint8Array, complete: boolean): Decoder | undefined {
  const finishFlush = complete ? constants.Z_FINISH : constants.Z_SYNC_FLUSH;
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip({ finishFlush, chunkSize });
    case 'deflate': {
      // RFC 9110 means zlib's format (low nibble 8); some servers send the bare stream, and browsers read both.
      const zlibFormat = ((body[0] ?? 0) & 0x0f) === 8;
      return zlibFormat
        ? createInflate({ finishFlush, chunkSize })
        : createInflateRaw({ finishFlush, chunkSize });
    }
    case 'br':
      return createBrotliDecompress({
        chunkSize,
        finishFlush: complete ? constants.BROTLI_OPERATION_FINISH : constants.BROTLI_OPERATION_FLUSH,
      });
    default:
      return undefined;
  }
}

async function decompress(
  decoder: Decoder,
  body: Uint8Array,
  maximumBytes: number,
): Promise<{ body: Uint8Array; truncated: boolean } | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  decoder.on('data', (chunk: Uint8Array) => {
    chunks.push(chunk);
    length += chunk.length;
    // Closing it stops the work at once: nothing beyond the limit is inflated.
    if (length > maximumBytes) decoder.destroy();
  });
  let broken = false;
  decoder.on('error', () => {
    broken = true;
  });
  const closed = once(decoder, 'close').catch(() => undefined);
  decoder.end(body);
  await closed;
  if (broken) return undefined;
  const whole = Buffer.concat(chunks, length);
  return { body: whole.subarray(0, maximumBytes), truncated: length > maximumBytes };
}
