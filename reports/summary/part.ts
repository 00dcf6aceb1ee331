/** Something that a report tells of a run, by its name. */
export type Fact = readonly [name: string, text: string];

/** What a report tells beside the causes. A format only lays it out. */
export interface Part {
  readonly title: string;
  readonly facts: readonly Fact[];
}

/** The facts that have a text. */
export function known(facts: ReadonlyArray<readonly [name: string, text: string | undefined]>): Fact[] {
  return facts.flatMap(([name, text]) => (text ? [[name, text]] : []));
}
