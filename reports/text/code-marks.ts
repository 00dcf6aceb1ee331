/**
 * A text of the suite in which backquotes mark code, without them, for places where all is set as code or nothing is.
 * What stands in double quotes is quoted from the target, and stays as it came.
 */
export function withoutCodeMarks(text: string): string {
  return text
    .split(/("(?:[^"\\]|\\.)*")/u)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(/`([^`\n]+)`/gu, '$1')))
    .join('');
}
