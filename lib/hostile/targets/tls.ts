import { createSecureServer } from 'node:http2';
import { createServer as createPlainServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { serveReference } from '../../reference/serve.js';
import { createAuthority, issue, type Certificate, type CertificateChoice } from '../certificates.js';
import { fails, type HostileFixture, type HostileTarget, type Serve } from '../fixture.js';
import { listen, serveBytes, targetOn } from '../server.js';
import { layLine } from '../relay.js';

/** Targets whose TLS cannot be trusted, or is missing. */
export const tls: readonly HostileFixture[] = [
  {
    name: 'certificate-expired',
    title: 'The certificate expired yesterday',
    serve: withCertificate({ validTo: new Date(Date.now() - 86_400_000) }),
    ...fails('tls', /certificate has expired/),
  },
  {
    name: 'certificate-for-another-name',
    title: 'The certificate was issued for another host',
    serve: withCertificate({ name: null }),
    ...fails('tls', /issued for another name/),
  },
  {
    name: 'certificate-self-signed',
    title: 'The certificate is self-signed',
    serve: async () => serveWith(await issue({})),
    ...fails('tls', /certificate is self-signed/),
  },
  {
    name: 'certificate-of-unknown-authority',
    title: 'The certificate comes from an unknown authority',
    serve: async () => serveWith(await issue({ authority: await createAuthority() })),
    ...fails('tls', /not trusted here.*--ca=FILE/),
  },
  {
    name: 'certificate-of-given-authority',
    title: 'The certificate comes from the authority that was given by --ca',
    serve: withCertificate({}),
  },
  {
    name: 'plain-http-on-the-https-port',
    title: 'The address says https, and the server speaks plain HTTP',
    serve: async () => {
      const target = await serveBytes('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n')();
      return { ...target, baseUrl: target.baseUrl.replace('http:', 'https:') };
    },
    ...fails('tls', /does not speak TLS on this port/),
  },
  {
    name: 'tls-on-the-http-port',
    title: 'The address says http, and the server speaks TLS',
    serve: async () => {
      const target = await serveWith(await issue({}));
      return { ...target, baseUrl: target.baseUrl.replace('https:', 'http:') };
    },
    ...fails('closed', /closed the connection/),
  },
  {
    name: 'http-2-only-over-tls',
    title: 'The server speaks HTTP/2 and nothing else, over TLS',
    serve: async () => {
      const authority = await createAuthority();
      const server = createSecureServer({ ...(await issue({ authority })), allowHTTP1: false });
      return { ...targetOn(await listen(server), 'https'), ca: authority.cert };
    },
    ...fails('tls', /does not offer HTTP\/1\.1/),
  },
  {
    name: 'handshake-without-end',
    title: 'The TLS handshake begins and never ends',
    serve: async () => targetOn(await listen(createPlainServer(() => undefined)), 'https'),
    ...fails('timeout', /within|in time/),
  },
  {
    name: 'handshake-cut-off',
    title: 'The connection is closed in the middle of the TLS handshake',
    serve: async () => {
      const server = createPlainServer((socket) => void socket.once('data', () => socket.end()));
      return targetOn(await listen(server), 'https');
    },
    ...fails('closed', /during the TLS handshake/),
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

/** The reference service with a certificate of an authority that the suite is told to trust. */
function withCertificate(choice: CertificateChoice): Serve {
  return async () => {
    const authority = await createAuthority();
    return { ...(await serveWith(await issue({ ...choice, authority }))), ca: authority.cert };
  };
}
