import { keyVariable } from '../../http/exchange/credential.js';
import { firstValueOf } from '../../http/headers/header-list.js';
import type { RecordedExchange } from '../recorded-exchange.js';
import type { HarEntry } from './har.js';

/** The credential as an exchange has it, and what its record shows in the place of the header's value. */
interface SentCredential extends Pick<RecordedExchange, 'credential' | 'credentialText' | 'caller'> {
  readonly display?: string;
}

export const otherKeyVariable = 'PETSTORE_OTHER_API_KEY';
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
    /** What each request was sent with, in their order. */
    credentials: entries.map(credentialOf),
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
export function withoutSecrets(address: string): string {
  return address
    .replace(/^(\w+:\/\/)[^/?#]*@/, '$1')
    .replace(/#.*$/s, '')
    .replaceAll(tellingParameter, '$1removed');
}
