import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { UsageProblem } from '../explain/usage-problem.js';
import { isRequirementId, type RequirementId } from '../specification/catalogue.js';
import { answers, check, failed, note, observed, open, passed } from '../verdict/check.js';
import { checkHeader } from '../verdict/header-check.js';
import { ownRequirement, type OwnRequirement } from '../verdict/requirement.js';

/** Imports for the program, which is no module itself: `runProgram` hands it in. */
declare const importModule: ((url: string) => Promise<unknown>) | undefined;

/** The verbs of a rule, as the suites use them. */
const verbs = { answers, check, checkHeader, failed, note, observed, open, passed };

/** What a file of rules is given: it declares its requirements, and judges by the same verbs as the suites. */
interface RuleKit extends Readonly<typeof verbs> {
  /** Declares a requirement. @param id `ACME-01`: capitals, a dash and two digits, and none of the catalogue's */
  readonly requirement: (id: string, declared: OwnRequirement) => void;
}

/** The default export of a file of rules. */
type Rules = (kit: RuleKit) => void | Promise<void>;

/** The user's own requirements, and the file that they are in. */
export interface OwnRules {
  readonly ids: readonly RequirementId[];
  readonly file: string;
  readonly sha256: string;
  /** Whether they are a class of the run's verdict. */
  readonly strict: boolean;
}

const idForm = /^[A-Z]+-\d{2,}$/;
const isFunction = (value: unknown): value is (...args: never[]) => unknown => typeof value === 'function';
const declaredSchema = z.looseObject({
  level: z.enum(['MUST', 'SHOULD', 'OBSERVE']),
  title: z.string().min(1),
  section: z.string().optional(),
  rule: z.custom<OwnRequirement['rule']>(isFunction, 'must be a function of the evidence'),
  probe: z.custom<OwnRequirement['probe']>(isFunction, 'must be a function').optional(),
});

/**
 * Reads a file of rules (`--rules`).
 * @throws UsageProblem for a file that can't be read or run, that declares nothing, or whose requirements are not whole
 */
export async function loadRules(path: string, strict: boolean): Promise<OwnRules> {
  const file = resolve(path);
  const refuse = (problem: string, cause?: unknown): never => {
    throw new UsageProblem(`--rules: ${path} ${problem}`, { cause });
  };
  const text = await readFile(file, 'utf8').catch((error: unknown) => refuse("can't be read", error));
  const sha256 = createHash('sha256').update(text).digest('hex');
  // A file that has changed is another module.
  const url = `${pathToFileURL(file).href}?sha256=${sha256}`;
  const importing = typeof importModule === 'function' ? importModule(url) : import(url);
  const module = (await importing.catch((error: unknown) =>
    refuse(`can't be run: ${reasonOf(error)}`, error),
  )) as {
    readonly default?: unknown;
  };
  const { default: rules } = module;
  if (!isFunction(rules))
    return refuse('has no default export that is a function: export default ({ requirement }) => { … }');
  const ids: RequirementId[] = [];
  const requirement: RuleKit['requirement'] = (id, declared) => {
    if (!idForm.test(id)) refuse(`declares ${id}: an id has capitals, a dash and two digits, as ACME-01`);
    if (isRequirementId(id)) refuse(`declares ${id}, which the catalogue has`);
    if (ids.some((one) => one === id)) refuse(`declares ${id} twice`);
    const [issue] = declaredSchema.safeParse(declared).error?.issues ?? [];
    if (issue)
      refuse(`declares ${id}, whose ${issue.path.join('.') || 'second argument'} is wrong: ${issue.message}`);
    ids.push(ownRequirement(id, declared));
  };
  try {
    await (rules as Rules)({ requirement, ...verbs });
  } catch (error) {
    if (error instanceof UsageProblem) throw error;
    refuse(`can't be run: ${reasonOf(error)}`, error);
  }
  if (ids.length === 0) refuse('declares no requirement');
  return { ids, file, sha256, strict };
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
}
