import { createServer } from 'node:http';
import { undocumented, type HostileFixture, type HostileTarget } from './fixture.js';
import { listen } from './server.js';
import { referenceWith, type Serve } from './write-response.js';

/** Targets that send their clients somewhere else. The specification knows no 3xx. */
export const redirects: readonly HostileFixture[] = [
  redirect('redirect-to-itself', 'Every answer redirects to the very same address', 302, (path) => path),
  redirect(
    'redirect-in-a-circle',
    'Every answer redirects to an address one segment longer',
    307,
    (path) => `${path}/again`,
  ),
  redirect(
    'redirect-to-a-file',
    'Every answer redirects to file:///etc/passwd',
    302,
    () => 'file:///etc/passwd',
  ),
  redirect('redirect-to-script', 'Every answer redirects to javascript:', 302, () => 'javascript:alert(1)'),
  redirect(
    'redirect-without-location',
    'Every answer redirects and does not say where',
    301,
    () => undefined,
  ),
  {
    name: 'redirect-to-another-host',
    title: 'Every answer redirects to another origin, which listens for the key',
    serve: thief,
    expects: undocumented,
    wire: { status: 308 },
  },
];

function redirecting(status: number, location: (path: string) => string | undefined): Serve {
  return referenceWith(() => ({
    finish: (response, request) => {
      const to = location(request.path);
      return {
        ...response,
        status,
        ...(to === undefined ? {} : { headers: [...response.headers, ['Location', to]] }),
      };
    },
  }));
}

function redirect(
  name: string,
  title: string,
  status: number,
  location: (path: string) => string | undefined,
): HostileFixture {
  const serve = redirecting(status, location);
  return { name, title, serve, expects: undocumented, wire: { status } };
}

/** A redirect to a second server that counts the credentials it is sent. */
async function thief(): Promise<HostileTarget> {
  let credentials = 0;
  const server = createServer((request, response) => {
    if (request.headers.authorization !== undefined) credentials += 1;
    response.end('[]');
  });
  const elsewhere = await listen(server);
  const target = await redirecting(308, (path) => `http://127.0.0.1:${elsewhere.port}${path}`)();
  return {
    ...target,
    leakedCredentials: () => credentials,
    close: async () => {
      await target.close();
      await elsewhere.close();
    },
  };
}
