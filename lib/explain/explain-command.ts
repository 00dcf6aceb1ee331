import { selectionOf, unknownPatterns } from '../run/selection.js';
import { catalogue, classOf, requirementIds, type RequirementId } from '../specification/catalogue.js';
import { optionLines, readCommandLine } from '../options/command-line.js';
import { didYouMean } from './nearest-name.js';
import { onOff } from '../options/options-schema.js';
import { UsageProblem } from './usage-problem.js';
import { pageText } from './page-text.js';
import { readPages } from './read-pages.js';

const options = {
  json: onOff({ help: 'print JSON' }),
  help: onOff({ help: 'this text', short: 'h' }),
};

/**
 * What `explain` prints: the pages of the requirements that are named, by id or prefix.
 * @param invocation how the command is called, for the help
 * @throws UsageProblem for a name that the catalogue does not have
 */
export function explainText(argv: readonly string[], invocation: string): string {
  const { typed, operands } = readCommandLine(argv, options, { operands: true });
  if (typed['help'])
    return `${invocation} ID…: what the specification says of a requirement, how it is judged, what a right and a
wrong exchange look like, usual bugs, and how to fix them. ID: LIST-02, or AUTH for all of AUTH.

${optionLines(options)}
`;
  if (operands.length === 0) throw new UsageProblem(`which requirement? For example: ${invocation} LIST-02`);
  const wanted = idsOf(operands);
  const pages = readPages().filter(({ id }) => wanted.has(id));
  if (typed['json'] !== true) return pages.map((page) => pageText(page)).join('\n');
  const [first] = pages;
  return json(operands.length === 1 && operands[0]?.toUpperCase() === first?.id ? first : pages);
}

/** What `list` prints: the requirements, a line each; all, or those that are named. */
export function listText(argv: readonly string[], invocation: string): string {
  const { typed, operands } = readCommandLine(argv, options, { operands: true });
  if (typed['help'])
    return `${invocation} [ID…]: the requirements that the suite judges.\n\n${optionLines(options)}\n`;
  const wanted = idsOf(operands);
  const rows = catalogue.filter(({ id }) => wanted.has(id));
  if (typed['json'] === true)
    return json(
      rows.map(({ id, level, section, title }) => ({ id, level, class: classOf(id), section, title })),
    );
  return rows
    .map(
      ({ id, level, section, title }) =>
        `${id.padEnd(11)}${level.padEnd(9)}${title}${section === '' ? '' : ` (${where(section)})`}\n`,
    )
    .join('');
}

function where(section: string): string {
  return /^\d/.test(section) ? `§ ${section}` : section;
}

/** The requirements of ids and prefixes; all if none is given. */
function idsOf(names: readonly string[]): ReadonlySet<RequirementId> {
  const [unknown] = unknownPatterns(names);
  if (unknown === undefined)
    return selectionOf({ only: names, except: [], limits: 'minute', description: '' }).ids;
  throw new UsageProblem(
    `${unknown} is not a requirement.${didYouMean(unknown.toUpperCase(), requirementIds) || ' petstore-conformance list shows all.'}`,
  );
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
