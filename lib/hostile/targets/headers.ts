import { createServer } from 'node:http';
import { mapHeader, withHeader, withoutHeader, type Header } from '../../reference/http-message.js';
import { fails, undocumented, type HostileFixture, type HostileTarget, type Serve } from '../fixture.js';
import { listen } from '../server.js';
import { changed, whole, written } from '../write-response.js';

const close: Header = ['Connection', 'close'];

/** Targets whose header fields are too many, malformed, hold odd values, or redirect. */
export const headers: readonly HostileFixture[] = [
  {
    name: 'header-names-of-objects',
    title: 'Header fields named __proto__, constructor and toString',
    serve: changed((response) =>
      ['__proto__', 'constructor', 'toString'].reduce(
        (more, name) => withHeader(more, name, 'polluted'),
        response,
      ),
    ),
  },
  {
    name: 'header-with-null-byte',
    title: 'A header value holds a null byte',
    serve: written((wire) => whole(wire, ['X-Note', 'a\0b'])),
    ...fails('not-http', /not valid HTTP\/1\.1/),
  },
  {
    name: 'header-with-c1-escapes',
    title: 'Header values hold terminal escapes in the C1 range, which HTTP lets pass as obs-text',
    serve: written((wire) => {
      const spoilt = wire.headers.map(([name, value]): Header => [
        name,
        /^x-ratelimit/i.test(name) ? `\u009b2J${value}` : value,
      ]);
      return whole({ ...wire, headers: spoilt }, close, ['Content-Type', 'text/\u009b1mbold']);
    }),
    failing: ['MEDIA-01', 'RATE-01', 'RATE-02', 'RATE-03'],
  },
  ...[
    { name: 'not-a-number', value: 'NaN' },
    { name: 'of-ten-thousand-digits', value: '9'.repeat(10_000) },
  ].map(({ name, value }): HostileFixture => ({
    name: `reset-${name}`,
    title: `Reset is ${value.slice(0, 20)}`,
    serve: changed((response) => mapHeader(response, 'X-RateLimit-Reset', () => value)),
    failing: ['RATE-03'],
  })),
  {
    name: 'rate-limit-twice',
    title: 'Every rate-limit header comes twice, with different values',
    serve: changed((response) =>
      ['Limit', 'Remaining', 'Reset'].reduce(
        (more, name) => withHeader(more, `X-RateLimit-${name}`, '7'),
        response,
      ),
    ),
    failing: ['RATE-01', 'RATE-02', 'RATE-03'],
  },
  {
    name: 'remaining-exhausted-forever',
    title: 'Remaining is always 0, and Reset a century ahead',
    serve: changed((response) =>
      mapHeader(
        mapHeader(response, 'X-RateLimit-Remaining', () => '0'),
        'X-RateLimit-Reset',
        () => '4900000000',
      ),
    ),
    // On a busy machine a refill could explain why it does not fall.
    failing: ['RATE-03'],
    others: true,
  },
  {
    name: 'clock-of-1970',
    title: 'Date is in 1970, and Reset is right',
    serve: dated(new Date(0).toUTCString()),
    failing: ['RATE-03'],
  },
  { name: 'date-of-words', title: 'Date is not a date', serve: dated('yesterday') },
  ...[
    { name: 'a-year', value: '31536000', findings: /Retry-After|wait/i },
    { name: 'a-date-in-2099', value: 'Thu, 01 Jan 2099 00:00:00 GMT', findings: /Retry-After|wait/i },
    { name: 'not-a-number', value: 'NaN', findings: /429/ },
    { name: '0', value: '0', findings: /429/ },
  ].map(({ name, value, findings }): HostileFixture => ({
    name: `retry-after-${name}`,
    title: `Every request is rejected with 429 and Retry-After: ${value}`,
    serve: changed((response) =>
      withHeader({ ...withoutHeader(response, 'Retry-After'), status: 429 }, 'Retry-After', value),
    ),
    status: 429,
    exit: 3,
    findings,
  })),
  {
    name: 'redirect-to-another-host',
    title: 'Every response redirects to another origin, which listens for the key',
    serve: thief,
    status: 308,
    failing: undocumented,
  },
];

/** The reference service with this Date. */
function dated(date: string): Serve {
  return written((wire) => {
    const others = wire.headers.filter(([name]) => name.toLowerCase() !== 'date');
    return whole({ ...wire, headers: others }, ['Date', date], close);
  });
}

/** A redirect to a second server that counts the credentials it gets. */
async function thief(): Promise<HostileTarget> {
  let credentials = 0;
  const server = createServer((request, response) => {
    if (request.headers.authorization !== undefined) credentials += 1;
    response.end('[]');
  });
  const elsewhere = await listen(server);
  const target = await changed((response, { path }) =>
    withHeader({ ...response, status: 308 }, 'Location', `http://127.0.0.1:${elsewhere.port}${path}`),
  )();
  return {
    ...target,
    leakedCredentials: () => credentials,
    close: async () => {
      await target.close();
      await elsewhere.close();
    },
  };
}
