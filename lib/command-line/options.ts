/** Every option of `npm test`, in the order of `--help`; an option without `value` is a switch. */
interface Option {
  readonly value?: string;
  readonly help: string;
}

const target = {
  target: { value: 'NAME', help: 'of the environment or .env: NAME_BASE_URL, NAME_API_KEY' },
  'base-url': { value: 'URL', help: 'a target on the spot; its key with --api-key=KEY,' },
  'api-key': { value: 'KEY', help: 'or better from PETSTORE_API_KEY' },
  plan: { value: 'PLAN', help: "the key's: free, pro, business, or enterprise with" },
  'per-minute': { value: 'N', help: "Enterprise's requests a minute, and" },
  'per-day': { value: 'N', help: 'its requests a day' },
  'other-api-key': { value: 'KEY', help: 'a second key (LIMIT-08); PETSTORE_OTHER_API_KEY' },
  ca: { value: 'FILE', help: 'trust this authority too; --insecure: any, on loopback' },
  insecure: { help: 'accept any certificate of a loopback target' },
} as const satisfies Record<string, Option>;

const scope = {
  profile: { value: 'P', help: 'quick (60 requests), standard, thorough' },
  only: { value: 'ID,…', help: 'these requirements alone: AUTH,LIST-02' },
  except: { value: 'ID,…', help: 'all but these' },
  limits: { value: 'L', help: 'none, minute, or day: try the limits with load' },
  plans: { value: 'PLAN,…', help: 'several plans at once, keys from NAME_FREE_API_KEY, …' },
  resume: { value: 'DIR', help: 'go on with an interrupted --limits=day' },
  'observe-ban': { value: 'KEY', help: 'see whether a 429 that is ignored bans this key' },
  description: { value: 'FILE', help: 'judge this OpenAPI document too (file or address)' },
  'allow-other-hosts': { help: 'its references may be fetched from other hosts' },
  'read-only': { help: 'send nothing that could create' },
  'allow-writes': { help: 'create, even on a target named production' },
  'allow-load': { help: 'try limits, even on a target named production' },
  strict: { help: 'warnings fail' },
  seed: { value: 'N', help: 'the same seed sends the same requests' },
  'max-requests': { value: 'N', help: 'send no more than this' },
} as const satisfies Record<string, Option>;

const results = {
  output: { value: 'DIR', help: "where the run's files go" },
  report: { value: 'R,…', help: 'html, junit, markdown, har, earl, all, none' },
  waivers: { value: 'FILE', help: 'failures that do not fail the run, until a day' },
  'dry-run': { help: 'say what would be asked, and send nothing' },
  help: { help: 'this text' },
  version: { help: "the suite's version" },
} as const satisfies Record<string, Option>;

export const optionGroups = { Target: target, 'What is judged': scope, Results: results } as const;

export const ownOptions = { ...target, ...scope, ...results } as const satisfies Record<string, Option>;
export type OptionName = keyof typeof ownOptions;

/** Vitest's own options that pass through. Others would change how the suites run. */
export const vitestOptions = ['t', 'testNamePattern', 'bail', 'reporter', 'outputFile'] as const;
