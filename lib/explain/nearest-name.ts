import { distance } from 'fastest-levenshtein';

/** Characters that may be wrong in a mistyped name, and the share of it that must be right. */
const mostMistakes = 3;
const leastShare = 0.4;

/** The nearest of the names to a mistyped one, in any case, as a question: ` Did you mean junit?` Empty if none is near. */
export function didYouMean(typed: string, names: readonly string[]): string {
  const near = names
    .map((name) => ({ name, mistakes: distance(bare(typed), bare(name)) }))
    .filter(({ name, mistakes }) => {
      const length = Math.max(bare(typed).length, bare(name).length);
      return mistakes <= mostMistakes && length - mistakes > leastShare * length;
    })
    .sort((one, other) => one.mistakes - other.mistakes);
  return near[0] ? ` Did you mean ${near[0].name}?` : '';
}

function bare(name: string): string {
  return name.toLowerCase().replace(/^-+/, '');
}
