import { roundedDuration, timestamp } from '../clock/clock.js';
import type { Received } from '../connection/reception.js';
import type { RecordedExchange, ExchangeResponse } from '../../evidence/recorded-exchange.js';
import { headersOf, type Destination, type PlannedRequest } from './planned-request.js';

/**
 * A request and what came of it as judgements see them, the key itself stands nowhere in it.
 * @param waitMs Milliseconds that the request waited for its turn before it was sent
 */
export function recordExchange(
  planned: PlannedRequest,
  received: Received,
  destination: Destination,
  waitMs = 0,
): Omit<RecordedExchange, 'id'> {
  const { credential, purpose, operation, phase, method, path, body, latin1 } = planned;
  const { sentAt, at, endedAt, status, headers, connection, failure } = received;
  const { caFile, certFiles, localAddress } = destination;
  const isAnswered = status !== null;
  return {
    purpose,
    operation,
    credential: credential.kind,
    credentialText: credential.kind === 'valid' ? undefined : credential.description,
    caller: credential.caller,
    phase,
    sentAt: timestamp(sentAt),
    request: {
      method,
      url: destination.baseUrl + path,
      headers: headersOf(planned, destination, credential.display ?? credential.authorization),
      body,
      latin1,
      ca: caFile,
      cert: certFiles && [...certFiles],
      localAddress,
    },
    response: isAnswered ? { status, headers, body: recordedBody(received) } : undefined,
    failure,
    timing: {
      wait: roundedDuration(waitMs),
      firstByte: isAnswered ? roundedDuration(at - sentAt) : undefined,
      total: roundedDuration(endedAt - sentAt),
    },
    connection,
  };
}

/** Bytes that are kept of a body that was cut off, to show what it was. */
const keptOfTruncated = 16_384;

/** A response's body as an exchange holds it: text if it is UTF-8, base64 otherwise. */
export function recordedBody(
  received: Pick<Received, 'body' | 'bytes' | 'truncated'>,
): ExchangeResponse['body'] {
  const { bytes, truncated } = received;
  const kept = truncated ? received.body.subarray(0, keptOfTruncated) : received.body;
  const common = { bytes, ...(truncated && { truncated }) };
  if (kept.length === 0) return common;
  try {
    // `ignoreBOM` keeps a byte order mark in the text: JSON must not begin with one (RFC 8259 8.1).
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    // The last character of a body that was cut off may be incomplete.
    return { ...common, text: decoder.decode(kept, { stream: truncated }) };
  } catch {
    return { ...common, base64: Buffer.from(kept).toString('base64') };
  }
}
