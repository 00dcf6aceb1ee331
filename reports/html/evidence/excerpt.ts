/** What is shown of a long list of lines: a line by its index, or how many are left out here. */
export type Excerpted = { readonly index: number } | { readonly leftOut: number };

/** Lines shown at the beginning, around the first marked ones, and at the end. */
const shownAtTheBeginning = 24;
const shownAround = 4;
const shownOfMarked = 16;
const shownAtTheEnd = 3;
/** Fewer lines than this are shown rather than counted. */
const fewestLeftOut = 4;

/** Keeps of `count` lines the beginning, the end and what stands around the marked ones, in order. */
export function excerptOf(count: number, marked: readonly number[]): Excerpted[] {
  const kept = new Set<number>();
  const keep = (from: number, to: number): void => {
    for (let index = Math.max(0, from); index <= Math.min(count - 1, to); index++) kept.add(index);
  };
  keep(0, shownAtTheBeginning - 1);
  keep(count - shownAtTheEnd, count - 1);
  for (const index of marked.slice(0, shownOfMarked)) keep(index - shownAround, index + shownAround);

  const shown: Excerpted[] = [];
  let previous = -1;
  for (const index of [...kept, count].sort((one, other) => one - other)) {
    const leftOut = index - previous - 1;
    if (leftOut >= fewestLeftOut) shown.push({ leftOut });
    else for (let between = previous + 1; between < index; between++) shown.push({ index: between });
    if (index < count) shown.push({ index });
    previous = index;
  }
  return shown;
}
