import { roundedDuration, timestamp } from '../../http/clock/clock.js';
import { recordedBody } from '../../http/exchange/record-exchange.js';
import type { RecordedExchange, OperationName } from '../recorded-exchange.js';
import { firstValueOf } from '../../http/headers/header-list.js';
import { UsageProblem } from '../../explain/usage-problem.js';
import { bodyOf, headersOf, isOfOtherBytes, timeOf, type Har, type HarEntry } from './har.js';
import { isSpecified } from '../request-facts.js';
import { keysIn, type HarKeys } from './har-keys.js';

/** What a HAR file holds of one service. */
export interface Traffic {
  readonly baseUrl: string;
  readonly tool: string;
  readonly keys: HarKeys;
  /** A body that the file does not hold is one that was cut off. */
  readonly exchanges: readonly Omit<RecordedExchange, 'id'>[];
  /** Entries that show nothing of the service, by why. */
  readonly leftOut: ReadonlyMap<string, number>;
}

/** Headers of a request that are kept: others may hold what nobody may read. */
const keptHeaders: ReadonlySet<string> = new Set(['accept', 'content-type', 'content-length', 'user-agent']);
const notKeptOfResponse = /^(?:set-cookie2?|authorization|proxy-.*)$/i;
/** Browsers round: milliseconds by which a moment may be off. */
const rounding = 1;
/** Milliseconds that a request may have taken if the file does not tell. */
const longest = 10_000;

/**
 * The exchanges of a HAR file with one service.
 * @throws UsageProblem if it has none, or those of several services and no base URL was given
 */
export function trafficOf({ tool, entries }: Har, given: string | undefined, file: string): Traffic {
  const baseUrl = given?.replace(/\/+$/, '') ?? onlyBaseUrl(entries, file);
  const leftOut = new Map<string, number>();
  const own = entries.filter((entry) => {
    const reason = whyLeftOut(entry, baseUrl);
    if (reason !== undefined) leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1);
    return reason === undefined;
  });
  if (own.length === 0)
    throw new UsageProblem(
      `${file} holds no response of ${baseUrl}; it has requests to ${[...baseUrlsIn(entries)].join(', ') || 'no pet store'}`,
    );
  const keys = keysIn(
    own.map(({ request, response: { status } }) => ({
      authorization: firstValueOf(headersOf(request.headers), 'Authorization'),
      carriesAnother:
        new RegExp(tellingParameter, 'i').test(request.url) || request.headers.some(isOtherCredential),
      status,
    })),
  );
  const exchanges = own.map((entry, index) => {
    const { display, ...credential } = keys.credentials[index] ?? { credential: 'other' };
    return { ...credential, ...exchangeOf(entry, baseUrl, display) };
  });
  return { baseUrl, tool, keys, exchanges, leftOut };
}

/** @param authorization what the record shows in the place of the credential */
function exchangeOf(
  entry: HarEntry,
  baseUrl: string,
  authorization: string | undefined,
): Omit<RecordedExchange, 'id' | 'credential' | 'caller'> {
  const { method, postData } = entry.request;
  const url = withoutSecrets(entry.request.url);
  const operation = operationOf(entry, baseUrl);
  const sent = headersOf(entry.request.headers);
  const text = postData?.text === '' ? undefined : postData?.text;
  const latin1 = isOfOtherBytes(entry);
  const body = bodyOf(entry);
  const firstByte = roundedDuration((timeOf(entry) ?? longest) + 2 * rounding);
  return {
    purpose: 'traffic',
    operation,
    input: isSpecified({ operation, url, headers: sent, body: text, latin1 }) ? 'specified' : 'silent',
    sentAt: timestamp(Date.parse(entry.startedDateTime) - rounding),
    request: {
      method,
      url,
      headers: [
        ...sent.filter(([name]) => keptHeaders.has(name.toLowerCase())),
        ...(authorization === undefined ? [] : [['Authorization', authorization] as [string, string]]),
      ],
      ...(text !== undefined && { body: text, ...(latin1 && { latin1 }) }),
    },
    response: {
      status: entry.response.status,
      headers: headersOf(entry.response.headers).filter(([name]) => !notKeptOfResponse.test(name)),
      body: body
        ? recordedBody({ body, bytes: body.length, truncated: false })
        : { bytes: Math.max(0, entry.response.content.size ?? 0), truncated: true },
    },
    timing: { wait: 0, firstByte, total: firstByte },
  };
}

/** Browsers write 0 for a request that was aborted or blocked, Playwright -1. */
function hasResponse({ response }: HarEntry): boolean {
  return response.status >= 100 && response.status <= 599;
}

/** Why an entry shows nothing of the service; undefined if it does. */
function whyLeftOut(entry: HarEntry, baseUrl: string): string | undefined {
  const { request, response } = entry;
  if (!request.url.startsWith(`${baseUrl}/`)) return 'to another address';
  if (request.method === 'OPTIONS') return 'preflight requests of a browser';
  if (!hasResponse(entry)) return 'without a response';
  const fromCache = entry._fromCache !== undefined && entry._fromCache !== null;
  if (fromCache || response.status === 304 || entry._fetchedViaServiceWorker === true) return 'from a cache';
  if (request.headers.some(({ name }) => /^(?:if-|range$|x-http-method)/i.test(name)))
    return 'conditional or partial';
  // A browser makes some redirects itself (HSTS), and proxies and logins stand before services.
  if (response.status >= 300 && response.status < 400) return 'redirects';
  return undefined;
}

/** A parameter of an address that may hold a secret, by its name. */
const tellingParameter = '([?&][^=&]*(?:key|token|secret|sig|auth|pass)[^=&]*=)[^&]*';

function isOtherCredential({ name }: HarEntry['request']['headers'][number]): boolean {
  return /^(?:cookie|proxy-authorization)$|api-?key|token/i.test(name);
}

/** The address without user and password, and without what a parameter of a telling name holds. */
function withoutSecrets(address: string): string {
  return address
    .replace(/^(\w+:\/\/)[^/?#]*@/, '$1')
    .replace(/#.*$/s, '')
    .replaceAll(new RegExp(tellingParameter, 'gi'), '$1removed');
}

/** The path of one of the operations, after the base URL. */
const operationPath = /^(.*)\/pets(?:\/[^/?#]+)?$/;

function baseUrlsIn(entries: readonly HarEntry[]): Set<string> {
  return new Set(
    entries.flatMap((entry) => {
      if (!URL.canParse(entry.request.url) || !hasResponse(entry)) return [];
      const { origin, pathname } = new URL(entry.request.url);
      const base = operationPath.exec(pathname)?.[1];
      return base === undefined ? [] : [origin + base];
    }),
  );
}

function onlyBaseUrl(entries: readonly HarEntry[], file: string): string {
  const found = [...baseUrlsIn(entries)];
  const [only] = found;
  if (only === undefined)
    throw new UsageProblem(`${file} holds no response to /pets: name the service with --base-url=URL`);
  if (found.length > 1)
    throw new UsageProblem(
      `${file} has traffic of several services: choose one with --base-url=URL (${found.join(', ')})`,
    );
  return only;
}

function operationOf({ request }: HarEntry, baseUrl: string): OperationName | null {
  const path = request.url.slice(baseUrl.length).split(/[?#]/, 1)[0] ?? '';
  if (path === '/pets')
    return request.method === 'GET' ? 'listPets' : request.method === 'POST' ? 'createPet' : null;
  return request.method === 'GET' && /^\/pets\/[^/]+$/.test(path) ? 'getPet' : null;
}
