import { roundedDuration, timestamp } from '../../http/clock/clock.js';
import { recordedBody } from '../../http/exchange/record-exchange.js';
import type { ExchangeResponse, RecordedExchange, OperationName } from '../recorded-exchange.js';
import { firstValueOf } from '../../http/headers/header-list.js';
import { UsageProblem } from '../../explain/usage-problem.js';
import type { Har, HarEntry } from './har.js';
import { keysIn, withoutSecrets } from './har-keys.js';

export type Traffic = ReturnType<typeof trafficOf>;

/** Headers of a request that are kept: others may hold what nobody may read. */
const keptHeaders: ReadonlySet<string> = new Set(['accept', 'content-type', 'content-length', 'user-agent']);
const notKeptOfResponse = /^(?:set-cookie2?|authorization|proxy-.*)$/i;
/** Browsers round: milliseconds by which a moment may be off. */
const rounding = 1;
/** Milliseconds that a request may have taken if the file does not tell. */
const longest = 10_000;

/**
 * The exchanges of a HAR file with one service.
 * @throws UsageProblem if it has none of the service, or those of several and no base URL was given
 */
export function trafficOf({ tool, entries }: Har, given: string | undefined, file: string) {
  const found = [...new Set(entries.flatMap(baseUrlOf))];
  const [baseUrl = '', ...others] = given === undefined ? found : [given.replace(/\/+$/, '')];
  /** Entries that show nothing of the service, by why. */
  const leftOut: Record<string, number> = {};
  const own = entries.filter((entry) => {
    const reason = whyLeftOut(entry, baseUrl);
    if (reason !== undefined) leftOut[reason] = (leftOut[reason] ?? 0) + 1;
    return reason === undefined;
  });
  if (own.length === 0 || others.length > 0)
    throw new UsageProblem(
      `${file} holds responses of ${found.join(' and ') || 'no pet store'}: choose one with --base-url=URL`,
    );
  const keys = keysIn(own);
  const exchanges = own.map((entry, index) => {
    const { display, ...credential } = keys.credentials[index] ?? { credential: 'other' };
    return { ...credential, ...exchangeOf(entry, baseUrl, display) };
  });
  return { baseUrl, tool, keys, exchanges, leftOut };
}

/** @param authorization what the record shows in the place of the credential */
function exchangeOf(
  { request: sent, response, startedDateTime, time = 0, timings }: HarEntry,
  baseUrl: string,
  authorization: string | undefined,
): Omit<RecordedExchange, 'id' | 'credential' | 'caller'> {
  const body = sent.postData?.text || undefined;
  const request = {
    method: sent.method,
    url: withoutSecrets(sent.url),
    headers: sent.headers.filter(([name]) => keptHeaders.has(name.toLowerCase())),
    ...(body !== undefined && { body, ...(isOfOtherBytes(sent) && { latin1: true }) }),
  };
  if (authorization !== undefined) request.headers.push(['Authorization', authorization]);
  // To the head of the response, at most.
  const took = time > 0 ? Math.max(0, time - Math.max(0, timings?.receive ?? 0)) : longest;
  const firstByte = roundedDuration(took + 2 * rounding);
  return {
    purpose: 'traffic',
    operation: operationOf(sent, baseUrl),
    sentAt: timestamp(startedDateTime - rounding),
    request,
    response: {
      status: response.status,
      headers: response.headers.filter(([name]) => !notKeptOfResponse.test(name)),
      body: bodyOf(response),
    },
    timing: { wait: 0, firstByte, total: firstByte },
  };
}

/** The body of a response, decoded; one that the file does not hold counts as cut off. */
function bodyOf({ content, headers }: HarEntry['response']): ExchangeResponse['body'] {
  const { text, encoding, size } = content;
  const isEmpty = size === 0 && (firstValueOf(headers, 'Content-Length') ?? '0') === '0';
  if (!text && !isEmpty) return { bytes: Math.max(0, size ?? 0), truncated: true };
  const body = Buffer.from(text ?? '', encoding === 'base64' ? 'base64' : 'utf8');
  return recordedBody({ body, bytes: body.length, truncated: false });
}

/**
 * Whether a body may have been sent in other bytes than its text has in UTF-8: tools show each of them as a character, or as
 * U+FFFD if they can't read it. What the service made of such bytes can't be compared with the text.
 */
function isOfOtherBytes({ postData, headers, bodySize = -1 }: HarEntry['request']): boolean {
  const text = postData?.text ?? '';
  const sent = Number(firstValueOf(headers, 'Content-Length') ?? bodySize);
  return text.includes('\ufffd') || (sent > 0 && sent !== Buffer.byteLength(text));
}

/** Browsers write 0 for a request that was aborted or blocked, Playwright -1. */
function hasResponse({ response: { status } }: HarEntry): boolean {
  return status >= 100 && status <= 599;
}

/** Why an entry shows nothing of the service; undefined if it does. */
function whyLeftOut(entry: HarEntry, baseUrl: string): string | undefined {
  const { request, response, _fromCache, _fetchedViaServiceWorker } = entry;
  if (!request.url.startsWith(`${baseUrl}/`)) return 'to another address';
  if (request.method === 'OPTIONS') return 'preflight requests of a browser';
  if (!hasResponse(entry)) return 'without a response';
  if (_fromCache !== undefined || _fetchedViaServiceWorker === true || response.status === 304)
    return 'from a cache';
  if (request.headers.some(([name]) => /^(?:if-|range$)/i.test(name))) return 'conditional or partial';
  // A browser makes some redirects itself (HSTS), and proxies and logins stand before services.
  return response.status >= 300 && response.status < 400 ? 'redirects' : undefined;
}

/** The base URL of a response to one of the paths of the operations. */
function baseUrlOf(entry: HarEntry): string[] {
  if (!URL.canParse(entry.request.url) || !hasResponse(entry)) return [];
  const { origin, pathname } = new URL(entry.request.url);
  const base = /^(.*)\/pets(?:\/[^/?#]+)?$/.exec(pathname)?.[1];
  return base === undefined ? [] : [origin + base];
}

function operationOf({ method, url }: HarEntry['request'], baseUrl: string): OperationName | null {
  const [path = ''] = url.slice(baseUrl.length).split(/[?#]/, 1);
  if (path === '/pets') return method === 'GET' ? 'listPets' : method === 'POST' ? 'createPet' : null;
  return method === 'GET' && /^\/pets\/[^/]+$/.test(path) ? 'getPet' : null;
}
