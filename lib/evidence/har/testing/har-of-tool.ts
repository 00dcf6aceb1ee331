/** One request as a person would send it, and what came back. */
export interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly authorization?: string;
  readonly body?: string;
  /** By default those of the body in UTF-8. */
  readonly bytesSent?: number;
  readonly status: number;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export const key = 'pets_secret_8Zt4Qm7RzT2x';
export const base = 'https://petstore.example/v1';
const date = Date.UTC(2026, 2, 2, 12, 0, 0);

type Headers = { name: string; value: string }[];

/** How a tool writes what it recorded, as far as it differs from the others. */
interface Dialect {
  readonly creator: { readonly name: string; readonly version: string };
  /** HTTP/2: lower-case names, and pseudo headers. */
  readonly http2?: boolean;
  readonly withoutAuthorization?: boolean;
  readonly base64?: boolean;
  readonly roundedTime?: boolean;
  readonly aborted: number;
  /** What stands beside the traffic of the service. */
  readonly more?: readonly object[];
}

const preflight = {
  request: { method: 'OPTIONS', url: `${base}/pets`, headers: [] },
  response: { status: 204, statusText: '', headers: [], content: { size: 0 } },
};
const cached = {
  request: { method: 'GET', url: `${base}/pets`, headers: [] },
  response: { status: 200, statusText: '', headers: [], content: { size: 3, text: 'old' } },
  _fromCache: 'disk',
};
const redirect = {
  request: { method: 'GET', url: 'https://petstore.example/v1/pets', headers: [] },
  response: { status: 307, statusText: 'Internal Redirect', headers: [], content: { size: 0 } },
};
const foreign = {
  request: { method: 'GET', url: 'https://analytics.example/collect', headers: [] },
  response: { status: 500, statusText: '', headers: [], content: {} },
};

/** As Playwright and mitmproxy wrote it on this machine, and as the others' documentation and exports show it. */
export const tools = {
  Playwright: { creator: { name: 'Playwright', version: '1.65.1' }, aborted: -1 },
  'Chromium DevTools': {
    creator: { name: 'WebInspector', version: '537.36' },
    http2: true,
    withoutAuthorization: true,
    aborted: 0,
    more: [preflight, cached, redirect, foreign],
  },
  Firefox: { creator: { name: 'Firefox', version: '145.0' }, aborted: 0, more: [preflight, foreign] },
  mitmproxy: { creator: { name: 'mitmproxy har_dump', version: '0.1' }, roundedTime: true, aborted: 0 },
  'Charles Proxy': {
    creator: { name: 'Charles Proxy', version: '5.0' },
    http2: true,
    base64: true,
    aborted: 0,
    more: [foreign],
  },
} as const satisfies Record<string, Dialect>;
export type Tool = keyof typeof tools;

export function harOf(tool: Tool, exchanges: readonly Sent[], at = base): string {
  const dialect: Dialect = tools[tool];
  const entries = exchanges.map((sent, index) => entryOf(sent, index, dialect, at));
  const startedDateTime = new Date(date).toISOString();
  const others = (dialect.more ?? []).map((one) => ({ startedDateTime, time: -1, timings: {}, ...one }));
  return JSON.stringify({
    log: { version: '1.2', creator: dialect.creator, pages: [], entries: [...others, ...entries] },
  });
}

function entryOf(sent: Sent, index: number, dialect: Dialect, at: string): object {
  const {
    method = sent.body === undefined ? 'GET' : 'POST',
    path,
    authorization = `Bearer ${key}`,
    body,
    status,
  } = sent;
  const moment = date + index * 100;
  const text = sent.json === undefined ? '' : JSON.stringify(sent.json);
  const named = (name: string, value: string) => ({ name: dialect.http2 ? name.toLowerCase() : name, value });
  const requestHeaders: Headers = [
    ...(dialect.http2
      ? [
          { name: ':method', value: method },
          { name: ':path', value: path },
        ]
      : []),
    named('Accept', '*/*'),
    named('User-Agent', 'a browser'),
    named('Cookie', 'session=cookie-secret-1234'),
    ...(authorization === '' || dialect.withoutAuthorization ? [] : [named('Authorization', authorization)]),
    ...(body === undefined ? [] : [named('Content-Type', 'application/json')]),
  ].filter(({ name }) => name.toLowerCase() !== 'cookie' || authorization !== '');
  const aborted = status === 0;
  const responseHeaders: Headers = aborted
    ? []
    : [
        ...(dialect.http2 ? [{ name: ':status', value: String(status) }] : []),
        named('Content-Type', 'application/json'),
        named('Set-Cookie', 'session=cookie-secret-5678'),
        named('Date', new Date(moment).toUTCString()),
        named('X-RateLimit-Limit', '60'),
        named('X-RateLimit-Remaining', String(59 - index)),
        named('X-RateLimit-Reset', String(Math.floor(date / 1_000) + 60)),
        ...(status === 401 ? [named('WWW-Authenticate', 'Bearer')] : []),
        ...Object.entries(sent.headers ?? {}).map(([name, value]) => named(name, value)),
      ];
  const time = 12.345;
  return {
    startedDateTime: new Date(moment).toISOString(),
    time: dialect.roundedTime ? Math.floor(time) : time,
    request: {
      method,
      url: at + path,
      httpVersion: dialect.http2 ? 'h2' : 'HTTP/1.1',
      headers: requestHeaders,
      cookies: [{ name: 'session', value: 'cookie-secret-1234' }],
      bodySize: sent.bytesSent ?? Buffer.byteLength(body ?? ''),
      ...(body !== undefined && { postData: { mimeType: 'application/json', text: body, params: [] } }),
    },
    response: {
      status: aborted ? dialect.aborted : status,
      statusText: '',
      headers: responseHeaders,
      content: aborted
        ? { size: -1, mimeType: 'x-unknown' }
        : {
            size: text.length,
            mimeType: 'application/json',
            ...(dialect.base64
              ? { text: Buffer.from(text).toString('base64'), encoding: 'base64' }
              : { text }),
          },
      bodySize: -1,
      ...(aborted && { _error: 'net::ERR_ABORTED' }),
    },
    cache: {},
    timings: { blocked: -1, dns: -1, connect: -1, send: 0, wait: time - 1, receive: 1, ssl: -1 },
  };
}
