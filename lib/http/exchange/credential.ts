import type { CredentialKind } from './exchange.js';

/**
 * What a request carries in `Authorization` (section 5). `display` is the same in shell notation, safe to record:
 * `$PETSTORE_API_KEY` stands for the key, and a near miss is derived from it by shell expansion, so that a recorded
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
}

/** The environment's variable that a curl line takes the key from. */
export const keyVariable = 'PETSTORE_API_KEY';

export interface Credentials {
  readonly valid: Credential;
  /** RFC 9110 11.1: the scheme's name is case-insensitive. */
  readonly lowerCaseScheme: Credential;
  readonly missing: Credential;
  /** Keys that are one step away from the real one, the likeliest to be taken first; only those that differ from it. */
  readonly nearMisses: readonly Credential[];
  /** The real key in a form other than `Bearer <API_KEY>` (section 5.2), the likeliest to be taken first. */
  readonly malformed: readonly Credential[];
  /** A key that nobody has, of the real one's length, drawn by the caller. */
  readonly unknown: (randomKey: string) => Credential;
  /** What must never be recorded, and what stands in its place; see redaction.ts. */
  readonly secrets: ReadonlyArray<readonly [secret: string, display: string]>;
}

/** A character of the same sort as `character` but not itself, so that a changed key keeps the look of the real one. */
function otherCharacter(character: string | undefined): string {
  return character === 'x' ? 'y' : 'x';
}

/** All credentials that the suite sends, made from one key; `variable` stands for it wherever it is recorded. */
export function credentialsFor(key: string, variable: string = keyVariable): Credentials {
  const shown = `$${variable}`;
  const other = otherCharacter(key.at(-1));
  const otherFirst = otherCharacter(key.at(0));
  const middle = Math.floor(key.length / 2);
  const otherMiddle = otherCharacter(key.at(middle));
  const keyVariants: Array<{ value: string; shell: string; description: string }> = [
    {
      value: key.slice(0, -1),
      shell: `\${${variable}%?}`,
      description: 'the key without its last character',
    },
    {
      value: key.slice(0, -1) + other,
      shell: `\${${variable}%?}${other}`,
      description: 'the key with its last character changed',
    },
    { value: key.toUpperCase(), shell: `\${${variable}^^}`, description: 'the key in upper case' },
    { value: key + other, shell: `\${${variable}}${other}`, description: 'the key with a character more' },
    {
      value: otherFirst + key.slice(1),
      shell: `${otherFirst}\${${variable}#?}`,
      description: 'the key with its first character changed',
    },
    { value: key.toLowerCase(), shell: `\${${variable},,}`, description: 'the key in lower case' },
    {
      value: key.slice(0, middle) + otherMiddle + key.slice(middle + 1),
      shell: `\${${variable}:0:${middle}}${otherMiddle}\${${variable}:${middle + 1}}`,
      description: 'the key with a character in its middle changed',
    },
    { value: key.slice(1), shell: `\${${variable}#?}`, description: 'the key without its first character' },
  ];
  const distinct = keyVariants.filter(
    ({ value }, index) =>
      value !== key && value !== '' && keyVariants.findIndex((variant) => variant.value === value) === index,
  );
  const nearMisses = distinct.map(({ value, shell, description }): Credential => ({
    kind: 'unknown',
    description,
    authorization: `Bearer ${value}`,
    display: `Bearer ${shell}`,
  }));
  const malformed = (description: string, authorization: string, display: string): Credential => ({
    kind: 'malformed',
    description,
    authorization,
    display,
  });
  const user = base64(`${key}:`);
  const password = base64(`:${key}`);
  return {
    valid: {
      kind: 'valid',
      caller: variable,
      description: 'the valid key',
      authorization: `Bearer ${key}`,
      display: `Bearer ${shown}`,
    },
    lowerCaseScheme: {
      kind: 'equivalent',
      caller: variable,
      description: 'the valid key under `bearer`',
      authorization: `bearer ${key}`,
      display: `bearer ${shown}`,
    },
    missing: { kind: 'missing', description: 'no Authorization header' },
    nearMisses,
    malformed: [
      malformed('the bare key without a scheme', key, shown),
      malformed('`Basic` and the key', `Basic ${key}`, `Basic ${shown}`),
      malformed('`Bearer` with nothing behind it', 'Bearer', 'Bearer'),
      malformed('the key under another scheme, `Token`', `Token ${key}`, `Token ${shown}`),
      malformed(
        'the key as the user of `Basic`',
        `Basic ${user}`,
        `Basic $(printf '%s:' "${shown}" | base64 -w0)`,
      ),
      malformed(
        'the key as the password of `Basic`',
        `Basic ${password}`,
        `Basic $(printf ':%s' "${shown}" | base64 -w0)`,
      ),
      malformed('the key under another scheme, `ApiKey`', `ApiKey ${key}`, `ApiKey ${shown}`),
    ],
    unknown: (randomKey) => ({
      kind: 'unknown',
      description: 'a random key',
      authorization: `Bearer ${randomKey}`,
      display: `Bearer ${randomKey}`,
    }),
    secrets: [
      [key, shown],
      // Quotes in what stands for a secret would break the JSON that it is echoed in.
      [user, `[base64 of ${shown} and a colon]`],
      [password, `[base64 of a colon and ${shown}]`],
      ...distinct.map(({ value, shell }) => [value, shell] as const),
    ],
  };
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
