import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { UsageProblem } from '../explain/usage-problem.js';
import {
  addOwnRow,
  isRequirementId,
  type CatalogueRow,
  type RequirementId,
} from '../specification/catalogue.js';
import { requirement as declare, type ProbeAndRule } from '../verdict/requirement.js';
import { check, failed, note, observed, open, passed } from '../verdict/check.js';
import { answers, checkHeader } from '../verdict/verbs.js';

/** Imports for the program, which is no module itself: `runProgram` hands it in. */
declare const importModule: ((url: string) => Promise<unknown>) | undefined;

/** The verbs of a rule, as the suites use them. */
const verbs = { answers, check, checkHeader, failed, note, observed, open, passed };

/** A requirement of the user's own: level, title and what it stands on come from the user, the rest is as for any other. */
type OwnRequirement = ProbeAndRule<undefined> &
  Pick<CatalogueRow, 'level' | 'title'> &
  Partial<Pick<CatalogueRow, 'section'>>;

/** Declares a requirement. @param id `ACME-01`: capitals, a dash and two digits, and none of the catalogue's */
type Declare = (id: string, declared: OwnRequirement) => void;

/** The default export of a file of rules: it declares its requirements, and judges by the same verbs as the suites. */
type Rules = (kit: typeof verbs & { readonly requirement: Declare }) => void | Promise<void>;

/** The user's own requirements, and the file that they are in. */
export type OwnRules = Awaited<ReturnType<typeof loadRules>>;

const isFunction = (value: unknown): value is (...args: never[]) => unknown => typeof value === 'function';
const declaredSchema = z.looseObject({
  id: z
    .string()
    .regex(/^[A-Z]+-\d{2,}$/, 'an id has capitals, a dash and two digits, as ACME-01')
    .refine((id) => !isRequirementId(id), 'the catalogue has it'),
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
export async function loadRules(path: string) {
  const file = resolve(path);
  const ids: RequirementId[] = [];
  const requirement: Declare = (id, declared) => {
    const [issue] = declaredSchema.safeParse({ ...declared, id }).error?.issues ?? [];
    if (issue) throw new Error(`the ${issue.path.join('.')} of ${id} is wrong: ${issue.message}`);
    if (ids.some((one) => one === id)) throw new Error(`${id} is declared twice`);
    const { level, title, section = '', ...own } = declared;
    const row = addOwnRow({ id, level, section, clauses: ['1'], title, judged: '', fix: '' });
    declare(row, { phase: 'whole run', ...own });
    ids.push(row);
  };
  try {
    const text = await readFile(file);
    const sha256 = createHash('sha256').update(text).digest('hex');
    // A file that has changed is another module.
    const url = `${pathToFileURL(file).href}?sha256=${sha256}`;
    const module: unknown = await (typeof importModule === 'function' ? importModule(url) : import(url));
    const { default: rules } = module as { readonly default?: unknown };
    if (!isFunction(rules))
      throw new Error('no default export is a function: export default ({ requirement }) => { … }');
    await (rules as Rules)({ requirement, ...verbs });
    if (ids.length === 0) throw new Error('it declares no requirement');
    return { ids, file, sha256 };
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new UsageProblem(`--rules: ${path} can't be used: ${reason}`, { cause: error });
  }
}
