import { STATUS_CODES } from 'node:http';
import type { Entry, Header, Log } from 'har-format';
import type { RecordedExchange } from '../lib/evidence/recorded-exchange.js';
import { withoutControls } from '../lib/evidence/record/record-text.js';
import { firstValueOf, type HeaderList } from '../lib/http/headers/header-list.js';
import type { Renderer } from './renderer.js';

/**
 * HTTP Archive 1.2 of every recorded exchange, for a browser's network panel. Written an entry at a time: a day's run
 * does not fit into memory.
 */
export const har = {
  file: 'har.json',
  async *render({ record, exchanges }) {
    const head = {
      version: '1.2',
      creator: { name: record.suite.name, version: record.suite.version },
      pages: [],
      comment: `Run ${record.run.id} against ${record.target.name}. Credentials are redacted.`,
    } satisfies Omit<Log, 'entries'>;
    yield `{"log":${JSON.stringify(head).slice(0, -1)},"entries":[`;
    let separator = '\n';
    for await (const exchange of exchanges()) {
      yield `${separator}${withoutControls(JSON.stringify(entryOf(exchange)))}`;
      separator = ',\n';
    }
    yield '\n]}}\n';
  },
} as const satisfies Renderer;

const notMeasured = { blocked: -1, dns: -1, connect: -1, ssl: -1 };

/** The exchange as an entry. Fields that begin with `_` are our own, as the format provides. */
export function entryOf(exchange: RecordedExchange): Entry & Record<`_${string}`, unknown> {
  const { timing, request, failure } = exchange;
  const wait = timing.firstByte ?? timing.total;
  return {
    startedDateTime: exchange.sentAt,
    time: timing.total,
    request: {
      method: request.method,
      url: absoluteUrl(request.url),
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: headersOf(request.headers),
      queryString: queryOf(request.url),
      ...(request.body !== undefined && {
        postData: { mimeType: firstValueOf(request.headers, 'content-type') ?? '', text: request.body },
      }),
      headersSize: -1,
      bodySize: Buffer.byteLength(request.body ?? '', request.latin1 ? 'latin1' : 'utf8'),
    },
    response: responseOf(exchange),
    cache: {},
    timings: { ...notMeasured, send: 0, wait, receive: Math.max(0, timing.total - wait) },
    comment: `${exchange.id} ${exchange.purpose}`,
    // As Chromium names what a program requested; without it the network panel guesses `script`.
    _resourceType: 'fetch',
    _id: exchange.id,
    _requirement: exchange.purpose,
    _credential: exchange.credential,
    _pacedMs: timing.wait,
    ...(failure && { _error: `${failure.kind}: ${failure.message}` }),
  };
}

/** Without a response the status is 0, as browsers write it. */
function responseOf({ response, failure }: RecordedExchange): Entry['response'] {
  const headers = response?.headers ?? [];
  const body = response?.body ?? { bytes: 0 };
  const text =
    body.base64 === undefined ? { text: body.text ?? '' } : { text: body.base64, encoding: 'base64' };
  return {
    status: response?.status ?? 0,
    statusText: response ? (STATUS_CODES[response.status] ?? '') : (failure?.kind ?? ''),
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: headersOf(headers),
    content: {
      size: body.bytes,
      mimeType: firstValueOf(headers, 'content-type') ?? 'x-unknown',
      ...text,
      ...(body.truncated && { comment: `${body.bytes} bytes received; only the beginning is kept` }),
    },
    redirectURL: firstValueOf(headers, 'location') ?? '',
    headersSize: -1,
    bodySize: body.bytes,
  };
}

function headersOf(headers: HeaderList): Header[] {
  return headers.map(([name, value]) => ({ name, value }));
}

/** The address as it was sent if it is a URI; else with everything percent-encoded that a URI cannot hold. */
function absoluteUrl(url: string): string {
  return /^[\x21-\x7e]+$/u.test(url) ? url : encodeURI(Buffer.from(url).toString());
}

function queryOf(url: string): Entry['request']['queryString'] {
  const [, query = ''] = url.split('#', 1)[0]?.split(/\?(.*)/su, 2) ?? [];
  return [...new URLSearchParams(query)].map(([name, value]) => ({ name, value }));
}
