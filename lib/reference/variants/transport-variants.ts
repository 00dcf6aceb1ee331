import { Semaphore } from 'async-mutex';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import {
  mapHeader,
  withHeader,
  type ServiceRequest,
  type ServiceResponse,
  type Header,
} from '../http-message.js';
import { withBehaviour, withResponses } from '../changes.js';
import type { ReferenceOptions } from '../options.js';
import { dateHeader, payloadOf, writeHead } from '../send-response.js';
import type { Variant } from './variant.js';

/** Rewrites JSON text without changing its meaning. */
function written(rewrite: (json: string) => string): Variant['options'] {
  return withBehaviour(({ write }) => ({ write: (content) => rewrite(write(content)) }));
}

const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

function acceptsGzip(encodings: string | string[] | undefined): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:\s*,|\s*$))/i.test(String(encodings ?? ''));
}

/** Bodies in a content coding. @param whether a request gets it */
function compressing(
  coding: string,
  compress: (body: Uint8Array) => Buffer,
  whether: (request: ServiceRequest) => boolean = () => true,
): ReferenceOptions {
  return withBehaviour(({ transmit }) => ({
    transmit(response, request, outgoing, service) {
      const payload = payloadOf(response, service);
      if (!payload || !whether(request)) return transmit(response, request, outgoing, service);
      const coded: ServiceResponse = {
        ...response,
        headers: [...response.headers, ['Content-Encoding', coding], ['Vary', 'Accept-Encoding']],
        raw: compress(payload),
      };
      return transmit(coded, request, outgoing, service);
    },
  }));
}

/** A client that names no content coding accepts any (RFC 9110 12.5.3). */
export const compressedForEveryone = compressing('br', (body) => brotliCompressSync(body, fast));

export const transportVariants: readonly Variant[] = [
  {
    name: 'type-in-capitals',
    title: 'Content-Type is Application/JSON;Charset="UTF-8"',
    options: withResponses((response) =>
      mapHeader(response, 'Content-Type', () => 'Application/JSON;Charset="UTF-8"'),
    ),
  },
  {
    name: 'chunked',
    title: 'Bodies are sent in chunks, without a length',
    options: withBehaviour(() => ({
      transmit(response, _asked, outgoing, service) {
        const payload = payloadOf(response, service);
        writeHead(outgoing, response, [dateHeader(service)]);
        if (payload) {
          // Cut anywhere, even in the middle of a character.
          outgoing.write(payload.subarray(0, 7));
          outgoing.end(payload.subarray(7));
        } else {
          outgoing.end();
        }
      },
    })),
  },
  {
    name: 'gzip-when-asked',
    title: 'Bodies are compressed for clients that accept it',
    options: compressing('gzip', gzipSync, ({ headers }) => acceptsGzip(headers['accept-encoding'])),
  },
  {
    name: 'compressed-for-everyone',
    title: 'Bodies are compressed with br, whoever asks',
    options: compressedForEveryone,
  },
  {
    name: 'indented-json',
    title: 'JSON is indented, with a line break before and after it',
    options: written((json) => `\n${spread(json)}\n`),
  },
  {
    name: 'integers-with-a-fraction-of-0',
    title: 'Integers are written 7.0, which JSON Schema accepts as integers',
    options: written((json) => json.replace(/("(?:id|categoryId|status)":-?\d+)(?=[,}])/g, '$1.0')),
  },
  {
    name: 'escaped-json',
    title: 'JSON escapes everything beyond ASCII, and slashes',
    options: written((json) =>
      json
        .replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
        .replaceAll('/', '\\/'),
    ),
  },
  {
    name: 'keys-in-another-order',
    title: 'The fields of animals and errors come in another order each time',
    options: withBehaviour(({ write }) => ({ write: (content) => write(reordered(content)) })),
  },
  {
    name: 'connection-closed',
    title: 'The connection is closed after every response',
    options: { keepAlive: false },
  },
  {
    name: 'connection-closed-on-401',
    title: 'The connection is closed after a 401',
    options: withResponses((response) =>
      response.status === 401 ? withHeader(response, 'Connection', 'close') : response,
    ),
  },
  {
    name: 'credentials-known-by-connection',
    title: 'A connection keeps what its last credential came to, which is compared without regard to case',
    options: withBehaviour(({ authenticate }) => {
      const kept = new Map<number, readonly [credential: string, key: ReturnType<typeof authenticate>]>();
      return {
        authenticate(authorization = '', service, request) {
          const credential = authorization.toLowerCase();
          const [known, result] = kept.get(request.connection) ?? [];
          if (known === credential) return result;
          const key = authenticate(authorization, service, request);
          kept.set(request.connection, [credential, key]);
          return key;
        },
      };
    }),
  },
  {
    name: 'four-at-a-time',
    title: 'Four requests are served at a time, and the others wait',
    options: withBehaviour(({ beforeAuthentication, finish }) => {
      const workers = new Semaphore(4);
      const releases = new WeakMap<ServiceRequest, () => void>();
      return {
        async beforeAuthentication(request, service) {
          const [, release] = await workers.acquire();
          releases.set(request, release);
          await beforeAuthentication(request, service);
        },
        async finish(response, request, service) {
          await new Promise((resolve) => setTimeout(resolve, 5));
          releases.get(request)?.();
          return finish(response, request, service);
        },
      };
    }),
  },
  {
    name: 'ten-at-a-time',
    title: 'Ten requests are served at a time, and the others get 503',
    options: withBehaviour(({ authenticate, finish }) => {
      let underWay = 0;
      const refused = new WeakSet<ServiceRequest>();
      return {
        authenticate(authorization, service, request) {
          underWay += 1;
          if (underWay > 10) refused.add(request);
          return authenticate(authorization, service, request);
        },
        async finish(response, request, service) {
          await new Promise((resolve) => setTimeout(resolve, 5));
          underWay -= 1;
          const served = await finish(response, request, service);
          return refused.has(request) ? { ...served, status: 503 } : served;
        },
      };
    }),
  },
  {
    name: 'slow',
    title: 'Every response takes 20 ms',
    options: withBehaviour(({ finish }) => ({
      async finish(response, request, service) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        return finish(response, request, service);
      },
    })),
  },
  {
    name: 'header-names-in-lower-case',
    title: 'Header names are in lower case',
    options: withBehaviour(() => ({
      transmit(response, _asked, outgoing, service) {
        const payload = payloadOf(response, service);
        const headers = [
          ...response.headers,
          ['Content-Length', String(payload?.byteLength ?? 0)] as const,
          dateHeader(service),
        ].map(([name, value]): Header => [name.toLowerCase(), value]);
        writeHead(outgoing, { ...response, headers }, []);
        outgoing.end(payload);
      },
    })),
  },
  {
    name: 'no-date',
    title: 'No response carries Date',
    options: withBehaviour(() => ({
      transmit(response, _asked, outgoing, service) {
        const payload = payloadOf(response, service);
        writeHead(outgoing, response, [['Content-Length', String(payload?.byteLength ?? 0)]]);
        outgoing.end(payload);
      },
    })),
  },
  {
    name: 'clock-90-s-ahead',
    title: "The service's clock is 90 seconds ahead",
    options: { now: () => Date.now() + 90_000 },
  },
  {
    name: 'clock-90-s-behind',
    title: "The service's clock is 90 seconds behind",
    options: { now: () => Date.now() - 90_000 },
  },
  {
    name: 'headers-of-a-gateway',
    title: 'Every response carries the usual headers of gateways and browsers',
    options: withResponses((response) => ({
      ...response,
      headers: [
        ...response.headers,
        ['Server', 'gateway'],
        ['Cache-Control', 'no-store'],
        ['Strict-Transport-Security', 'max-age=31536000'],
        ['Set-Cookie', 'affinity=a1; Path=/; HttpOnly'],
        ['Set-Cookie', 'seen=1; Path=/'],
        ['Access-Control-Allow-Origin', '*'],
      ],
    })),
  },
];

/** A line and an indent before each value, and behind each colon a space, outside of strings. */
function spread(json: string): string {
  return json.replace(/"(?:[^"\\]|\\.)*"|[{[,:]/g, (token) => {
    if (token.startsWith('"')) return token;
    return token === ':' ? ' : ' : `${token}\n\t`;
  });
}

function reordered(content: unknown): unknown {
  if (Array.isArray(content)) return content.map(reordered);
  if (typeof content !== 'object' || content === null) return content;
  const entries = Object.entries(content).map((entry) => ({ entry, place: Math.random() }));
  return Object.fromEntries(entries.sort((one, other) => one.place - other.place).map(({ entry }) => entry));
}
