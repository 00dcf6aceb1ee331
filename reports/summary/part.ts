/** Something that a report tells of a run, by its name. */
export type Fact = readonly [name: string, text: string];

/** Texts in rows, below the names of the columns. */
export interface FactTable {
  readonly caption: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** What a report tells beside the causes: facts, and tables of them. A format only lays them out. */
export interface Part {
  readonly title: string;
  readonly facts: readonly Fact[];
  readonly tables?: readonly FactTable[];
}

/** The facts that have a text. */
export function known(facts: ReadonlyArray<readonly [name: string, text: string | undefined]>): Fact[] {
  return facts.flatMap(([name, text]) => (text ? [[name, text]] : []));
}
