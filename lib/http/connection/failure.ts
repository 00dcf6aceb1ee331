import { printable } from '../../explain/printable.js';
import type { FailureKind, RecordedExchange } from '../../evidence/recorded-exchange.js';

/** Why no (whole) response came, for people: one line without stack, request headers or bytes of the server. */
export type TransportFailure = NonNullable<RecordedExchange['failure']>;

/** A proxy that opened no tunnel, already described. */
export class TunnelFailure extends Error {
  constructor(readonly failure: TransportFailure) {
    super(failure.message);
  }
}

/**
 * What errors of sockets, name look-ups, TLS and undici mean, by their code and text: the first row that matches counts.
 * `$1` is what its brackets hold: a code, or a text of undici's own, never bytes of the response, nor the key.
 */
const rows: ReadonlyArray<readonly [error: RegExp, kind: FailureKind, message: string]> = [
  [/^ECONNRESET .*secure TLS/, 'closed', 'the server closed the connection during the TLS handshake'],
  [/^ECONNREFUSED /, 'refused', 'the connection was refused: nothing listens at that address'],
  [/^(EADDRNOTAVAIL|EACCES|EPERM) /, 'refused', 'this machine does not allow the connection'],
  [/^(EHOSTUNREACH|EHOSTDOWN|ENETUNREACH) /, 'unreachable', 'the host cannot be reached from here'],
  [/^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT) /, 'unreachable', 'no connection was opened in time'],
  [/^(ENOTFOUND|EAI_)/, 'unresolved', 'the name of the host could not be looked up (DNS)'],
  [/^(ECONNRESET|ECONNABORTED|EPIPE) /, 'reset', 'the connection was reset'],
  [/^(EMFILE|ENFILE) /, 'exhausted', 'this machine lets no more files be opened: raise ulimit -n'],
  [/^(ENOBUFS|ENOMEM) /, 'exhausted', 'this machine has no memory left for a connection'],
  [/^UND_ERR_(DESTROYED|CLOSED|ABORTED) /, 'aborted', 'the request was aborted'],
  [/^UND_ERR_RES_CONTENT_/, 'not-http', 'Content-Length is not the length of the body, or is there twice'],
  [/^UND_ERR_HEADERS_OVERFLOW /, 'too-large', 'the headers of the response are longer than the limit'],
  [/ bad upgrade$/, 'not-http', 'the server switched protocols (101) although no upgrade was requested'],
  [/ bad response$/, 'not-http', 'the server sent a response that no request asked for'],
  [/^UND_ERR_SOCKET /, 'closed', 'the server closed the connection'],
  [/^CERT_HAS_EXPIRED /, 'tls', "the server's certificate has expired"],
  [/^\S*(ALTNAME|HOSTNAME_MISMATCH)/, 'tls', "the server's certificate was issued for another name"],
  [/^DEPTH_ZERO_SELF/, 'tls', "the server's certificate is self-signed (to trust it, use --ca=FILE)"],
  [/^(SELF_SIGNED|UNABLE_TO_)/, 'tls', "the certificate's authority is not trusted here (use --ca=FILE)"],
  [/^ERR_SSL_(WRONG_V|PACKET_L)/, 'tls', 'the server does not speak TLS on this port (http, not https?)'],
  [/^\S*NO_APPLICATION_PROTOCOL /, 'tls', 'the server does not offer HTTP/1.1 over TLS'],
  [/^((?:ERR_SSL_|ERR_TLS_|EPROTO|CERT_|INVALID_)\S*)/, 'tls', 'no TLS connection could be agreed on ($1)'],
  [/^UND_ERR_(?:INVALID|NOT_S|REQ_)\S* (.*)/s, 'other', 'the request cannot be sent over HTTP/1.1 ($1)'],
  [/ protocol \((.+)\)$/s, 'not-http', 'the response is not valid HTTP/1.1 ($1)'],
  // undici asserts what its parser lets through: it does not expect a status of 000.
  [/^(ERR_ASSERTION|HPE_)/, 'not-http', 'the response is not valid HTTP/1.1'],
  [/^(\S+) /, 'other', 'the request failed ($1)'],
];

export function describeFailure(error: unknown): TransportFailure {
  if (error instanceof TunnelFailure) return error.failure;
  const { code, name, message }: NodeJS.ErrnoException = error instanceof Error ? error : new Error();
  // The reason of AbortSignal.timeout has a number for a code, from the time before names.
  const text = `${name === 'TimeoutError' ? 'ETIMEDOUT' : (code ?? '')} ${message}`;
  for (const [matches, kind, described] of rows) {
    const found = matches.exec(text);
    const detail = printable((found?.[1] ?? '').slice(0, 200));
    if (found) return { kind, message: described.replace('$1', () => detail) };
  }
  return { kind: 'other', message: 'the request failed for an unknown reason' };
}
