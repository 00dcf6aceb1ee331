import { mapHeader, withHeader, withoutHeader } from '../../reference/http-message.js';
import { brokenAnswer, type HostileFixture, type WireExpectation } from '../fixture.js';
import { pour, forever } from '../connection-target.js';
import { changed, head, rewritten, whole, type Serve } from '../write-response.js';

const tooLarge: WireExpectation = {
  failure: { kind: 'too-large', message: /headers of the response are longer/ },
};
const notHttp: WireExpectation = { failure: { kind: 'not-http', message: /not valid HTTP\/1\.1/ } };

/** Targets whose header fields are too many, too long, or malformed. */
export const headers: readonly HostileFixture[] = [
  {
    name: 'header-of-a-megabyte',
    title: 'One header line of a megabyte',
    serve: rewritten((wire, socket) => socket.end(whole(wire, ['X-Padding', 'x'.repeat(1024 ** 2)]))),
    expects: { ...brokenAnswer, findings: /headers of the response are longer/ },
    wire: tooLarge,
  },
  {
    name: 'header-without-end',
    title: 'One header line that goes on forever, as fast as it is read',
    serve: rewritten((wire, socket) => {
      socket.write(head(wire).subarray(0, -2));
      socket.write('X-Padding: ');
      pour(socket, forever('x'.repeat(0x4000)));
    }),
    expects: { ...brokenAnswer, findings: /headers of the response are longer/ },
    wire: tooLarge,
  },
  {
    name: 'ten-thousand-headers',
    title: '10,000 header fields',
    serve: rewritten((wire, socket) => {
      const fields = Array.from({ length: 10_000 }, (_, index) => [`X-Field-${index}`, 'value'] as const);
      socket.end(whole(wire, ...fields));
    }),
    expects: { ...brokenAnswer, findings: /headers of the response are longer/ },
    wire: tooLarge,
  },
  {
    name: 'header-names-of-objects',
    title: 'Header fields named __proto__, constructor and toString',
    serve: changed((response) =>
      ['__proto__', 'constructor', 'toString', 'hasOwnProperty'].reduce(
        (changed, name) => withHeader(changed, name, 'polluted'),
        response,
      ),
    ),
    expects: { exit: 0 },
    wire: { status: 200 },
  },
  withHeaderLine({
    name: 'header-with-null-byte',
    title: 'A header value holds a null byte',
    line: 'X-Note: a\0b',
    wire: notHttp,
  }),
  withHeaderLine({
    name: 'header-with-escapes',
    title: 'A header value holds terminal escapes',
    line: 'X-Note: \u001b[31mred\u001b[2J',
    wire: notHttp,
  }),
  withHeaderLine({
    name: 'header-without-colon',
    title: 'A header line has no colon',
    line: 'This is no header',
    wire: notHttp,
  }),
  withHeaderLine({
    name: 'header-name-with-space',
    title: 'A header name holds a space',
    line: 'X Note: a',
    wire: notHttp,
  }),
  {
    name: 'header-with-c1-escapes',
    title: 'Header values hold terminal escapes in the C1 range, which HTTP lets pass as obs-text',
    serve: rewritten((wire, socket) =>
      socket.end(
        whole(
          wire,
          ['Connection', 'close'],
          ['X-Note', '\u009b31mred\u009b2J'],
          ['Content-Type', 'text/\u009b1mbold'],
        ),
      ),
    ),
    expects: { exit: 1, failing: ['MEDIA-01'] },
    wire: { status: 200 },
  },
  {
    name: 'rate-limit-with-c1-escapes',
    title: 'The three rate-limit headers hold terminal escapes in the C1 range',
    serve: rewritten((wire, socket) => {
      const spoilt = wire.headers.map(
        ([name, value]) => [name, /^x-ratelimit/i.test(name) ? `\u009b2J${value}` : value] as const,
      );
      socket.end(whole({ ...wire, headers: spoilt }, ['Connection', 'close']));
    }),
    expects: { exit: 1, failing: ['RATE-01', 'RATE-02', 'RATE-03'] },
    wire: { status: 200 },
  },
  withReset({ name: 'reset-not-a-number', title: 'Reset is NaN', value: 'NaN' }),
  withReset({ name: 'reset-exponent', title: 'Reset is 1e400', value: '1e400' }),
  withReset({ name: 'reset-infinite', title: 'Reset is Infinity', value: 'Infinity' }),
  withReset({ name: 'reset-negative', title: 'Reset is negative', value: '-1' }),
  withReset({ name: 'reset-of-twenty-digits', title: 'Reset has 20 digits', value: '99999999999999999999' }),
  withReset({
    name: 'reset-of-ten-thousand-digits',
    title: 'Reset has 10,000 digits',
    value: '9'.repeat(10_000),
  }),
  withReset({ name: 'reset-empty', title: 'Reset is empty', value: '' }),
  withReset({
    name: 'reset-in-another-script',
    title: 'Reset is written in digits other than ASCII',
    value: Buffer.from('١٧٠٠٠٠٠٠٠٠').toString('latin1'),
  }),
  {
    name: 'rate-limit-twice',
    title: 'Every rate-limit header comes twice, with different values',
    serve: changed((response) =>
      ['Limit', 'Remaining', 'Reset'].reduce(
        (changed, name) => withHeader(changed, `X-RateLimit-${name}`, '7'),
        response,
      ),
    ),
    expects: { exit: 1, failing: ['RATE-01', 'RATE-02', 'RATE-03'] },
    wire: { status: 200 },
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
    expects: { exit: 1, failing: ['RATE-03'], others: true },
    wire: { status: 200 },
  },
  {
    name: 'clock-of-1970',
    title: 'Date is in 1970, and Reset is right',
    serve: rewritten((wire, socket) => {
      const others = wire.headers.filter(([name]) => name.toLowerCase() !== 'date');
      socket.end(
        whole({ ...wire, headers: others }, ['Date', new Date(0).toUTCString()], ['Connection', 'close']),
      );
    }),
    expects: { exit: 1, failing: ['RATE-03'] },
    wire: { status: 200 },
  },
  {
    name: 'date-of-words',
    title: 'Date is not a date',
    serve: rewritten((wire, socket) => {
      const others = wire.headers.filter(([name]) => name.toLowerCase() !== 'date');
      socket.end(whole({ ...wire, headers: others }, ['Date', 'yesterday'], ['Connection', 'close']));
    }),
    expects: { exit: 0 },
    wire: { status: 200 },
  },
  ...['31536000', new Date(Date.UTC(2099, 0)).toUTCString()].map((value, index): HostileFixture => ({
    name: index === 0 ? 'retry-after-a-year' : 'retry-after-a-date-in-2099',
    title: `Every request is rejected with 429 and Retry-After: ${value}`,
    serve: refusing(value),
    expects: { exit: 3, findings: /Retry-After|wait/i },
    wire: { status: 429 },
  })),
  ...['NaN', '-5', '1e400', '0', ''].map((value): HostileFixture => ({
    name: `retry-after-${value === '' ? 'empty' : value.toLowerCase()}`,
    title: `Every request is rejected with 429 and Retry-After: ${value === '' ? '(empty)' : value}`,
    serve: refusing(value),
    expects: { exit: 3, findings: /429/ },
    wire: { status: 429 },
  })),
];

/** Every response is a 429 with this Retry-After. */
function refusing(retryAfter: string): Serve {
  return changed((response) =>
    withHeader({ ...withoutHeader(response, 'Retry-After'), status: 429 }, 'Retry-After', retryAfter),
  );
}

interface ResetHeader extends Pick<HostileFixture, 'name' | 'title'> {
  readonly value: string;
}

/** `X-RateLimit-Reset` is always this. */
function withReset({ name, title, value }: ResetHeader): HostileFixture {
  return {
    name,
    title,
    serve: changed((response) => mapHeader(response, 'X-RateLimit-Reset', () => value)),
    expects: { exit: 1, failing: ['RATE-03'] },
    wire: { status: 200 },
  };
}

interface HeaderLine extends Pick<HostileFixture, 'name' | 'title' | 'wire'> {
  readonly line: string;
}

/** A header line that a Node server would not write. */
function withHeaderLine({ name, title, line, wire }: HeaderLine): HostileFixture {
  return {
    name,
    title,
    serve: rewritten((response, socket) => {
      const text = whole(response);
      const end = text.indexOf('\r\n') + 2;
      socket.end(
        Buffer.concat([text.subarray(0, end), Buffer.from(`${line}\r\n`, 'latin1'), text.subarray(end)]),
      );
    }),
    expects: { ...brokenAnswer, findings: /not valid HTTP\/1\.1/ },
    wire,
  };
}
