import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { CORE_SCHEMA, loadAll, YAMLException } from 'js-yaml';
import { z } from 'zod';
import { operationNames } from '../../lib/evidence/recorded-exchange.js';
import { printable } from '../../lib/explain/printable.js';
import { errorCode, UsageProblem } from '../../lib/explain/usage-problem.js';
import { checkOptions, nameIn, oneOf, type OptionValues } from '../../lib/options/option.js';
import { catalogue } from '../../lib/specification/catalogue.js';

/** An observation never fails: there is nothing to waive. */
const waivableIds = catalogue.filter(({ level }) => level !== 'OBSERVE').map(({ id }) => id);

const said = (message: string) => z.string(message).trim().min(1, message);

/** A known failure, tolerated until a date. */
const waiver = {
  id: nameIn(waivableIds, 'requirement that can fail'),
  /** The name or the base address of the target that it holds for; absent: for every target. */
  target: z.string().min(1).optional(),
  reason: said('must say why the failure is tolerated'),
  owner: said('must say who is responsible'),
  /**
   * The findings that it is for: all that it says must fit, and another finding of the requirement is a new failure.
   * Absent: for every finding.
   */
  matches: z
    .strictObject({
      operation: oneOf(operationNames).optional(),
      /** The status of the response that shows it. */
      status: z.int('must be a status such as 500').optional(),
      /** Words of the finding, or of the reason why a requirement could not be judged. */
      words: said('must be words of the finding').optional(),
    })
    .refine((matches) => Object.keys(matches).length > 0, 'must name an operation, a status or words')
    .optional(),
  /** The last day on which it holds, by UTC. */
  until: z.iso.date('must be a date such as 2026-04-30'),
};
export type Waiver = OptionValues<typeof waiver>;

/** A file of waivers, its digest, and what it says. */
export type WaiversFile = Awaited<ReturnType<typeof readWaivers>>;

/**
 * Reads waivers from a YAML or JSON file (JSON is YAML too): a list of `{ id, target?, matches?, reason, owner, until }`.
 * @throws UsageProblem if the file cannot be read or a waiver in it is wrong.
 */
export async function readWaivers(file: string) {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UsageProblem(`the waivers ${file} can't be read (${errorCode(error)})`);
  });
  const sha256 = createHash('sha256').update(text).digest('hex');
  return { file, sha256, waivers: parseWaivers(text, file) };
}

/** The waivers in a file's text; an empty file has none. The file's name is for messages alone. */
export function parseWaivers(text: string, file: string): readonly Waiver[] {
  let place = file;
  try {
    const [listed = [], ...others] = loadAll(text, { schema: CORE_SCHEMA });
    if (!Array.isArray(listed) || others.length > 0)
      throw new UsageProblem('a list of waivers is expected, each with id, reason, owner and until');
    return listed.map((entry: unknown, index) => {
      place = `${file}, waiver ${index + 1}`;
      return checkOptions(waiver, entry);
    });
  } catch (error) {
    const isYaml = error instanceof YAMLException;
    if (!isYaml && !(error instanceof UsageProblem)) throw error;
    const what = isYaml ? `${error.reason} in line ${(error.mark?.line ?? 0) + 1}` : error.message;
    throw new UsageProblem(printable(`${place}: ${what}`), { cause: error });
  }
}
