import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { z } from 'zod';
import { operationNames } from '../../lib/evidence/recorded-exchange.js';
import { catalogue } from '../../lib/specification/catalogue.js';
import { didYouMean } from '../../lib/explain/nearest-name.js';
import { nameIn } from '../../lib/options/option.js';
import { UsageProblem } from '../../lib/explain/usage-problem.js';
import { printable } from '../../lib/explain/printable.js';
import { errorCode } from '../../lib/explain/error-code.js';

/** An observation never fails: there is nothing to waive. */
const waivableIds = catalogue.filter(({ level }) => level !== 'OBSERVE').map(({ id }) => id);

/** The findings that a waiver is for: all that it says must fit. Another finding of the requirement is a new failure. */
const matchesSchema = z
  .strictObject({
    operation: z.enum(operationNames, `must be one of ${operationNames.join(', ')}`).optional(),
    /** The status of the response that shows it. */
    status: z.int('must be a status such as 500').optional(),
    /** Words of the finding, or of the reason why a requirement could not be judged. */
    words: z.string().trim().min(1, 'must be words of the finding').optional(),
  })
  .refine((matches) => Object.keys(matches).length > 0, 'must name an operation, a status or words');

/** A known failure, tolerated until a date. */
const waiverSchema = z.strictObject({
  id: nameIn(waivableIds, 'requirement that can fail'),
  /** The name or the base address of the target that it holds for; absent: for every target. */
  target: z.string().min(1).optional(),
  reason: z
    .string('must say why the failure is tolerated')
    .trim()
    .min(1, 'must say why the failure is tolerated'),
  owner: z.string('must say who is responsible').trim().min(1, 'must say who is responsible'),
  /** Absent: for every finding of the requirement. */
  matches: matchesSchema.optional(),
  /** The last day on which it holds, by UTC. */
  until: z.iso.date('must be a date such as 2026-04-30'),
});
export type Waiver = z.infer<typeof waiverSchema>;

/** A file of waivers, its digest, and what it says. */
export interface WaiversFile {
  readonly file: string;
  readonly sha256: string;
  readonly waivers: readonly Waiver[];
}

const waiversSchema = z
  .array(waiverSchema, 'a list of waivers is expected, each with id, reason, owner and until')
  .superRefine((waivers, context) => {
    const seen = new Set<string>();
    for (const [index, { id, target, matches }] of waivers.entries()) {
      const key = JSON.stringify([id, target, matches]);
      const message = `${id} is waived twice${target === undefined ? '' : ` for ${target}`}`;
      if (seen.has(key)) context.addIssue({ code: 'custom', path: [index], message });
      seen.add(key);
    }
  });

/**
 * Reads waivers from a YAML or JSON file: a list of `{ id, target?, matches?, reason, owner, until }`.
 * @throws UsageProblem if the file cannot be read or a waiver in it is wrong.
 */
export async function readWaivers(file: string): Promise<WaiversFile> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UsageProblem(`the waivers ${file} can't be read (${errorCode(error)})`);
  });
  const sha256 = createHash('sha256').update(text).digest('hex');
  return { file, sha256, waivers: parseWaivers(text, file) };
}

/** The waivers in a file's text (JSON is YAML too); an empty file has none. The file's name is for messages alone. */
export function parseWaivers(text: string, file: string): Waiver[] {
  const parsed = waiversSchema.safeParse(contentOf(text, file) ?? []);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  // A mistyped field comes before the one that is missing for it.
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  const [index, ...fields] = issue?.path ?? [];
  const place = typeof index === 'number' ? `, waiver ${index + 1}` : '';
  const problem =
    issue?.code === 'unrecognized_keys'
      ? `unknown field ${issue.keys[0]}.${didYouMean(issue.keys[0] ?? '', Object.keys(waiverSchema.shape))}`
      : [...fields.map(String), issue?.message].join(' ');
  throw new UsageProblem(printable(`${file}${place}: ${problem}`));
}

function contentOf(text: string, file: string): unknown {
  try {
    return parse(text, { logLevel: 'error' });
  } catch (error) {
    const [problem = ''] = error instanceof Error ? error.message.split('\n') : [];
    throw new UsageProblem(printable(`${file}: ${problem}`), { cause: error });
  }
}
