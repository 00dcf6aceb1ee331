import { createSecureServer } from 'node:http2';
import { createServer as createPlainServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { serveReference } from '../../reference/serve.js';
import { createAuthority, issue, type Certificate, type CertificateChoice } from '../certificates.js';
import type { Expectation, HostileFixture, HostileTarget, WireExpectation } from '../fixture.js';
import { listen, targetOn } from '../server.js';
import { serveBytes } from '../connection-target.js';
import { layLine } from '../relay.js';

const year = 365 * 86_400_000;

/** Targets whose TLS cannot be trusted, or is missing. */
export const tls: readonly HostileFixture[] = [
  wrongCertificate({
    name: 'certificate-expired',
    title: 'The certificate expired a year ago',
    message: /certificate has expired/,
    choice: {
      validFrom: new Date(Date.now() - 2 * year),
      validTo: new Date(Date.now() - year),
    },
  }),
  wrongCertificate({
    name: 'certificate-of-tomorrow',
    title: 'The certificate is not valid before next year',
    message: /is not valid yet/,
    choice: {
      validFrom: new Date(Date.now() + year),
      validTo: new Date(Date.now() + 2 * year),
    },
  }),
  wrongCertificate({
    name: 'certificate-for-another-name',
    title: 'The certificate was issued for another host',
    message: /issued for another name/,
    choice: {
      name: null,
    },
  }),
  {
    name: 'certificate-self-signed',
    title: 'The certificate is self-signed',
    serve: async () => serveWith(await issue({})),
    ...untrusted(/certificate is self-signed/),
  },
  {
    name: 'certificate-of-unknown-authority',
    title: 'The certificate comes from an unknown authority',
    serve: async () => serveWith(await issue({ authority: await createAuthority() })),
    ...untrusted(/not trusted here.*--ca=FILE/),
  },
  {
    name: 'certificate-of-given-authority',
    title: 'The certificate comes from the authority that was given by --ca',
    serve: async () => {
      const authority = await createAuthority();
      return { ...(await serveWith(await issue({ authority }))), ca: authority.cert };
    },
    expects: { exit: 0 },
    wire: { status: 200 },
  },
  {
    name: 'certificate-self-signed-accepted',
    title: 'The certificate is self-signed, and --insecure accepts it on loopback',
    serve: async () => ({ ...(await serveWith(await issue({}))), insecure: true }),
    expects: { exit: 0 },
    wire: { status: 200 },
  },
  {
    name: 'plain-http-on-the-https-port',
    title: 'The address says https, and the server speaks plain HTTP',
    serve: async () => {
      const target = await serveBytes('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n')();
      return { ...target, baseUrl: target.baseUrl.replace('http:', 'https:') };
    },
    ...untrusted(/does not speak TLS on this port/),
  },
  {
    name: 'tls-on-the-http-port',
    title: 'The address says http, and the server speaks TLS',
    serve: async () => {
      const target = await serveWith(await issue({}));
      return { ...target, baseUrl: target.baseUrl.replace('https:', 'http:') };
    },
    expects: { exit: 3, findings: /closed the connection/ },
    wire: { failure: { kind: 'closed', message: /closed the connection/ } },
  },
  {
    name: 'http-2-only-over-tls',
    title: 'The server speaks HTTP/2 and nothing else, over TLS',
    serve: async () => {
      const authority = await createAuthority();
      const server = createSecureServer({ ...(await issue({ authority })), allowHTTP1: false });
      server.on('stream', (stream) => stream.end('[]'));
      return { ...targetOn(await listen(server), 'https'), ca: authority.cert };
    },
    ...untrusted(/does not offer HTTP\/1\.1/),
  },
  {
    name: 'handshake-without-end',
    title: 'The TLS handshake begins and never ends',
    serve: async () => targetOn(await listen(createPlainServer(() => undefined)), 'https'),
    expects: { exit: 3, findings: /within|in time/ },
    wire: { failure: { kind: 'timeout', message: /within|in time/ } },
  },
  {
    name: 'handshake-cut-off',
    title: 'The connection is closed in the middle of the TLS handshake',
    serve: async () =>
      targetOn(
        await listen(createPlainServer((socket) => void socket.once('data', () => socket.end()))),
        'https',
      ),
    expects: { exit: 3, findings: /during the TLS handshake/ },
    wire: { failure: { kind: 'closed', message: /during the TLS handshake/ } },
  },
];

/** The reference service behind TLS with this certificate. */
async function serveWith(certificate: Certificate): Promise<HostileTarget> {
  const reference = await serveReference();
  const line = await layLine(Number(new URL(reference.baseUrl).port), (carry) =>
    createTlsServer({ ...certificate }, carry),
  );
  return {
    baseUrl: `https://127.0.0.1:${line.port}/v1`,
    close: async () => {
      await line.cut();
      await reference.close();
    },
  };
}

function untrusted(message: RegExp): { expects: Expectation; wire: WireExpectation } {
  return { expects: { exit: 3, findings: message }, wire: { failure: { kind: 'tls', message } } };
}

interface WrongCertificate extends Pick<HostileFixture, 'name' | 'title'> {
  readonly message: RegExp;
  readonly choice: CertificateChoice;
}

/** A certificate from a trusted authority with one thing wrong. */
function wrongCertificate({ name, title, message, choice }: WrongCertificate): HostileFixture {
  const serve = async (): Promise<HostileTarget> => {
    const authority = await createAuthority();
    return { ...(await serveWith(await issue({ ...choice, authority }))), ca: authority.cert };
  };
  return { name, title, serve, ...untrusted(message) };
}
