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

type Row = readonly [kind: FailureKind, message: string, ...codes: string[]];

const tls = (problem: string, ...codes: string[]): Row => [
  'tls',
  `the server's certificate ${problem}`,
  ...codes,
];
/** What error codes of sockets, name look-ups, TLS and undici mean. */
const rows: readonly Row[] = [
  ['refused', 'the connection was refused: nothing listens at that address', 'ECONNREFUSED'],
  ['refused', 'no local address is free for a connection to the host', 'EADDRNOTAVAIL'],
  ['refused', 'this machine does not allow the connection', 'EACCES', 'EPERM'],
  ['unreachable', 'the host cannot be reached from here', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH'],
  ['unreachable', 'no connection was opened in time', 'ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT'],
  ['unresolved', 'the name of the host is not known (DNS)', 'ENOTFOUND'],
  ['unresolved', 'the name of the host could not be looked up (DNS)', 'EAI_AGAIN', 'EAI_FAIL'],
  ['reset', 'the connection was reset', 'ECONNRESET', 'ECONNABORTED', 'EPIPE'],
  ['aborted', 'the client was closed', 'UND_ERR_DESTROYED', 'UND_ERR_CLOSED'],
  ['aborted', 'the request was aborted', 'UND_ERR_ABORTED'],
  ['too-large', 'the headers of the response are longer than the limit', 'UND_ERR_HEADERS_OVERFLOW'],
  // undici asserts what its parser lets through: it does not expect a status of 000.
  ['not-http', 'the response is not valid HTTP/1.1', 'ERR_ASSERTION'],
  tls('has expired', 'CERT_HAS_EXPIRED'),
  tls('is not valid yet', 'CERT_NOT_YET_VALID'),
  tls('was issued for another name', 'ERR_TLS_CERT_ALTNAME_INVALID', 'HOSTNAME_MISMATCH'),
  tls('is self-signed (to trust it, use --ca=FILE)', 'DEPTH_ZERO_SELF_SIGNED_CERT'),
  tls(
    'was issued by an authority that is not trusted here (to trust it, use --ca=FILE)',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_GET_ISSUER_CERT',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  ),
  [
    'tls',
    'the server does not speak TLS on this port (http instead of https?)',
    'ERR_SSL_WRONG_VERSION_NUMBER',
    'ERR_SSL_PACKET_LENGTH_TOO_LONG',
  ],
  [
    'tls',
    'the server does not offer HTTP/1.1 (TLS: no common application protocol)',
    'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL',
  ],
];
const failures = new Map(
  rows.flatMap(([kind, message, ...codes]) => codes.map((code) => [code, { kind, message }] as const)),
);

/**
 * What an error of the socket, of TLS or of the HTTP parser means. Made from the error's code alone, so that neither
 * the key nor anything that the server sent can get into it.
 */
export function describeFailure(error: unknown): TransportFailure {
  if (error instanceof TunnelFailure) return error.failure;
  // The reason of AbortSignal.timeout has a number for a code, from the time before names.
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return describeFailure({ code: 'ETIMEDOUT' });
  const { code, message } = read(error);
  if (code === 'ECONNRESET' && message.includes('secure TLS connection'))
    return { kind: 'closed', message: 'the server closed the connection during the TLS handshake' };
  const known = failures.get(code);
  if (known) return known;
  if (code === 'UND_ERR_SOCKET') return describeSocketError(message);
  if (error instanceof errors.HTTPParserError) {
    // The parser's reasons are constants (`Expected HTTP/`), never bytes of the response.
    const reason = /\((.+)\)$/.exec(message)?.[1];
    const why = reason ? ` (${printable(reason)})` : '';
    return { kind: 'not-http', message: `the response is not valid HTTP/1.1${why}` };
  }
  const isTls = /^(ERR_(SSL|TLS)_|EPROTO$|CERT_|INVALID_(CA|PURPOSE)$)/.test(code);
  if (isTls) return { kind: 'tls', message: `no TLS connection could be agreed on (${printable(code)})` };
  if (/^UND_ERR_(INVALID|NOT_SUPPORTED|REQ_)/.test(code))
    return { kind: 'other', message: `the request cannot be sent over HTTP/1.1 (${printable(message)})` };
  return {
    kind: 'other',
    message: `the request failed (${code === '' ? 'unknown error' : printable(code)})`,
  };
}

function describeSocketError(message: string): TransportFailure {
  if (message === 'bad upgrade')
    return {
      kind: 'not-http',
      message: 'the server switched protocols (101) although no upgrade was requested',
    };
  if (message === 'bad response')
    return { kind: 'not-http', message: 'the server sent a response that no request asked for' };
  return { kind: 'closed', message: 'the server closed the connection' };
}

function printable(text: string): string {
  return text.replace(/[^\u0020-\u007e]/g, '?').slice(0, 200);
}

function read(error: unknown): { readonly code: string; readonly message: string } {
  const code =
    typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
      ? error.code
      : '';
  return { code, message: error instanceof Error ? error.message : '' };
}
