import { errors } from 'undici';
import type { FailureKind } from '../../evidence/recorded-exchange.js';

/** Why no (whole) response came, for people: one line without stack, request headers or bytes of the server. */
export interface TransportFailure {
  readonly kind: FailureKind;
  readonly message: string;
}

/** A proxy that opened no tunnel, already described. */
export class TunnelFailure extends Error {
  override readonly name = 'TunnelFailure';
  constructor(readonly failure: TransportFailure) {
    super(failure.message);
  }
}

const certificate = (problem: string): readonly [FailureKind, string] => [
  'tls',
  `the server's certificate ${problem}`,
];
const unknownAuthority = certificate(
  'was issued by an authority that is not trusted here (to trust it, use --ca=FILE)',
);
const plainHttp = ['tls', 'the server does not speak TLS on this port (http instead of https?)'] as const;
const noPermission = ['refused', 'this machine does not allow the connection'] as const;
const hostAway = ['unreachable', 'the host cannot be reached from here'] as const;
const tooSlow = ['unreachable', 'no connection was opened in time'] as const;
const reset = ['reset', 'the connection was reset'] as const;
const clientClosed = ['aborted', 'the client was closed'] as const;

const failures: Readonly<Record<string, readonly [kind: FailureKind, message: string]>> = {
  ECONNREFUSED: ['refused', 'the connection was refused: nothing listens at that address'],
  EADDRNOTAVAIL: ['refused', 'no local address is free for a connection to the host'],
  EACCES: noPermission,
  EPERM: noPermission,
  EHOSTUNREACH: hostAway,
  EHOSTDOWN: hostAway,
  ENETUNREACH: ['unreachable', 'the network of the host cannot be reached from here'],
  ETIMEDOUT: tooSlow,
  UND_ERR_CONNECT_TIMEOUT: tooSlow,
  ENOTFOUND: ['unresolved', 'the name of the host is not known (DNS)'],
  EAI_AGAIN: ['unresolved', 'the name of the host could not be looked up (DNS did not respond)'],
  EAI_FAIL: ['unresolved', 'the name of the host could not be looked up (DNS failed)'],
  ECONNRESET: reset,
  ECONNABORTED: reset,
  EPIPE: ['reset', 'the connection was reset while the request was being sent'],
  UND_ERR_DESTROYED: clientClosed,
  UND_ERR_CLOSED: clientClosed,
  UND_ERR_ABORTED: ['aborted', 'the request was aborted'],
  UND_ERR_HEADERS_OVERFLOW: ['too-large', 'the headers of the response are longer than the limit'],
  // undici asserts what its parser lets through: it does not expect a status of 000.
  ERR_ASSERTION: ['not-http', 'the response is not valid HTTP/1.1'],
  CERT_HAS_EXPIRED: certificate('has expired'),
  CERT_NOT_YET_VALID: certificate('is not valid yet'),
  CERT_REVOKED: certificate('has been revoked'),
  CERT_SIGNATURE_FAILURE: certificate('has an invalid signature'),
  CERT_UNTRUSTED: certificate('is not trusted here'),
  CERT_REJECTED: certificate('is not trusted here'),
  ERR_TLS_CERT_ALTNAME_INVALID: certificate('was issued for another name'),
  HOSTNAME_MISMATCH: certificate('was issued for another name'),
  INVALID_PURPOSE: certificate('was not issued for servers'),
  INVALID_CA: certificate('was issued by an authority whose own certificate is not valid'),
  DEPTH_ZERO_SELF_SIGNED_CERT: certificate('is self-signed (to trust it, use --ca=FILE)'),
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  ERR_SSL_WRONG_VERSION_NUMBER: plainHttp,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: plainHttp,
  ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL: [
    'tls',
    'the server does not offer HTTP/1.1 (TLS: no common application protocol)',
  ],
};

/**
 * What an error of the socket, of TLS or of the HTTP parser means. Made from the error's code alone, so that neither
 * the key nor anything that the server sent can get into it.
 */
export function describeFailure(error: unknown): TransportFailure {
  if (error instanceof TunnelFailure) return error.failure;
  const { code, message } = read(error);
  const [kind, text] = explain(error, code, message);
  return { kind, message: text };
}

function explain(error: unknown, code: string, message: string): readonly [FailureKind, string] {
  if (code === 'ECONNRESET' && message.includes('secure TLS connection'))
    return ['closed', 'the server closed the connection during the TLS handshake'];
  const known = failures[code];
  if (known) return known;
  if (code === 'UND_ERR_SOCKET') {
    if (message === 'bad upgrade')
      return ['not-http', 'the server switched protocols (101) although no upgrade was requested'];
    if (message === 'bad response')
      return ['not-http', 'the server sent a response that no request asked for'];
    return ['closed', 'the server closed the connection'];
  }
  if (error instanceof errors.HTTPParserError) {
    // The parser's reasons are constants (`Expected HTTP/`), never bytes of the response.
    const reason = /\((.+)\)$/.exec(message)?.[1];
    return ['not-http', `the response is not valid HTTP/1.1${reason ? ` (${printable(reason)})` : ''}`];
  }
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_') || code === 'EPROTO')
    return ['tls', `no TLS connection could be agreed on (${printable(code)})`];
  if (/^UND_ERR_(INVALID|NOT_SUPPORTED|REQ_)/.test(code))
    return ['other', `the request cannot be sent over HTTP/1.1 (${printable(message)})`];
  return ['other', `the request failed (${code === '' ? 'for an unknown reason' : printable(code)})`];
}

function printable(text: string): string {
  return text.replace(/[^\u0020-\u007e]/g, '?').slice(0, 200);
}

function read(error: unknown): { readonly code: string; readonly message: string } {
  if (typeof error !== 'object' || error === null) return { code: '', message: '' };
  // The reason of AbortSignal.timeout has a number for a code, from the time before names.
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return { code: 'ETIMEDOUT', message: '' };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return { code, message: error instanceof Error ? error.message : '' };
}
