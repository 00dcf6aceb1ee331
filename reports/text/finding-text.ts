import type { Finding, RequirementResult } from '../../lib/evidence/record/requirement-result.js';

/** A finding as labelled lines of plain text. */
export function findingText(finding: Finding): string {
  const { expected, received, pointer, exchanges, reproduce } = finding;
  const lines: [label: string, text: string | undefined][] = [
    ['expected', expected && withoutCodeMarks(expected)],
    ['received', received && withoutCodeMarks(received)],
    ['at', pointer],
    ['exchanges', exchanges.length > 0 ? exchangesText(exchanges) : undefined],
    ['reproduce', reproduce],
  ];
  const labelled = lines.flatMap(([label, text]) => (text === undefined ? [] : `${label}: ${text}`));
  return [messageText(finding), ...labelled].join('\n');
}

/** What is wrong, and how often it was seen. */
export function messageText({ message, occurrences = 1 }: Finding): string {
  return `${message}${occurrences > 1 ? ` (seen ${occurrences} times)` : ''}`;
}

/** Exchanges that are named in a line; the record has the others. */
const exchangesNamed = 4;

function exchangesText(ids: readonly string[]): string {
  const rest = ids.length - exchangesNamed;
  return `${ids.slice(0, exchangesNamed).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/**
 * A sentence of the suite without the backquotes that mark code in it, for places that have no markup. A part in double
 * quotes is quoted from the target, and stays as it came.
 */
export function withoutCodeMarks(text: string): string {
  return text
    .split(/("(?:[^"\\]|\\.)*")/u)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(/`([^`\n]+)`/gu, '$1')))
    .join('');
}

/** The first sentence of a text: a full stop before a capital letter ends it. */
export function firstSentence(text: string): string {
  return /^.*?[.](?= [A-Z])/su.exec(text)?.[0] ?? text;
}

/** Sections as people cite them: `§ 5.3, 7` for the specification, an RFC by its own name. */
export function sectionText(section: string): string {
  return /^\d/.test(section) ? `§ ${section}` : section;
}

/** `MUST § 5.3, 7`. */
export function levelText({ level, section }: Pick<RequirementResult, 'level' | 'section'>): string {
  return `${level} ${sectionText(section)}`.trim();
}

/** `Waived until 2026-04-30 by store team: reason`. */
export function waiverText({ until, owner, reason }: NonNullable<RequirementResult['waived']>): string {
  return `Waived until ${until} by ${owner}: ${reason}`;
}
