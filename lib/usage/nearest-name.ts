import { closest } from 'fastest-levenshtein';

/** The nearest of the names to a mistyped one, in any case, as a question: ` Did you mean junit?` */
export function didYouMean(typed: string, names: readonly string[]): string {
  if (names.length === 0) return '';
  const byLowerCase = new Map(names.map((name) => [name.toLowerCase(), name]));
  const nearest = byLowerCase.get(closest(typed.toLowerCase(), [...byLowerCase.keys()]));
  return ` Did you mean ${nearest}?`;
}
