import { keyVariable } from '../http/exchange/credential.js';
import type { CredentialKind } from '../evidence/recorded-exchange.js';

/** What an entry shows of its credential: the value of `Authorization`, and what the service responded. */
export interface SentCredential {
  readonly authorization: string | undefined;
  readonly status: number;
}

/** The credential as an exchange has it. */
interface ReadCredential {
  readonly credential: CredentialKind;
  readonly caller?: string;
  /** What the record shows in the place of the header's value. */
  readonly display?: string;
}

const otherVariable = 'PETSTORE_OTHER_API_KEY';
/** What tools write in the place of a credential that they remove. */
const removed = /redact|remov|hidden|filtered|sanitiz|stripped|masked|\*{3}|x{5}|…|<[^>]*>|\[[^\]]*\]/i;
/** A name that stands for a key, as in our own records, tells keys apart and is no secret. */
const placeholder = /^\$\{?\w+/;

/** A scheme without a credential (RFC 9110 11.1): a challenge names it, too. */
const scheme = /^(?:bearer|basic|digest|token|apikey)$/i;

/** The keys of recorded traffic, and what each request was sent with. Which keys are valid shows in what was accepted. */
export interface TrafficKeys {
  /** Keys that were accepted, the one that was used most first. */
  readonly accepted: readonly string[];
  /** Everything that stood in an Authorization header: it must be written nowhere. */
  readonly secrets: readonly string[];
  /** What each request was sent with, in their order. */
  readonly credentials: readonly ReadCredential[];
}

/** @param sent in the order of sending */
export function keysIn(sent: readonly SentCredential[]): TrafficKeys {
  const uses = new Map<string, number>();
  const lastAccepted = new Map<string, number>();
  for (const [index, { authorization = '', status }] of sent.entries()) {
    const key = bearerKey(authorization);
    if (key === undefined || status === 401 || status === 403) continue;
    uses.set(key, (uses.get(key) ?? 0) + 1);
    lastAccepted.set(key, index);
  }
  const accepted = [...uses].toSorted(([, one], [, other]) => other - one).map(([key]) => key);
  const values = sent.map(({ authorization = '' }) => authorization);
  // What looks removed may be a key all the same.
  const secrets = values.map((value) => bearerKey(value) ?? value.replace(/^\S+\s+/, ''));
  return {
    accepted,
    secrets: [...new Set(secrets)].filter(
      (secret) => secret !== '' && !placeholder.test(secret) && !scheme.test(secret),
    ),
    credentials: values.map((value, index): ReadCredential => {
      if (value.trim() === '') return { credential: 'other' };
      const key = bearerKey(value) ?? '';
      const place = accepted.indexOf(key);
      // Whose it is shows only while it is accepted: one that is refused from some moment on may have been revoked.
      if (place < 0 || removed.test(value) || index > (lastAccepted.get(key) ?? -1))
        return { credential: 'other', display: '[removed]' };
      const caller = place === 0 ? keyVariable : otherVariable;
      const own = value.startsWith('Bearer ') ? 'valid' : 'equivalent';
      return {
        credential: place > 0 ? 'other' : own,
        caller,
        display: `${value.slice(0, 6)} $${caller}`,
      };
    }),
  };
}

function bearerKey(authorization: string): string | undefined {
  return /^bearer +([^\s,]+)$/i.exec(authorization.trim())?.[1];
}
