import type { CredentialKind } from '../http/exchange/exchange.js';
import { keyVariable } from '../http/exchange/credential.js';

/** What an entry shows of its credential. */
export interface SentCredential {
  /** The value of `Authorization`; absent if there is none. */
  readonly authorization: string | undefined;
  /** Something else may have told who the caller is: a cookie, another header, the address. */
  readonly otherwise: boolean;
  readonly status: number;
}

/** The credential as an exchange has it. */
export interface ReadCredential {
  readonly kind: CredentialKind;
  readonly caller?: string;
  /** What the record shows in the place of the header's value. */
  readonly display?: string;
}

const otherVariable = 'PETSTORE_OTHER_API_KEY';
/** What tools write in the place of a credential that they remove. */
const removed = /redact|remov|hidden|filtered|sanitiz|stripped|masked|\*{3}|x{5}|…|<[^>]*>|\[[^\]]*\]/i;
/** A name that stands for a key, as in our own records, tells keys apart and is no secret. */
const placeholder = /^\$\{?\w+/;

/** The keys of recorded traffic, and what each request was sent with. Which keys are valid shows in what was accepted. */
export class TrafficKeys {
  /** Keys that were accepted, the one that was used most first. */
  readonly accepted: readonly string[];
  /** Everything that stood in an Authorization header: it must be written nowhere. */
  readonly secrets: readonly string[];
  /** Whether the tool keeps the header at all: if it never stands there, it was removed. */
  readonly #keepsHeader: boolean;
  readonly #lastAccepted: ReadonlyMap<string, number>;

  constructor(sent: readonly SentCredential[]) {
    // What looks removed may be a key all the same.
    const uses = new Map<string, number>();
    const lastAccepted = new Map<string, number>();
    for (const [index, { authorization, status }] of sent.entries()) {
      const key = authorization === undefined ? undefined : bearerKey(authorization);
      if (key === undefined || status === 0 || status === 401 || status === 403) continue;
      uses.set(key, (uses.get(key) ?? 0) + 1);
      lastAccepted.set(key, index);
    }
    this.accepted = [...uses].toSorted(([, one], [, other]) => other - one).map(([key]) => key);
    this.secrets = [
      ...new Set(
        sent.flatMap(({ authorization }) =>
          authorization === undefined
            ? []
            : [bearerKey(authorization) ?? authorization.replace(/^\S+\s+/, '')],
        ),
      ),
    ].filter((secret) => secret !== '' && !placeholder.test(secret));
    this.#keepsHeader = sent.some(({ authorization }) => authorization !== undefined);
    this.#lastAccepted = lastAccepted;
  }

  /** What a request was sent with; `index` is its place in what the constructor was given. */
  read({ authorization, otherwise, status }: SentCredential, index: number): ReadCredential {
    if (authorization === undefined && this.#keepsHeader && !otherwise) return { kind: 'missing' };
    if (authorization === undefined || isRemoved(authorization))
      return { kind: status === 401 ? 'unknown' : 'other' };
    const key = bearerKey(authorization);
    if (key === undefined)
      return {
        kind: 'malformed',
        display: `${/^\S+(?=\s)/.exec(authorization)?.[0] ?? ''} [removed]`.trimStart(),
      };
    const place = this.accepted.indexOf(key);
    // A key that is refused from some moment on may have been revoked.
    if (place < 0 || index > (this.#lastAccepted.get(key) ?? -1))
      return { kind: 'unknown', display: 'Bearer [removed]' };
    const caller = place === 0 ? keyVariable : otherVariable;
    const isExact = authorization.startsWith('Bearer ');
    return {
      kind: place > 0 ? 'other' : isExact ? 'valid' : 'equivalent',
      caller,
      display: `${authorization.slice(0, 6)} $${caller}`,
    };
  }
}

function bearerKey(authorization: string): string | undefined {
  return /^bearer +([^\s,]+)$/i.exec(authorization.trim())?.[1];
}

function isRemoved(authorization: string): boolean {
  return authorization.trim() === '' || removed.test(authorization);
}
