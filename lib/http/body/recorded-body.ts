import type { ExchangeResponse } from '../exchange/exchange.js';
import type { Redact } from '../redaction/redaction.js';

/** Bytes that are kept of a body that was cut off, to show what it was. */
const keptOfTruncated = 16_384;
/** Bytes that are read after these, so that no secret is cut in two before it is replaced. */
const lookedAtBeyond = 2_048;

/** A response's body as it is recorded: text if it is UTF-8, base64 otherwise; secrets replaced. */
export function recordedBody(
  received: { body: Uint8Array; bytes: number; truncated: boolean },
  redact: Redact,
): ExchangeResponse['body'] {
  const kept = received.truncated
    ? received.body.subarray(0, keptOfTruncated + lookedAtBeyond)
    : received.body;
  const common = { bytes: received.bytes, ...(received.truncated ? { truncated: true } : {}) };
  if (kept.length === 0) return common;
  try {
    const text = redact(decoded(kept, received.truncated));
    const shown = received.truncated ? decoded(Buffer.from(text).subarray(0, keptOfTruncated), true) : text;
    return { ...common, text: shown };
  } catch {
    // Latin-1 maps each byte to one character, so that a key inside is found and the rest is kept byte for byte.
    const latin = Buffer.from(redact(Buffer.from(kept).toString('latin1')), 'latin1');
    const shown = received.truncated ? latin.subarray(0, keptOfTruncated) : latin;
    return { ...common, base64: shown.toString('base64') };
  }
}

/** @throws TypeError if the bytes are not UTF-8; the last character of a body that was cut off may be incomplete. */
function decoded(bytes: Uint8Array, cutOff: boolean): string {
  // `ignoreBOM` keeps a byte order mark in the text: JSON must not begin with one (RFC 8259 8.1).
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  return decoder.decode(bytes, { stream: cutOff });
}
