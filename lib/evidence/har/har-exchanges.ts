import { roundedDuration, timestamp } from '../../http/clock/clock.js';
import { keyVariable, otherKeyVariable } from '../../http/exchange/credential.js';
import { recordedBody } from '../../http/exchange/record-exchange.js';
import { firstValueOf } from '../../http/headers/header-list.js';
import { UsageProblem } from '../../explain/usage-problem.js';
import type { ExchangeResponse, RecordedExchange, OperationName } from '../recorded-exchange.js';
import type { Har, HarEntry } from './har.js';

export type Traffic = ReturnType<typeof trafficOf>;

/** Headers of a request that are kept: others may hold what nobody may read. */
const keptHeaders: ReadonlySet<string> = new Set(['accept', 'content-type', 'content-length', 'user-agent']);
const notKeptOfResponse = /^(?:set-cookie2?|authorization|proxy-.*)$/i;
/** Browsers round: milliseconds by which a moment may be off. */
const rounding = 1;
/** Milliseconds that a request may have taken if the file does not tell. */
const longest = 10_000;

/** The credential as an exchange has it, and what its record shows in the place of the header's value. */
interface SentCredential extends Pick<RecordedExchange, 'credential' | 'credentialText' | 'caller'> {
  readonly display?: string;
}

/** What tools write in the place of a credential that they remove; it may be a key all the same. */
const removed = /redact|remov|hidden|filtered|sanitiz|stripped|masked|\*{3}|x{5}|…|<[^>]*>|\[[^\]]*\]/i;
/** No secrets: a scheme alone (RFC 9110 11.1), which a challenge names, too, and a name that stands for a key, as in our records. */
const schemeAlone = /^(?:bearer|basic|digest|token|apikey)$/i;
const placeholder = /^(?:$|\$\{?\w+)/;
const otherCredential = /^(?:cookie|proxy-authorization)$|api-?key|token/i;
/** A parameter of an address that may hold a secret, by its name. */
const tellingParameter = /([?&][^=&]*(?:key|token|secret|sig|auth|pass)[^=&]*=)[^&]*/gi;
/** It may be any credential. */
const anyCredential: SentCredential = { credential: 'other', display: '[removed]' };

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
    const { display, ...credential } = keys.credentialOf(entry, index);
    return { ...credential, ...exchangeOf(entry, baseUrl, display) };
  });
  return { baseUrl, tool, keys, exchanges, leftOut };
}

/** @param authorization what the record shows in the place of the credential */
function exchangeOf(
  { request: sent, response, startedDateTime, time = 0 }: HarEntry,
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
  const total = roundedDuration((time > 0 ? time : longest) + 2 * rounding);
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
    timing: { wait: 0, firstByte: total, total },
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

/**
 * The keys of recorded traffic. The key that was accepted most is the valid one.
 * @param entries in the order of sending
 */
export function keysIn(entries: readonly HarEntry[]) {
  const sent = entries.map(({ request }) => firstValueOf(request.headers, 'Authorization')?.trim() ?? '');
  const accepted = entries.flatMap((entry, index) => (isRefused(entry) ? [''] : [keyIn(sent[index])]));
  const timesOf = (key: string): number => accepted.filter((one) => one === key).length;
  const keys = [...new Set(accepted)].filter((key) => key !== '');
  const [own] = keys.toSorted((one, other) => timesOf(other) - timesOf(one));
  const credentialOf = (entry: HarEntry, index: number): SentCredential => {
    const value = sent[index] ?? '';
    const isRemoved = removed.test(value);
    // Browsers export files without the header. What was accepted then had a key; whose it was, the file does not tell.
    if (own === undefined && (value === '' || isRemoved) && !isRefused(entry))
      return { credential: 'valid', display: `Bearer $${keyVariable}` };
    if (value === '') return { credential: own === undefined || holdsSecret(entry) ? 'other' : 'missing' };
    const key = keyIn(value);
    if (!keys.includes(key))
      return own === undefined || isRemoved ? anyCredential : neverAccepted(value, entry, own);
    // Whose it is shows only while it is accepted: one that is refused from some moment on may have been revoked.
    if (index > accepted.lastIndexOf(key)) return anyCredential;
    const [scheme = ''] = value.split(' ', 1);
    const caller = key === own ? keyVariable : otherKeyVariable;
    const credential = key !== own ? 'other' : scheme === 'Bearer' ? 'valid' : 'equivalent';
    return { credential, caller, display: `${scheme} $${caller}` };
  };
  const secrets = sent.map((value) => value.replace(/^\S+\s+(?:bearer\s+)*/i, ''));
  return {
    /** The valid key; undefined if the file shows none. */
    own,
    /** Everything that stood in an Authorization header: it must be written nowhere. */
    secrets: [...new Set(secrets)].filter((secret) => !placeholder.test(secret) && !schemeAlone.test(secret)),
    /** What a request was sent with. */
    credentialOf,
  };
}

/** What no response accepts as a key, in a file that shows another key accepted. @param own that key */
function neverAccepted(value: string, entry: HarEntry, own: string): SentCredential {
  const isScheme = schemeAlone.test(value);
  const decoded = Buffer.from(value.split(/\s+/).at(-1) ?? '', 'base64').toString('utf8');
  const isMalformed = isScheme || value.includes(own) || decoded.includes(own);
  // One that was let through may be valid in a way that the file does not show.
  if (!isMalformed && !isRefused(entry)) return anyCredential;
  if (!isMalformed && keyIn(value) !== '')
    return { credential: 'unknown', display: 'Bearer $REFUSED_API_KEY' };
  const credentialText = 'a credential of another form';
  return { credential: 'malformed', credentialText, display: isScheme ? value : '[removed]' };
}

/** Whether a request may hold a credential elsewhere than in its Authorization header. */
function holdsSecret({ request: { url, headers } }: HarEntry): boolean {
  return withoutSecrets(url) !== url || headers.some(([name]) => otherCredential.test(name));
}

/** The key in the value of a header; empty if there is none, or if it was removed. */
function keyIn(authorization = ''): string {
  const [, key = ''] = /^bearer +([^\s,]+)$/i.exec(authorization) ?? [];
  return removed.test(key) ? '' : key;
}

function isRefused({ response: { status } }: HarEntry): boolean {
  return status === 401 || status === 403;
}

/** The address without user and password, and without what a parameter of a telling name holds. */
function withoutSecrets(address: string): string {
  return address
    .replace(/^(\w+:\/\/)[^/?#]*@/, '$1')
    .replace(/#.*$/s, '')
    .replaceAll(tellingParameter, '$1removed');
}
