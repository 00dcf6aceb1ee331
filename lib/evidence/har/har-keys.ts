import { keyVariable } from '../../http/exchange/credential.js';
import type { CredentialKind } from '../recorded-exchange.js';

/** What an entry shows of its credential, and what the service responded. */
export interface SentCredential {
  /** The value of `Authorization`. */
  readonly authorization: string | undefined;
  /** It carries something else that may be a credential, such as a cookie. */
  readonly carriesAnother?: boolean;
  readonly status: number;
}

/** The credential as an exchange has it. */
interface ReadCredential {
  readonly credential: CredentialKind;
  readonly credentialText?: string;
  readonly caller?: string;
  /** What the record shows in the place of the header's value. */
  readonly display?: string;
}

/** The keys of recorded traffic, and what each request was sent with. Which keys are valid shows in what was accepted. */
export interface HarKeys {
  /** Keys that were accepted, the one that was used most first. */
  readonly accepted: readonly string[];
  /** Everything that stood in an Authorization header: it must be written nowhere. */
  readonly secrets: readonly string[];
  /** What each request was sent with, in their order. */
  readonly credentials: readonly ReadCredential[];
}

export const otherKeyVariable = 'PETSTORE_OTHER_API_KEY';
/** What tools write in the place of a credential that they remove. */
const removed = /redact|remov|hidden|filtered|sanitiz|stripped|masked|\*{3}|x{5}|…|<[^>]*>|\[[^\]]*\]/i;
/** A name that stands for a key, as in our own records, tells keys apart and is no secret. */
const placeholder = /^\$\{?\w+/;
/** A scheme without a credential (RFC 9110 11.1): a challenge names it, too. */
const scheme = /^(?:bearer|basic|digest|token|apikey)$/i;
const isRefusal = (status: number): boolean => status === 401 || status === 403;

/** @param sent in the order of sending */
export function keysIn(sent: readonly SentCredential[]): HarKeys {
  const keys = sent.map(({ authorization }) => bearerKey(authorization));
  const uses = new Map<string, { count: number; last: number }>();
  for (const [index, { status }] of sent.entries()) {
    const key = keys[index];
    if (key !== undefined && !isRefusal(status))
      uses.set(key, { count: (uses.get(key)?.count ?? 0) + 1, last: index });
  }
  const accepted = [...uses].toSorted(([, one], [, other]) => other.count - one.count).map(([key]) => key);
  // What looks removed may be a key all the same.
  const secrets = sent.map(
    ({ authorization = '' }, index) => keys[index] ?? authorization.replace(/^\S+\s+(?:bearer\s+)*/i, ''),
  );
  const own = accepted.find((key) => !removed.test(key));
  return {
    accepted,
    secrets: [...new Set(secrets)].filter(
      (secret) => secret !== '' && !placeholder.test(secret) && !scheme.test(secret),
    ),
    credentials: sent.map((one, index) => {
      if (own === undefined) return ofStrippedFile(one);
      const key = keys[index] ?? '';
      const use = uses.get(key);
      if (!use) return neverAccepted(one, own);
      // Whose it is shows only while it is accepted: one that is refused from some moment on may have been revoked.
      if (removed.test(key) || index > use.last) return unknown;
      const caller = key === own ? keyVariable : otherKeyVariable;
      const written = one.authorization?.slice(0, 6) ?? '';
      const ownKind = written === 'Bearer' ? 'valid' : 'equivalent';
      return { credential: key === own ? ownKind : 'other', caller, display: `${written} $${caller}` };
    }),
  };
}

/** It may be any credential. */
const unknown: ReadCredential = { credential: 'other', display: '[removed]' };

/** Browsers export files without the header. What was accepted then had a key; whose it was, the file does not tell. */
function ofStrippedFile({ authorization = '', status }: SentCredential): ReadCredential {
  const mayBeRemoved = authorization.trim() === '' || removed.test(authorization);
  if (!mayBeRemoved || isRefusal(status)) return authorization === '' ? { credential: 'other' } : unknown;
  return { credential: 'valid', display: `Bearer $${keyVariable}` };
}

/** A credential that no response accepts as a key, in a file that shows another key accepted. @param own that key */
function neverAccepted(
  { authorization = '', carriesAnother = false, status }: SentCredential,
  own: string,
): ReadCredential {
  const value = authorization.trim();
  if (value === '') return { credential: carriesAnother ? 'other' : 'missing' };
  if (removed.test(value)) return unknown;
  if (scheme.test(value))
    return { credential: 'malformed', credentialText: 'a scheme without a key', display: value };
  const decoded = Buffer.from(value.split(/\s+/).at(-1) ?? '', 'base64').toString('utf8');
  if (value.includes(own) || decoded.includes(own))
    return {
      credential: 'malformed',
      credentialText: 'the key in another form',
      display: `[$${keyVariable} in another form]`,
    };
  // One that was let through may be valid in a way that the file does not show.
  if (!isRefusal(status)) return unknown;
  return bearerKey(value) === undefined
    ? { credential: 'malformed', credentialText: 'a credential without a key', display: '[removed]' }
    : { credential: 'unknown', credentialText: 'another key', display: 'Bearer $REFUSED_API_KEY' };
}

function bearerKey(authorization: string | undefined): string | undefined {
  return /^bearer +([^\s,]+)$/i.exec(authorization?.trim() ?? '')?.[1];
}
