import type { CredentialKind } from '../../evidence/recorded-exchange.js';
import type { Secret } from '../../evidence/redaction.js';

/** What a request carries in `Authorization` (section 5). */
export interface Credential {
  readonly kind: CredentialKind;
  /** The environment variable that holds the key, if this credential identifies its owner. */
  readonly caller?: string;
  /** For reports: `no Authorization header`, `the key without its last character`. */
  readonly description: string;
  /** The header's value; absent if no header is sent. Secret. */
  readonly authorization?: string;
  /**
   * The same in shell notation: `$PETSTORE_API_KEY` stands for the key, and a near miss is made from it by a command, so
   * that a recorded curl line sends exactly what the suite sent while the key itself is written nowhere.
   */
  readonly display?: string | undefined;
  /**
   * It resembles the valid credential, and is sent on a connection of its own: a server that compares a header with the
   * one before it on the same connection would mistake one for the other.
   */
  readonly apart?: boolean;
  /**
   * Of a key that runs out: gets another one in the place of what was refused. Whether there is another one now.
   * @param refused the header's value as it was sent
   */
  readonly renew?: (refused: string | undefined) => Promise<boolean>;
}

/** A key that was accepted before, and no longer is: it is refused as any unknown one. */
export function runOut({ display }: Credential): Credential {
  return { kind: 'unknown', description: 'a key that had run out', display };
}

/** The environment's variable that a curl line takes the key from. */
export const keyVariable = 'PETSTORE_API_KEY';
export const otherKeyVariable = 'PETSTORE_OTHER_API_KEY';

export type Credentials = ReturnType<typeof credentialsFor>;

/**
 * Forms other than `Bearer <API_KEY>`. A service that looks for the key, or for the scheme, anywhere in the header, or
 * that takes one word of it, accepts some of them. The last ones are seldom taken if those above are not. `<key:>` is the
 * key with a colon in base64.
 */
const forms = [
  ['the bare key without a scheme', '<key>'],
  ['a word after the key', 'Bearer <key> x'],
  ['a word before the key', 'Bearer x <key>'],
  ['the key under another scheme, `xBearer`', 'xBearer <key>'],
  ['`Bearer` with nothing after it', 'Bearer'],
  ['`Bearer` twice before the key', 'Bearer Bearer <key>'],
  ['no space before the key', 'Bearer<key>'],
  ['`Basic` and the key', 'Basic <key>'],
  ['the key as the first of a list', 'Bearer <key>, x'],
  ['the key as the second of a list', 'Bearer x, Bearer <key>'],
  ['a tab and a word after the key', 'Bearer <key><tab>x'],
  ['the key as the user of `Basic`', 'Basic <key:>'],
  ['the key as the password of `Basic`', 'Basic <:key>'],
  ['a word before the scheme', 'x Bearer <key>'],
  ['the key under another scheme, `Bearerx`', 'Bearerx <key>'],
  ['the key under another scheme, `Token`', 'Token <key>'],
  ['the key under another scheme, `ApiKey`', 'ApiKey <key>'],
] as const;

/** How a key is named wherever it is recorded. */
export interface KeyName {
  /** The environment variable that holds it, or would: it tells one key from another. */
  readonly variable: string;
  /** What a POSIX shell replaces with the key, also inside double quotes; by default the variable. */
  readonly shell?: string | undefined;
}

/** A part of a form: what is sent, and what a shell makes it from, also inside double quotes. */
type Part = readonly [sent: string, shell: string];

/** All credentials that the suite sends, made from one key. */
export function credentialsFor(key: string, { variable, shell }: KeyName = { variable: keyVariable }) {
  const shown = shell ?? `$${variable}`;
  const base64 = (format: string): Part => [
    Buffer.from(format.replace('%s', () => key)).toString('base64'),
    // Only some versions of base64 can be told not to break lines.
    `$(printf '${format}' "${shown}" | base64 | tr -d '\\n')`,
  ];
  // A tab that is pasted into a terminal completes a word.
  const tab: Part = ['\t', "$(printf '\\t')"];
  const parts = { key: [key, shown] as Part, tab, 'key:': base64('%s:'), ':key': base64(':%s') };
  const credential = (kind: CredentialKind, description: string, form: string, own = parts): Credential => {
    const written = (text: string, index: 0 | 1): string =>
      text.replaceAll(/<(.+?)>/g, (_, part: keyof typeof parts) => own[part][index]);
    const display = written(form.replaceAll('"', '\\"'), 1);
    return { kind, description, authorization: written(form, 0), display };
  };
  const nearMisses = nearMissesOf(key).map(([change, value, filter]) => {
    const missed: Part = [value, `$(printf %s "${shown}" | ${filter})`];
    return credential('unknown', `the key ${change}`, 'Bearer <key>', { ...parts, key: missed });
  });
  const apart = (one: Credential): Credential => ({ ...one, apart: true });
  const owned = (one: Credential): Credential => ({ ...one, caller: variable });
  const missing: Credential = { kind: 'missing', description: 'no Authorization header' };
  // What must never be recorded, and what stands in its place. Quotes in it would break the JSON that repeats it.
  const secrets: readonly Secret[] = [
    [key, `$${variable}`],
    [parts['key:'][0], `[base64 of $${variable} and a colon]`],
    [parts[':key'][0], `[base64 of a colon and $${variable}]`],
  ];
  return {
    valid: owned(credential('valid', 'the valid key', 'Bearer <key>')),
    /** RFC 9110 11.1: the scheme's name is case-insensitive. */
    lowerCaseScheme: apart(owned(credential('equivalent', 'the valid key under `bearer`', 'bearer <key>'))),
    missing,
    /** Keys that resemble the real one, the likeliest to be taken first; only those that differ from it. */
    nearMisses: [
      ...nearMisses,
      credential('unknown', 'the key in quotes', 'Bearer "<key>"'),
      credential('unknown', 'the key as a parameter', 'Bearer token=<key>'),
    ].map(apart),
    /** The real key in a form other than `Bearer <API_KEY>` (section 5.2), the likeliest to be taken first. */
    malformed: forms.map(([description, form]) => apart(credential('malformed', description, form))),
    /** A key that nobody has, of the real one's length, drawn by the caller. */
    unknown: (drawn: string) => credential('unknown', 'a random key', `Bearer ${drawn}`),
    secrets,
  };
}

/** The credentials of a key that runs out. @param get gives those of another key; undefined if it can't */
export function renewableCredentials(
  first: Credentials,
  get: () => Promise<Credentials | undefined>,
): () => Credentials {
  let current = first;
  let renewing: Promise<void> | undefined;
  const renew = async (): Promise<void> => {
    current = (await get()) ?? current;
    renewing = undefined;
  };
  const valid: Credential = {
    ...first.valid,
    get authorization() {
      return current.valid.authorization ?? '';
    },
    async renew(refused) {
      // Of several requests that are refused together the first one gets the key.
      if (valid.authorization === refused) await (renewing ??= renew());
      return valid.authorization !== refused;
    },
  };
  return () => ({ ...current, valid });
}

/** A key with one change, and the command that makes it. A changed key keeps the look of the real one. */
function nearMissesOf(key: string) {
  const middle = Math.floor(key.length / 2);
  const [first, inside, last] = [key.at(0), key.at(middle), key.at(-1)].map((one) =>
    one === 'x' ? 'y' : 'x',
  );
  const inMiddle = key.slice(0, middle) + inside + key.slice(middle + 1);
  const all: ReadonlyArray<readonly [change: string, value: string, filter: string]> = [
    ['without its last character', key.slice(0, -1), "sed 's/.$//'"],
    ['in upper case', key.toUpperCase(), 'tr a-z A-Z'],
    ['in lower case', key.toLowerCase(), 'tr A-Z a-z'],
    ['with one character added', key + last, `sed 's/$/${last}/'`],
    ['with its last character changed', key.slice(0, -1) + last, `sed 's/.$/${last}/'`],
    ['with its first character changed', first + key.slice(1), `sed 's/^./${first}/'`],
    ['with a character in its middle changed', inMiddle, `sed 's/./${inside}/${middle + 1}'`],
    ['without its first character', key.slice(1), "sed 's/^.//'"],
  ];
  const values = all.map(([, value]) => value);
  return all.filter(([, value], index) => value !== key && value !== '' && values.indexOf(value) === index);
}
