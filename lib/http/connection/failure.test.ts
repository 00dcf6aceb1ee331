import * as fc from 'fast-check';
import { errors } from 'undici';
import { describe, expect, it } from 'vitest';
import { failureKinds } from '../../evidence/recorded-exchange.js';
import { describeFailure, TunnelFailure } from './failure.js';

function coded(code: string, message = 'the text of the error'): Error {
  return Object.assign(new Error(message), { code });
}

describe('a failure', () => {
  it.each([
    ['ECONNREFUSED', 'refused'],
    ['EHOSTUNREACH', 'unreachable'],
    ['ENOTFOUND', 'unresolved'],
    ['UND_ERR_CONNECT_TIMEOUT', 'unreachable'],
    ['ECONNRESET', 'reset'],
    ['UND_ERR_HEADERS_OVERFLOW', 'too-large'],
    ['CERT_HAS_EXPIRED', 'tls'],
    ['ERR_SSL_SOMETHING_NEW', 'tls'],
    ['ERR_ASSERTION', 'not-http'],
    ['UND_ERR_DESTROYED', 'aborted'],
    ['ENEW', 'other'],
  ])('with the code %s is of the kind %s', (code, kind) => {
    expect(describeFailure(coded(code)).kind).toBe(kind);
  });

  it('tells how an unknown authority is made known, and only there', () => {
    expect(describeFailure(coded('UNABLE_TO_VERIFY_LEAF_SIGNATURE')).message).toContain('--ca=FILE');
    expect(describeFailure(coded('CERT_HAS_EXPIRED')).message).not.toContain('--ca=FILE');
  });

  it('of a handshake that ended is no reset', () => {
    const message = 'Client network socket disconnected before secure TLS connection was established';
    expect(describeFailure(coded('ECONNRESET', message)).kind).toBe('closed');
  });

  it('of the parser is told in its own words', () => {
    const error = new errors.HTTPParserError(
      'Response does not match the HTTP/1.1 protocol (Expected HTTP/)',
    );
    expect(describeFailure(error)).toEqual({
      kind: 'not-http',
      message: 'the response is not valid HTTP/1.1 (Expected HTTP/)',
    });
  });

  it('of a tunnel is the one that was described there', () => {
    const failure = { kind: 'refused', message: 'no tunnel' } as const;
    expect(describeFailure(new TunnelFailure(failure))).toBe(failure);
  });

  it('is one printable line, whatever was thrown, and holds nothing of it but its code', () => {
    const thrown = fc.oneof(
      fc.anything(),
      fc
        .tuple(fc.constantFrom('ECONNRESET', 'UND_ERR_SOCKET', 'CERT_HAS_EXPIRED', 'EPROTO', ''), fc.string())
        .map(([code, text]) => coded(code, `secret ${text}`)),
    );
    fc.assert(
      fc.property(thrown, (error) => {
        const { kind, message } = describeFailure(error);
        expect(failureKinds).toContain(kind);
        expect(message).toMatch(/^[\u0020-\u007e]+$/);
        expect(message).not.toContain('secret');
      }),
    );
  });
});
