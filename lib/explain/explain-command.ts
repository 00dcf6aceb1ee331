import { readFileSync } from 'node:fs';
import { selectionOf } from '../run/selection.js';
import { packageFile } from '../run/suite-name.js';
import { catalogue, type RequirementId } from '../specification/catalogue.js';
import { checkCommandLine } from '../options/command-line.js';
import { checkOptions } from '../options/option.js';
import { scopeOptions } from '../options/run-options.js';

/**
 * What `explain` prints: the pages of the requirements that are named, by id or prefix; all if none is.
 * @throws UsageProblem for a name that the catalogue does not have
 */
export function explainText(argv: readonly string[]): string {
  const summary = `What the specification says of a requirement, how it is judged, usual bugs,
and the fix. ID: LIST-02, or AUTH for all of AUTH.`;
  const wanted = idsOf('explain', argv, summary);
  const pages = readFileSync(packageFile('docs/requirements.md'), 'utf8').split(/^(?=## )/m);
  return [...wanted].map((id) => pages.find((page) => page.startsWith(`## ${id}\n`))).join('');
}

/** What `list` prints: the requirements, a line each; all, or those that are named. */
export function listText(argv: readonly string[]): string {
  const wanted = idsOf('list', argv, 'The requirements that the suite judges.');
  const lines = catalogue.flatMap(({ id, level, section, title }) => {
    const where = /^\d/.test(section) ? ` (§ ${section})` : section && ` (${section})`;
    return wanted.has(id) ? [`${id.padEnd(11)}${level.padEnd(9)}${title}${where}\n`] : [];
  });
  return lines.join('');
}

/** The requirements of the ids and prefixes on a command line; all if none is given. */
function idsOf(name: string, argv: readonly string[], summary: string): ReadonlySet<RequirementId> {
  const { operands } = checkCommandLine(argv, { name, options: {}, operands: '[ID…]', summary });
  const { only } = checkOptions({ only: scopeOptions.only }, { only: operands }, () => name);
  return selectionOf({ only, limits: 'minute', description: '' }).ids;
}
