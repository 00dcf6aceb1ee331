import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { expect, it, onTestFinished } from 'vitest';
import { createAuthority } from '../../hostile/certificates.js';
import { createTransport } from './transport.js';
import { RemoteAddresses, type RemoteAddress } from './remote-address.js';

const response = 'HTTP/1.1 204 No Content\r\n\r\n';

async function addressesOf(secure: boolean): Promise<readonly RemoteAddress[]> {
  const server = secure ? createTlsServer(await createAuthority()) : createServer();
  server.on(secure ? 'secureConnection' : 'connection', (socket: NodeJS.ReadWriteStream) =>
    socket.on('data', () => socket.write(response)).on('error', () => undefined),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const found = new RemoteAddresses();
  const transport = createTransport({
    origin: `${secure ? 'https' : 'http'}://127.0.0.1:${port}`,
    insecure: true,
    connected: (to) => found.see(to),
  });
  onTestFinished(() => transport.close());
  for (const apart of [false, true, true])
    await transport.send({ method: 'GET', path: '/', headers: [], apart });
  expect(found.all).toMatchObject([{ address: '127.0.0.1', port }]);
  return found.all;
}

it('an address is kept once, however many connections go to it', async () => {
  expect(await addressesOf(false)).toHaveLength(1);
});

it('over TLS the certificate is kept with it, also if a session is taken up again', async () => {
  const [one] = await addressesOf(true);
  expect(one?.certificate).toEqual({
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/u) as string,
    validFrom: expect.stringMatching(/Z$/u) as string,
    validUntil: expect.stringMatching(/Z$/u) as string,
  });
});
