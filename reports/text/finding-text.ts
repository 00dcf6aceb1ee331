import type { Finding } from '../../lib/record/record.js';

/** A finding as plain lines, for the formats that have only text: what is wrong, expected, received, how to see it. */
export function findingText(finding: Finding): string[] {
  const { message, expected, received, pointer, exchanges, reproduce, occurrences } = finding;
  const times = occurrences !== undefined && occurrences > 1 ? ` (${occurrences} times)` : '';
  return [
    `${message}${times}`,
    ...(expected === undefined ? [] : [`expected: ${expected}`]),
    ...(received === undefined ? [] : [`received: ${received}`]),
    ...(pointer === undefined ? [] : [`at: ${pointer}`]),
    ...(exchanges.length === 0 ? [] : [`exchanges: ${exchanges.join(', ')}`]),
    ...(reproduce === undefined ? [] : [`again with: ${reproduce}`]),
  ];
}

/** The catalogue marks code with backquotes; where text is plain they only disturb. */
export function withoutBackquotes(text: string): string {
  return text.replaceAll('`', '');
}
