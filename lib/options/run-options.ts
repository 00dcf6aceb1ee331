import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod';
import { profiles } from '../verdict/requirement.js';
import { requirementIds } from '../specification/catalogue.js';
import { planNames } from '../specification/plan.js';
import type { CommandDescription } from './command-line.js';
import { anyText, group, int64, listOf, oneOf, onOff, option, text, time, wholeNumber } from './option.js';

/**
 * The options of a run, each written once: what a program may give, what is read from a command line, from the environment
 * and from the settings file, and what the help says.
 */

const key = anyText
  .trim()
  .regex(/^[\x21-\x7E]+$/, 'must be printable ASCII without spaces, as an Authorization header requires');

// No message repeats what was given: it may be the key, in the wrong place.
const url = z
  .url({ protocol: /^https?$/, error: 'is not a valid URL: expected http://host/v1 or https://host/v1' })
  .refine(
    (typed) => !/\/\/[^/?#]*@|[?#]/.test(typed),
    'must have no user, password, query or fragment: paths are appended, and the key goes into the Authorization header',
  )
  .transform((typed) => new URL(typed).href.replace(/\/+$/, ''));

const address = anyText.refine(
  (typed) => isIP(typed) !== 0,
  'must be IP addresses of this machine, with commas between them',
);

const addresses = listOf(address).refine(
  (all) => new Set(all).size === all.length,
  'must not name an address twice',
);

const classes = new Set(requirementIds.map((id) => id.replace(/-\d+$/, '')));
const requirements = listOf(oneOf<string>([...classes, ...requirementIds], 'requirement'));

const ownHeader =
  /^(?:accept|authorization|connection|content-.*|host|te|transfer-encoding|upgrade|user-agent)$/i;

/** A name of tokens, a colon, a value (RFC 9110, section 5.1). */
const header = anyText
  .regex(/^[\w!#$%&'*+.^`|~-]+:\s*[\x20-\x7E]*$/u, 'must be a name and a value (X-Tenant: a)')
  .refine(
    (line) => !ownHeader.test(line.split(':')[0] ?? ''),
    'must not be a header that the suite sends itself',
  );

/** A header whose name or value may be a credential. */
export const maybeSecret =
  /^[^:]*(?:auth|cookie|key|pass|secret|session|token)|:.*(?:\bBearer\b|\bBasic\b|[\w+/=-]{20})/i;

const isAddress = (source: string): boolean => /^https?:/i.test(source);
const absolute = (path: string): string => resolve(path);
const document = text
  .refine((source) => isAddress(source) || existsSync(source), 'must be a file that exists, or an address')
  .transform((source) => (isAddress(source) ? source : absolute(source)));
const existing = text.refine((path) => existsSync(path), 'must be a file or folder that exists');

/** The target and its key, as its variables say it, too: `NAME_BASE_URL`, `NAME_API_KEY`. */
export const targetOptions = group('Target:', {
  /** `https://host/v1`; without it the run starts the embedded reference service. */
  baseUrl: option(url, 'URL', 'the target; its key in PETSTORE_API_KEY'),
  /** The key that every request carries; required with `baseUrl`. It is in nothing that the run writes or returns. */
  apiKey: option(key, 'KEY', undefined, { secret: true }),
  /** A file that holds the key alone. */
  apiKeyFile: option(text, 'FILE', 'a file with the key'),
  /** A command of the shell. */
  apiKeyCommand: option(text, 'CMD', 'a command that prints the key'),
  /** The plan of the key (section 8). Without it, requests are paced as on Free, and RATE-04 is not judged. */
  plan: option(oneOf(planNames), 'PLAN', planNames.join(', ')),
  /** Of an Enterprise key, 1 to 1,000,000. */
  perMinute: option(wholeNumber(1, 1_000_000), 'N', 'requests per minute of an enterprise key, and'),
  /** Of an Enterprise key, 1 to 1,000,000,000. */
  perDay: option(wholeNumber(1, 1_000_000_000), 'N', 'per day'),
  /** A second key, for LIMIT-08. */
  otherApiKey: option(key, 'KEY', 'a second key, for LIMIT-08 (PETSTORE_OTHER_API_KEY)', { secret: true }),
  /** A 64-bit integer; section 2 does not say how categories are made. */
  categoryId: option(int64, 'N', 'a category that it accepts'),
  /** Milliseconds for one request as a whole, up to 600,000; 10,000 by default. */
  deadlineMs: option(time('1ms', '10m'), '10s', 'the most time for one request', { flag: 'timeout' }),
  /** Milliseconds within which a created animal must be listed, up to 600,000; 2,000 by default. */
  consistencyMs: option(time('0ms', '10m'), '2s', 'within what time a new animal is listed', {
    flag: 'consistency',
  }),
  /** PEM, beside the well-known ones. */
  ca: option(text, 'FILE', 'extra CA certificate to trust'),
  /** PEM, for a target that asks for one. */
  cert: option(text, 'FILE', 'client certificate, and'),
  /** The file of its private key. */
  key: option(text, 'FILE', 'its private key'),
  /** Further header fields, `['X-Tenant: a']`. */
  header: option(listOf(header, '\n'), "'X-Tenant: a'", 'sent with every request', {
    repeatable: true,
    secret: maybeSecret,
  }),
  /** Source addresses of this machine. Connections come from the first; LIMIT-15 uses all of them. */
  localAddress: option(addresses, 'A,B', 'come from these addresses (two: LIMIT-15)'),
  /** Such a key can't be kept out of everything that is written. */
  acceptShortKey: onOff('accept a key of fewer than eight characters'),
});

export const keyOptions = ['apiKey', 'apiKeyFile', 'apiKeyCommand'] as const;

/** What is judged, and how. */
export const scopeOptions = {
  ...group('What is judged:', {
    /** How deep: `quick` fits into 60 requests; `standard` is the default; `thorough` searches. */
    profile: option(oneOf(profiles), 'P', 'quick (60 requests), standard, thorough'),
    /** Ids or prefixes, `['AUTH', 'LIST-02']`. */
    only: option(requirements, 'ID,…', 'only these requirements: AUTH,LIST-02'),
    /** All requirements but these. */
    except: option(requirements, 'ID,…', 'all but these'),
    /** `none` is the default. */
    limits: option(oneOf(['none', 'minute', 'day']), 'L', 'none, minute, day: test the limits with load'),
    /** The `output` of an interrupted count of a day, to be continued; with `limits: 'day'`. */
    resume: option(text.transform(absolute), 'DIR', 'continue an interrupted --limits=day'),
    /** A key that may get banned, to see whether ignoring a 429 bans it (LIMIT-12). */
    observeBanKey: option(key, 'KEY', 'see whether ignoring a 429 bans this key', {
      flag: 'observe-ban',
      secret: true,
    }),
    /** A file or URL of the target's OpenAPI document, to be judged too. */
    description: option(document, 'FILE', 'judge this OpenAPI document too (file or URL)'),
    /** An ES module; see docs/rules.md. */
    rules: option(text, 'FILE', 'judge by requirements of your own, too'),
    /** Your own requirements are a part of the verdict. */
    strictRules: onOff('your own requirements decide the verdict, too'),
  }),
  ...group('The run:', {
    /** Send nothing that could create an animal. */
    readOnly: onOff('send nothing that could create'),
    /** Warnings fail. */
    strict: onOff('warnings fail'),
    /** 0 to 2,147,483,647: the same seed sends the same requests. */
    seed: option(wholeNumber(0, 2 ** 31 - 1), 'N', 'the same seed sends the same requests'),
    /** The most requests that may be sent, 1 to 10,000,000. */
    maxRequests: option(wholeNumber(1, 10_000_000), 'N', 'send at most this many requests'),
    /** Milliseconds, from 1,000 up to a week. */
    maxTime: option(time('1s', '168h'), '3m', 'send nothing more after this time'),
  }),
};

export const outputOptions = group('Results:', {
  /** The folder for `report.json` and `exchanges.jsonl`; it is made if missing. Without it a program's run writes no file. */
  output: option(text.transform(absolute), 'DIR', "where the run's files go"),
  /** Replace the run that `output` holds. */
  overwrite: onOff('replace the run that DIR holds'),
});

/** All that a program may ask of a run. */
export const programOptions = {
  ...targetOptions,
  ...scopeOptions,
  ...outputOptions,
  /** Ends the run early; its record then says `complete: false`. */
  signal: option(z.instanceof(AbortSignal, { error: 'must be an AbortSignal' })),
};

/** The options of `runConformance`; each has the meaning of the command line's option of the same name. */
export type RunConformanceOptions = {
  readonly [Name in keyof typeof programOptions]?: z.input<(typeof programOptions)[Name]>;
};

/** The target by its name, and how it gets there. */
export const startOptions = group('Target:', {
  target: option(text, 'NAME', 'by its name: NAME_BASE_URL, or the settings file'),
  start: option(text, 'COMMAND', 'start the service so, and end it after the run'),
  wait: option(time('0s', '1h'), '30s', 'wait until the target responds'),
});

export const permissions = group('The run:', {
  allowWrites: onOff('create, even on a production target (prod…, live…)'),
  allowLoad: onOff('send load, even to a production target'),
});

/** The formats of reports, by the names that `--report` takes. */
export const reportNames = ['html', 'junit', 'markdown'] as const;

/** Every option of `npm test`, in the order of `--help`. */
export const commandLineOptions = {
  ...startOptions,
  ...targetOptions,
  ...scopeOptions,
  ...group('The run:', {
    again: option(text, 'DIR', 'what failed in that run, or the last', { bare: 'last' }),
    watch: option(existing, 'PATH', 'again at each change, until all is green', { bare: '.' }),
    bail: option(wholeNumber(0, 1_000), 'N', 'end once N requirements (1) failed', { bare: '1' }),
  }),
  ...permissions,
  ...outputOptions,
  ...group('Results:', {
    report: option(
      listOf(oneOf([...reportNames, 'all', 'none'])),
      'R,…',
      `${reportNames.join(', ')}, all, none`,
    ),
    waivers: option(text, 'FILE', 'known failures, tolerated until a date'),
    dryRun: onOff('print what would be sent, and send nothing'),
    verbose: onOff('print all that is known of the run'),
    version: onOff("the suite's version"),
  }),
};

export const conformanceCommand: CommandDescription<typeof commandLineOptions> = {
  name: 'test',
  options: commandLineOptions,
  summary: `Judges a Pet Store Service by its specification.
Without a target: a self-check of the embedded reference service.`,
  closing: `Commands: init, report, load, explain, list, reference
Exit: 0 conformant or partial by choice, 1 non-conformant, 2 usage, 3 incomplete`,
};
