import { gunzipSync, gzipSync } from 'node:zlib';
import type { ExchangeResponse } from './exchange.js';
import type { Redact } from './redaction.js';

export type { Redact } from './redaction.js';

/** Of a body that was cut off this much is kept, to show what it was. */
const keptOfTruncated = 16_384;

/** Characters. All exchanges stay in memory until a run is judged; longer texts do so packed. */
const packedFrom = 64 * 1024;

/** A response's body as it is recorded: text where it is UTF-8, else base64; secrets replaced. */
export function recordedBody(
  received: { body: Uint8Array; bytes: number; truncated: boolean },
  redact: Redact,
): ExchangeResponse['body'] {
  const kept = received.truncated ? received.body.subarray(0, keptOfTruncated) : received.body;
  const common = { bytes: received.bytes, ...(received.truncated ? { truncated: true } : {}) };
  if (kept.length === 0) return common;
  try {
    // `ignoreBOM` keeps a byte order mark in the text: JSON must not begin with one (RFC 8259 8.1).
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    const text = redact(decoder.decode(kept, { stream: received.truncated }));
    return text.length < packedFrom
      ? { ...common, text }
      : Object.defineProperty({ ...common }, 'text', packed(text));
  } catch {
    // Latin-1 maps each byte to one character, so that a key inside is found and the rest is kept byte for byte.
    const latin = Buffer.from(kept).toString('latin1');
    return { ...common, base64: Buffer.from(redact(latin), 'latin1').toString('base64') };
  }
}

/** A property behind which the text is unpacked whenever it is read; writers of JSON take it for any other. */
function packed(text: string): PropertyDescriptor {
  const bytes = gzipSync(text, { level: 1 });
  return { enumerable: true, get: () => gunzipSync(bytes).toString() };
}
