import { distance } from 'fastest-levenshtein';

/** Characters that may be wrong in a mistyped name, and the share of it that must be right. */
const mostMistakes = 3;
const leastShare = 0.4;

/** The nearest of the names to a mistyped one, in any case, as a question: ` Did you mean junit?` Empty if none is near. */
export function didYouMean(typed: string, names: readonly string[]): string {
  const bare = (name: string): string => name.toLowerCase().replace(/^-+/, '');
  const mistakesIn = (name: string): number => distance(bare(typed), bare(name));
  const [near = ''] = names.toSorted((one, other) => mistakesIn(one) - mistakesIn(other));
  const length = Math.max(bare(typed).length, bare(near).length);
  const isNear = mistakesIn(near) <= mostMistakes && length - mistakesIn(near) > leastShare * length;
  return isNear ? ` Did you mean ${near}?` : '';
}
