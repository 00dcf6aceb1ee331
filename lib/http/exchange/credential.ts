import type { CredentialKind } from '../../evidence/recorded-exchange.js';
import type { Secret } from '../../evidence/redaction.js';
import { shellWord } from '../../evidence/shell-word.js';

/**
 * What a request carries in `Authorization` (section 5). `display` is the same in shell notation, safe to record:
 * `$PETSTORE_API_KEY` stands for the key, and a near miss is made from it by a command, so that a recorded
 * curl line sends exactly what the suite sent while the key itself is written nowhere.
 */
export interface Credential {
  readonly kind: CredentialKind;
  /** The environment variable that holds the key, if this credential identifies its owner. */
  readonly caller?: string;
  /** For reports: `no Authorization header`, `the key without its last character`. */
  readonly description: string;
  /** The header's value; absent if no header is sent. Secret. */
  readonly authorization?: string;
  readonly display?: string;
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

/** The valid credential of a key that runs out. @param get gives another key; undefined if it can't */
export function renewableCredential(valid: Credential, get: () => Promise<string | undefined>): Credential {
  let { authorization } = valid;
  let renewing: Promise<void> | undefined;
  const renew = async (): Promise<void> => {
    const key = await get();
    if (key !== undefined) authorization = `Bearer ${key}`;
  };
  return {
    ...valid,
    get authorization() {
      return authorization ?? '';
    },
    async renew(refused) {
      // Of several requests that are refused together the first one gets the key.
      if (authorization === refused)
        await (renewing ??= renew().finally(() => {
          renewing = undefined;
        }));
      return authorization !== refused;
    },
  };
}

/** A key that was accepted before, and no longer is: it is refused as any unknown one. */
export function runOut({ display }: Credential): Credential {
  return {
    kind: 'unknown',
    description: 'a key that had run out',
    ...(display !== undefined && { display }),
  };
}

/** The environment's variable that a curl line takes the key from. */
export const keyVariable = 'PETSTORE_API_KEY';

export interface Credentials {
  readonly valid: Credential;
  /** RFC 9110 11.1: the scheme's name is case-insensitive. */
  readonly lowerCaseScheme: Credential;
  readonly missing: Credential;
  /** Keys that resemble the real one, the likeliest to be taken first; only those that differ from it. */
  readonly nearMisses: readonly Credential[];
  /** The real key in a form other than `Bearer <API_KEY>` (section 5.2), the likeliest to be taken first. */
  readonly malformed: readonly Credential[];
  /** A key that nobody has, of the real one's length, drawn by the caller. */
  readonly unknown: (randomKey: string) => Credential;
  /** What must never be recorded, and what stands in its place; see redaction.ts. */
  readonly secrets: readonly Secret[];
}

/**
 * Forms other than `Bearer <API_KEY>`. A service that looks for the key, or for the scheme, anywhere in the header, or
 * that takes one word of it, accepts some of them.
 */
const forms: ReadonlyArray<readonly [description: string, form: (key: string) => string]> = [
  ['the bare key without a scheme', (key) => key],
  ['a word after the key', (key) => `Bearer ${key} x`],
  ['a word before the key', (key) => `Bearer x ${key}`],
  ['the key under another scheme, `xBearer`', (key) => `xBearer ${key}`],
  ['`Bearer` with nothing after it', () => 'Bearer'],
  ['`Bearer` twice before the key', (key) => `Bearer Bearer ${key}`],
  ['no space before the key', (key) => `Bearer${key}`],
  ['`Basic` and the key', (key) => `Basic ${key}`],
  ['the key as the first of a list', (key) => `Bearer ${key}, x`],
  ['the key as the second of a list', (key) => `Bearer x, Bearer ${key}`],
  ['a tab and a word after the key', (key) => `Bearer ${key}\tx`],
];

/** Forms that are seldom taken if those above are not. */
const furtherForms: typeof forms = [
  ['a word before the scheme', (key) => `x Bearer ${key}`],
  ['the key under another scheme, `Bearerx`', (key) => `Bearerx ${key}`],
  ['the key under another scheme, `Token`', (key) => `Token ${key}`],
  ['the key under another scheme, `ApiKey`', (key) => `ApiKey ${key}`],
];

/** How a key is named wherever it is recorded. */
export interface KeyName {
  /** The environment variable that holds it, or would: it tells one key from another. */
  readonly variable: string;
  /** What a POSIX shell replaces with the key, also inside double quotes; by default the variable. */
  readonly shell?: string | undefined;
}

/** The name of a key that stands alone in a file. */
export function nameOfKeyFile(file: string): KeyName {
  return { variable: keyVariable, shell: `$(cat ${shellWord(file)})` };
}

/** All credentials that the suite sends, made from one key. */
export function credentialsFor(key: string, name: KeyName = { variable: keyVariable }): Credentials {
  const { variable } = name;
  const { shell: shown = `$${variable}` } = name;
  const middle = Math.floor(key.length / 2);
  // A changed key keeps the look of the real one.
  const [first, inside, last] = [key.at(0), key.at(middle), key.at(-1)].map((one) =>
    one === 'x' ? 'y' : 'x',
  );
  const changedBy = (filter: string): string => `$(printf %s "${shown}" | ${filter})`;
  type NearMiss = readonly [value: string, shell: string, change: string];
  const inUpperCase: NearMiss = [key.toUpperCase(), changedBy('tr a-z A-Z'), 'in upper case'];
  const inLowerCase: NearMiss = [key.toLowerCase(), changedBy('tr A-Z a-z'), 'in lower case'];
  const near: readonly NearMiss[] = [
    [key.slice(0, -1), changedBy("sed 's/.$//'"), 'without its last character'],
    inUpperCase[0] === key ? inLowerCase : inUpperCase,
    [key + last, changedBy(`sed 's/$/${last}/'`), 'with one character added'],
    [key.slice(0, -1) + last, changedBy(`sed 's/.$/${last}/'`), 'with its last character changed'],
    [first + key.slice(1), changedBy(`sed 's/^./${first}/'`), 'with its first character changed'],
    inLowerCase,
    [
      key.slice(0, middle) + inside + key.slice(middle + 1),
      changedBy(`sed 's/./${inside}/${middle + 1}'`),
      'with a character in its middle changed',
    ],
    [key.slice(1), changedBy("sed 's/^.//'"), 'without its first character'],
  ];
  const values = near.map(([value]) => value);
  const distinct = near.filter(
    ([value], index) => value !== key && value !== '' && values.indexOf(value) === index,
  );
  const credential = (
    kind: CredentialKind,
    description: string,
    authorization: string,
    display: string,
  ): Credential => ({ kind, description, authorization, display });
  const inForm = ([description, form]: (typeof forms)[number]): Credential =>
    // A tab that is pasted into a terminal completes a word.
    credential('malformed', description, form(key), form(shown).replace('\t', "$(printf '\\t')"));
  const user = base64(`${key}:`);
  const password = base64(`:${key}`);
  const inBasic = (description: string, encoded: string, format: string): Credential =>
    credential(
      'malformed',
      description,
      `Basic ${encoded}`,
      // Only some versions of base64 can be told not to break lines.
      `Basic $(printf '${format}' "${shown}" | base64 | tr -d '\\n')`,
    );
  return {
    valid: {
      ...credential('valid', 'the valid key', `Bearer ${key}`, `Bearer ${shown}`),
      caller: variable,
    },
    lowerCaseScheme: {
      ...credential('equivalent', 'the valid key under `bearer`', `bearer ${key}`, `bearer ${shown}`),
      caller: variable,
      apart: true,
    },
    missing: { kind: 'missing', description: 'no Authorization header' },
    nearMisses: [
      ...distinct.map(([value, shell, change]) =>
        credential('unknown', `the key ${change}`, `Bearer ${value}`, `Bearer ${shell}`),
      ),
      credential('unknown', 'the key in quotes', `Bearer "${key}"`, `Bearer \\"${shown}\\"`),
      credential('unknown', 'the key as a parameter', `Bearer token=${key}`, `Bearer token=${shown}`),
    ].map((one) => ({ ...one, apart: true })),
    malformed: [
      ...forms.map(inForm),
      inBasic('the key as the user of `Basic`', user, '%s:'),
      inBasic('the key as the password of `Basic`', password, ':%s'),
      ...furtherForms.map(inForm),
    ].map((one) => ({ ...one, apart: true })),
    unknown: (randomKey) =>
      credential('unknown', 'a random key', `Bearer ${randomKey}`, `Bearer ${randomKey}`),
    secrets: [
      // Quotes in what replaces a secret would break the JSON that repeats it.
      [key, `$${variable}`],
      [user, `[base64 of $${variable} and a colon]`],
      [password, `[base64 of a colon and $${variable}]`],
    ],
  };
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
