/** One change of the reference service's source, as StrykerJS makes it. */
export interface Change {
  /** The number that switches it on in the compiled service. It changes with every edit of the source. */
  readonly number: string;
  /** Below `lib/reference/`. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** Where the changed code begins and ends in the text of the file. */
  readonly start: number;
  readonly end: number;
  /** The name of StrykerJS's mutator: `ConditionalExpression`. */
  readonly mutator: string;
  readonly before: string;
  readonly after: string;
}

/** A change with the name that it has in the file of survivors. Edits of other lines leave the name as it is. */
export interface Mutant extends Change {
  readonly name: string;
}

/**
 * Names changes by file, mutator, and the code before and after. Changes that are equal in all of these are counted in
 * their order: the second is `#2`.
 */
export function namedMutants(changes: readonly Change[]): Mutant[] {
  const counts = new Map<string, number>();
  return changes.map((change) => {
    const { file, mutator, before, after } = change;
    const name = `${file} ${mutator}: ${shortened(before)} -> ${shortened(after)}`;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return { ...change, name: count === 1 ? name : `${name} #${count}` };
  });
}

/** Longer code is cut off: its beginning tells it from the others. */
const longest = 72;

/** One line, without the layout of the source. */
function shortened(code: string): string {
  const line = code.replaceAll(/\s+/g, ' ').trim();
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}

/** Whether the code of one mutant has that of the other in it. */
export function encloses(outer: Mutant, inner: Mutant): boolean {
  return outer.file === inner.file && outer.start <= inner.start && outer.end >= inner.end;
}
