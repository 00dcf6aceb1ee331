import type { ExchangeResponse } from '../exchange/exchange.js';

/** Bytes that are kept of a body that was cut off, to show what it was. */
const keptOfTruncated = 16_384;

/** A response's body as an exchange holds it: text if it is UTF-8, base64 otherwise. */
export function recordedBody(received: {
  body: Uint8Array;
  bytes: number;
  truncated: boolean;
}): ExchangeResponse['body'] {
  const { bytes, truncated } = received;
  const kept = truncated ? received.body.subarray(0, keptOfTruncated) : received.body;
  const common = { bytes, ...(truncated ? { truncated } : {}) };
  if (kept.length === 0) return common;
  try {
    return { ...common, text: decoded(kept, truncated) };
  } catch {
    return { ...common, base64: Buffer.from(kept).toString('base64') };
  }
}

/** @throws TypeError if the bytes are not UTF-8; the last character of a body that was cut off may be incomplete. */
function decoded(bytes: Uint8Array, cutOff: boolean): string {
  // `ignoreBOM` keeps a byte order mark in the text: JSON must not begin with one (RFC 8259 8.1).
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  return decoder.decode(bytes, { stream: cutOff });
}
