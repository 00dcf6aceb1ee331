import { z } from 'zod';
import { UsageProblem } from '../../explain/usage-problem.js';
import { roundedDuration, timestamp } from '../../http/clock/clock.js';
import { keyVariable, otherKeyVariable } from '../../http/exchange/credential.js';
import { recordedBody } from '../../http/exchange/record-exchange.js';
import { firstValueOf } from '../../http/headers/header-list.js';
import { parsedAs } from '../record/regular-file.js';
import type { ExchangeResponse, OperationName, RecordedExchange } from '../recorded-exchange.js';

/** HTTP Archive 1.2, as far as it is read. Tools leave out much that the format asks for, so that little is required. */
const number = z.number().optional().catch(undefined);
const text = z.string().optional().catch(undefined);
/** Without the pseudo headers of HTTP/2, and with repeated fields, which Chromium joins by a line feed, apart. */
const headersSchema = z
  .array(z.object({ name: z.string(), value: z.string().catch('') }))
  .catch([])
  .transform((headers) =>
    headers
      .filter(({ name }) => !/^(?::|$)/.test(name))
      .flatMap(({ name, value }) => value.split('\n').map((one): [string, string] => [name, one])),
  );
const entrySchema = z.object({
  /** Milliseconds since the Unix epoch. */
  startedDateTime: z.string().transform(Date.parse).pipe(z.number('it is not a date')),
  time: number,
  /** Chromium: the response came from its cache, or was made by a service worker. */
  _fromCache: text,
  _fetchedViaServiceWorker: z.boolean().optional().catch(undefined),
  request: z.object({
    method: z.string(),
    url: z.string(),
    headers: headersSchema,
    postData: z.object({ text }).optional().catch(undefined),
    bodySize: number,
  }),
  response: z.object({
    status: z.number().catch(0),
    headers: headersSchema,
    content: z.object({ size: number, text, encoding: text }).catch({}),
  }),
});
type Entry = z.infer<typeof entrySchema>;
const creatorSchema = z.object({ name: text, version: text }).catch({});
const harSchema = z.object({ log: z.object({ creator: creatorSchema, entries: z.array(entrySchema) }) });

/** Headers of a request that are kept: others may hold what nobody may read. */
const keptHeaders = /^(?:accept|content-type|content-length|user-agent)$/i;
const notKeptOfResponse = /^(?:set-cookie2?|authorization|proxy-.*)$/i;
/** Browsers round: milliseconds by which a moment may be off. */
const rounding = 1;
/** Milliseconds that a request may have taken if the file does not tell. */
const longest = 10_000;

export type Traffic = ReturnType<typeof trafficOf>;

/**
 * The exchanges of a HAR file with one service, in the order of sending.
 * @param given the base URL, if one was given
 * @throws UsageProblem if it is no such file, has none of the service, or those of several and no base URL was given
 */
export function trafficOf(har: string, file: string, given: string | undefined) {
  // Fiddler and others begin with a byte order mark.
  const problem = `${file} is not a HAR file (HTTP Archive 1.2)`;
  const { creator, entries } = parsedAs(har.replace(/^\uFEFF/, ''), harSchema, problem).log;
  const found = [...new Set(entries.flatMap(baseUrlOf))];
  const [baseUrl = '', ...others] = given === undefined ? found : [given.replace(/\/+$/, '')];
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
  own.sort((one, other) => one.startedDateTime - other.startedDateTime);
  const keys = keysIn(own);
  const exchanges = own.map((entry, index) => exchangeOf(entry, baseUrl, keys.credentialOf(entry, index)));
  const tool = [creator.name, creator.version].filter(Boolean).join(' ');
  return { baseUrl, tool, keys, exchanges, leftOut };
}

/** What an exchange says of its credential, and what its record shows in the place of the header's value. */
type SentCredential = Pick<RecordedExchange, 'credential' | 'credentialText' | 'caller'> & {
  display?: string;
};

function exchangeOf(
  { request: sent, response, startedDateTime, time = 0 }: Entry,
  baseUrl: string,
  { display, ...credential }: SentCredential,
): Omit<RecordedExchange, 'id'> {
  const body = sent.postData?.text || undefined;
  const headers = sent.headers.filter(([name]) => keptHeaders.test(name));
  if (display !== undefined) headers.push(['Authorization', display]);
  const total = roundedDuration((time > 0 ? time : longest) + 2 * rounding);
  return {
    ...credential,
    purpose: 'traffic',
    operation: operationOf(sent, baseUrl),
    sentAt: timestamp(startedDateTime - rounding),
    request: {
      method: sent.method,
      url: withoutSecrets(sent.url),
      headers,
      ...(body !== undefined && { body, ...(isOfOtherBytes(sent, body) && { latin1: true }) }),
    },
    response: {
      status: response.status,
      headers: response.headers.filter(([name]) => !notKeptOfResponse.test(name)),
      body: bodyOf(response),
    },
    timing: { wait: 0, firstByte: total, total },
  };
}

/** The body of a response, decoded; one that the file does not hold counts as cut off. */
function bodyOf({ content, headers }: Entry['response']): ExchangeResponse['body'] {
  const { text: given, encoding, size } = content;
  const isEmpty = size === 0 && (firstValueOf(headers, 'Content-Length') ?? '0') === '0';
  if (!given && !isEmpty) return { bytes: Math.max(0, size ?? 0), truncated: true };
  const body = Buffer.from(given ?? '', encoding === 'base64' ? 'base64' : 'utf8');
  return recordedBody({ body, bytes: body.length, truncated: false });
}

/**
 * Whether a body may have been sent in other bytes than its text has in UTF-8: tools show each of them as a character, or as
 * U+FFFD if they can't read it. What the service made of such bytes can't be compared with the text.
 */
function isOfOtherBytes({ headers, bodySize = -1 }: Entry['request'], body: string): boolean {
  const sent = Number(firstValueOf(headers, 'Content-Length') ?? bodySize);
  return body.includes('\ufffd') || (sent > 0 && sent !== Buffer.byteLength(body));
}

/** Browsers write 0 for a request that was aborted or blocked, Playwright -1. */
function hasResponse({ response: { status } }: Entry): boolean {
  return status >= 100 && status <= 599;
}

/** Why an entry shows nothing of the service; undefined if it does. */
function whyLeftOut(entry: Entry, baseUrl: string): string | undefined {
  const { request, response, _fromCache, _fetchedViaServiceWorker } = entry;
  if (!request.url.startsWith(`${baseUrl}/`)) return 'to another address';
  if (request.method === 'OPTIONS') return 'preflight requests of a browser';
  if (!hasResponse(entry)) return 'without a response';
  if (_fromCache !== undefined || _fetchedViaServiceWorker || response.status === 304) return 'from a cache';
  if (request.headers.some(([name]) => /^(?:if-|range$)/i.test(name))) return 'conditional or partial';
  // A browser makes some redirects itself (HSTS), and proxies and logins stand before services.
  return response.status >= 300 && response.status < 400 ? 'redirects' : undefined;
}

/** The base URL of a response to one of the paths of the operations. */
function baseUrlOf(entry: Entry): string[] {
  if (!URL.canParse(entry.request.url) || !hasResponse(entry)) return [];
  const { origin, pathname } = new URL(entry.request.url);
  const base = /^(.*)\/pets(?:\/[^/?#]+)?$/.exec(pathname)?.[1];
  return base === undefined ? [] : [origin + base];
}

function operationOf({ method, url }: Entry['request'], baseUrl: string): OperationName | null {
  const [path = ''] = url.slice(baseUrl.length).split(/[?#]/, 1);
  if (path === '/pets') return method === 'GET' ? 'listPets' : method === 'POST' ? 'createPet' : null;
  return method === 'GET' && /^\/pets\/[^/]+$/.test(path) ? 'getPet' : null;
}

/** What tools write in the place of a credential that they remove; it may be a key all the same. */
const removed = /redact|remov|hidden|filtered|sanitiz|stripped|masked|\*{3}|x{5}|…|<[^>]*>|\[[^\]]*\]/i;
/** No secrets: a scheme alone (RFC 9110 11.1), which a challenge names, too, and a name that stands for a key, as in our records. */
const schemeAlone = /^(?:bearer|basic|digest|token|apikey)$/i;
const placeholder = /^(?:$|\$\{?\w+)/;
const holdsSecret = ([name]: readonly [string, string]): boolean =>
  /^(?:cookie|proxy-authorization)$|api-?key|token/i.test(name);

/** The keys of recorded traffic, in the order of sending. The key that was accepted most is the valid one. */
export function keysIn(entries: readonly Pick<Entry, 'request' | 'response'>[]) {
  const sent = entries.map(({ request }) => firstValueOf(request.headers, 'Authorization')?.trim() ?? '');
  const isRefused = (index: number): boolean => [401, 403].includes(entries[index]?.response.status ?? 0);
  const accepted = sent.map((value, index) => (isRefused(index) ? '' : keyIn(value)));
  const timesOf = (key: string): number => accepted.filter((one) => one === key).length;
  const keys = [...new Set(accepted)].filter((key) => key !== '');
  const [own] = keys.toSorted((one, other) => timesOf(other) - timesOf(one));

  const credentialOf = ({ request }: Pick<Entry, 'request'>, index: number): SentCredential => {
    const value = sent[index] ?? '';
    const key = keyIn(value);
    // Whose it is shows only while it is accepted: one that is refused from some moment on may have been revoked.
    if (key !== '' && index <= accepted.lastIndexOf(key)) {
      const [scheme = ''] = value.split(' ', 1);
      const caller = key === own ? keyVariable : otherKeyVariable;
      const credential = key !== own ? 'other' : scheme === 'Bearer' ? 'valid' : 'equivalent';
      return { credential, caller, display: `${scheme} $${caller}` };
    }
    const any: SentCredential = { credential: 'other', ...(value !== '' && { display: '[removed]' }) };
    const isRemoved = removed.test(value);
    // Browsers export files without the header. What was accepted then had a key; whose it was, the file does not tell.
    if (own === undefined && (value === '' || isRemoved) && !isRefused(index))
      return { credential: 'valid', display: `Bearer $${keyVariable}` };
    if (own === undefined || isRemoved || keys.includes(key)) return any;
    // Elsewhere a request may hold a credential, too.
    const isElsewhere = withoutSecrets(request.url) !== request.url || request.headers.some(holdsSecret);
    if (value === '') return isElsewhere ? any : { credential: 'missing' };
    const isScheme = schemeAlone.test(value);
    const decoded = Buffer.from(value.split(/\s+/).at(-1) ?? '', 'base64').toString('utf8');
    if (isScheme || value.includes(own) || decoded.includes(own) || (isRefused(index) && key === ''))
      return {
        credential: 'malformed',
        credentialText: 'a credential of another form',
        display: isScheme ? value : '[removed]',
      };
    // One that was let through may be valid in a way that the file does not show.
    return isRefused(index) ? { credential: 'unknown', display: 'Bearer $REFUSED_API_KEY' } : any;
  };
  const secrets = sent.map((value) => value.replace(/^\S+\s+(?:bearer\s+)*/i, ''));
  return {
    own,
    /** Everything that stood in an Authorization header: it must be written nowhere. */
    secrets: [...new Set(secrets)].filter((secret) => !placeholder.test(secret) && !schemeAlone.test(secret)),
    credentialOf,
  };
}

/** The key in the value of a header; empty if there is none, or if it was removed. */
function keyIn(authorization: string): string {
  const [, key = ''] = /^bearer +([^\s,]+)$/i.exec(authorization) ?? [];
  return removed.test(key) ? '' : key;
}

/** The address without user and password, and without what a parameter of a telling name holds. */
function withoutSecrets(address: string): string {
  return address
    .replace(/^(\w+:\/\/)[^/?#]*@/, '$1')
    .replace(/#.*$/s, '')
    .replaceAll(/([?&][^=&]*(?:key|token|secret|sig|auth|pass)[^=&]*=)[^&]*/gi, '$1removed');
}
