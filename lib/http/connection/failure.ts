import { errors } from 'undici';
import type { FailureKind } from '../exchange/exchange.js';

/** Why no (whole) response came, for people: one line, without stack, request headers or bytes of the server's. */
export interface TransportFailure {
  kind: FailureKind;
  message: string;
}

/** A proxy that opened no tunnel, already described. */
export class TunnelFailure extends Error {
  override readonly name = 'TunnelFailure';
  constructor(readonly failure: TransportFailure) {
    super(failure.message);
  }
}

const certificateProblems: Record<string, string> = {
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet',
  CERT_REVOKED: 'has been revoked',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'comes from an authority that is not trusted here',
  UNABLE_TO_GET_ISSUER_CERT: 'comes from an authority that is not known here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'comes from an authority that is not known here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'comes from an authority that is not known here',
  ERR_TLS_CERT_ALTNAME_INVALID: 'was issued for another name',
  HOSTNAME_MISMATCH: 'was issued for another name',
  CERT_SIGNATURE_FAILURE: 'has a signature that does not verify',
  CERT_UNTRUSTED: 'is not trusted here',
  CERT_REJECTED: 'is not trusted here',
  INVALID_PURPOSE: 'was not issued for servers',
  INVALID_CA: 'comes from an authority whose own certificate is not valid',
};

const unknownAuthority = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

const fixed: Record<string, TransportFailure> = {
  ECONNREFUSED: { kind: 'refused', message: 'the connection was refused: nothing listens at that address' },
  EHOSTUNREACH: { kind: 'unreachable', message: 'the host cannot be reached from here' },
  EHOSTDOWN: { kind: 'unreachable', message: 'the host cannot be reached from here' },
  ENETUNREACH: { kind: 'unreachable', message: 'the network of the host cannot be reached from here' },
  EADDRNOTAVAIL: { kind: 'refused', message: 'no local address is free for a connection to the host' },
  EACCES: { kind: 'refused', message: 'this machine does not permit the connection' },
  EPERM: { kind: 'refused', message: 'this machine does not permit the connection' },
  ENOTFOUND: { kind: 'unresolved', message: 'the name of the host is not known (DNS)' },
  EAI_AGAIN: {
    kind: 'unresolved',
    message: 'the name of the host could not be looked up (DNS did not answer)',
  },
  EAI_FAIL: { kind: 'unresolved', message: 'the name of the host could not be looked up (DNS failed)' },
  ETIMEDOUT: { kind: 'unreachable', message: 'no connection could be opened in time' },
  UND_ERR_CONNECT_TIMEOUT: { kind: 'unreachable', message: 'no connection could be opened in time' },
  ECONNRESET: { kind: 'reset', message: 'the connection was reset' },
  ECONNABORTED: { kind: 'reset', message: 'the connection was reset' },
  EPIPE: { kind: 'reset', message: 'the connection was reset while the request was being sent' },
  UND_ERR_DESTROYED: { kind: 'aborted', message: 'the client was closed' },
  UND_ERR_CLOSED: { kind: 'aborted', message: 'the client was closed' },
  UND_ERR_ABORTED: { kind: 'aborted', message: 'the request was given up' },
  UND_ERR_HEADERS_OVERFLOW: {
    kind: 'too-large',
    message: 'the headers of the response are longer than the limit',
  },
  // undici asserts what its parser has let through; a status of 000 is not expected there.
  ERR_ASSERTION: { kind: 'not-http', message: 'the response is no valid HTTP/1.1' },
  ERR_SSL_WRONG_VERSION_NUMBER: {
    kind: 'tls',
    message: 'the server does not speak TLS on this port (http instead of https?)',
  },
  ERR_SSL_PACKET_LENGTH_TOO_LONG: {
    kind: 'tls',
    message: 'the server does not speak TLS on this port (http instead of https?)',
  },
  ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL: {
    kind: 'tls',
    message: 'the server does not offer HTTP/1.1 (TLS: no application protocol in common)',
  },
};

/**
 * What an error of the socket, of TLS or of the HTTP parser means. Built from the error's code alone, so that neither
 * the key nor anything that the server sent can get into it.
 */
export function describeFailure(error: unknown): TransportFailure {
  if (error instanceof TunnelFailure) return error.failure;
  const { code, message } = read(error);
  const known = fixed[code];
  if (known) {
    const duringHandshake = code === 'ECONNRESET' && message.includes('secure TLS connection');
    return duringHandshake
      ? { kind: 'closed', message: 'the connection was closed during the TLS handshake' }
      : known;
  }
  const certificate = certificateProblems[code];
  if (certificate) {
    const advice = unknownAuthority.has(code) ? ' (--ca=FILE makes its authority known)' : '';
    return { kind: 'tls', message: `the certificate of the server ${certificate}${advice}` };
  }
  if (code === 'UND_ERR_SOCKET') return describeSocketEnd(message);
  if (error instanceof errors.HTTPParserError)
    return { kind: 'not-http', message: describeParserError(message) };
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_') || code === 'EPROTO') {
    return { kind: 'tls', message: `no TLS connection could be agreed on (${printable(code)})` };
  }
  if (
    code.startsWith('UND_ERR_INVALID') ||
    code === 'UND_ERR_NOT_SUPPORTED' ||
    code.startsWith('UND_ERR_REQ_')
  ) {
    return { kind: 'other', message: `the request cannot be sent over HTTP/1.1 (${printable(message)})` };
  }
  return {
    kind: 'other',
    message: `the request failed (${code === '' ? 'for an unknown reason' : printable(code)})`,
  };
}

function describeSocketEnd(message: string): TransportFailure {
  if (message === 'bad upgrade') {
    return {
      kind: 'not-http',
      message: 'the server switched protocols (101) though no upgrade was asked for',
    };
  }
  if (message === 'bad response')
    return { kind: 'not-http', message: 'the server sent a response that no request asked for' };
  return { kind: 'closed', message: 'the server closed the connection' };
}

/** llhttp's reasons are constants of its own (`Expected HTTP/`), never bytes of the response. */
function describeParserError(message: string): string {
  const reason = /\((.+)\)$/.exec(message)?.[1];
  return `the response is no valid HTTP/1.1${reason ? ` (${printable(reason)})` : ''}`;
}

function printable(text: string): string {
  return text.replace(/[^\u0020-\u007e]/g, '?').slice(0, 200);
}

function read(error: unknown): { code: string; message: string } {
  if (typeof error !== 'object' || error === null) return { code: '', message: '' };
  // AbortSignal.timeout's reason has a number for a code, from the time before names.
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return { code: 'ETIMEDOUT', message: '' };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return { code, message: error instanceof Error ? error.message : '' };
}
