import { createServer } from 'node:http';
import { undocumented, type HostileFixture, type HostileTarget } from '../fixture.js';
import { listen } from '../server.js';
import { referenceWith, type Serve } from '../write-response.js';

/** Targets that redirect their clients. The specification lists no 3xx. */
export const redirects: readonly HostileFixture[] = [
  redirect({
    name: 'redirect-to-itself',
    title: 'Every response redirects to the very same address',
    status: 302,
    location: (path) => path,
  }),
  redirect({
    name: 'redirect-in-a-circle',
    title: 'Every response redirects to an address one segment longer',
    status: 307,
    location: (path) => `${path}/again`,
  }),
  redirect({
    name: 'redirect-to-a-file',
    title: 'Every response redirects to file:///etc/passwd',
    status: 302,
    location: () => 'file:///etc/passwd',
  }),
  redirect({
    name: 'redirect-to-script',
    title: 'Every response redirects to javascript:',
    status: 302,
    location: () => 'javascript:alert(1)',
  }),
  redirect({
    name: 'redirect-without-location',
    title: 'Every response redirects without a Location',
    status: 301,
    location: () => undefined,
  }),
  {
    name: 'redirect-to-another-host',
    title: 'Every response redirects to another origin, which listens for the key',
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

interface Redirect extends Pick<HostileFixture, 'name' | 'title'> {
  readonly status: number;
  readonly location: (path: string) => string | undefined;
}

function redirect({ name, title, status, location }: Redirect): HostileFixture {
  const serve = redirecting(status, location);
  return { name, title, serve, expects: undocumented, wire: { status } };
}

/** A redirect to a second server that counts the credentials it gets. */
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
