import type { Finding, RequirementResult } from '../../lib/evidence/record/requirement-result.js';

/** What is wrong, and how often it was seen. */
export function messageText({ message, occurrences = 1 }: Finding): string {
  return `${message}${occurrences > 1 ? ` (seen ${occurrences} times)` : ''}`;
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
