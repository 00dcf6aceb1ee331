/**
 * CI systems read commands out of what a job prints: a line that begins with `::` (GitHub), `##[…]` and `##vso[…]`
 * (GitHub, Azure) or `##teamcity[…]` anywhere in it. Text from a target must not become one.
 */
const atBeginning = /^(\s*):(?=:)/u;
const anywhere = /##(?=(?:vso|teamcity)?\[)/gu;

/** The line, or each line of the text, with such a command taken apart by a space. */
export function withoutLogCommand(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(atBeginning, '$1: ').replaceAll(anywhere, '# #'))
    .join('\n');
}
