import { roundedDuration, timestamp } from '../http/clock/clock.js';
import type { Credential } from '../http/exchange/credential.js';
import { curlOf } from '../http/exchange/curl.js';
import type { Exchange } from '../http/exchange/exchange.js';
import { recordedBody } from '../http/body/recorded-body.js';
import type { Redact } from '../http/redaction/redaction.js';
import type { LedgerEntry } from './ledger.js';

/** An entry of a ledger as an exchange of the record: redacted, and with its curl line. */
export function recordedEntry(
  entry: LedgerEntry,
  origin: string,
  credential: Credential,
  redact: Redact,
): Omit<Exchange, 'id'> {
  const { request, body, status } = entry;
  const recorded: Exchange['request'] = {
    method: request.method,
    url: origin + request.path,
    headers: request.headers.map(([name, value]) => [
      name,
      name === 'Authorization' ? (credential.display ?? redact(value)) : value,
    ]),
    ...(request.body === undefined ? {} : { body: redact(request.body) }),
  };
  const took = roundedDuration(entry.at - entry.sentAt);
  return {
    purpose: request.purpose,
    operation: request.operation,
    credential: request.credential,
    ...(request.caller === undefined ? {} : { caller: request.caller }),
    ...(request.phase === undefined ? {} : { phase: request.phase }),
    input: request.input,
    sentAt: timestamp(entry.sentAt),
    request: recorded,
    ...(status === null
      ? {}
      : {
          response: {
            status,
            headers: entry.headers.map(([name, value]) => [redact(name), redact(value)]),
            body: recordedBody({ body, bytes: body.length, truncated: false }, redact),
          },
        }),
    ...(entry.failure ? { failure: { ...entry.failure, message: redact(entry.failure.message) } } : {}),
    timing: { wait: 0, ...(status === null ? {} : { firstByte: took }), total: took },
    ...(entry.connection === undefined ? {} : { connection: entry.connection }),
    curl: curlOf(recorded),
  };
}
