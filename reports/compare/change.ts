/** What can have changed between two runs, the most urgent first. The last ones are no change of the service. */
export const changeKinds = {
  broke: 'red',
  worse: 'red',
  'newly failed': 'red',
  'no longer judged': 'yellow',
  'newly judged': 'cyan',
  fixed: 'green',
  better: 'green',
  differs: 'dim',
  equal: 'dim',
} as const;
export type ChangeKind = keyof typeof changeKinds;

/** Something that differs between two runs: a requirement, a bound or a figure of a load, or a fact that may be the reason. */
export interface Change {
  readonly kind: ChangeKind;
  /** The id of a requirement, or the name of the bound, the figure or the fact. */
  readonly name: string;
  readonly before: string;
  readonly after: string;
  /** Why, or by how much. */
  readonly detail?: string | undefined;
  /** What it makes the exit code: 1 for a break, 3 for a MUST that is no longer judged. */
  readonly code: 0 | 1 | 3;
}

/** What changed from one run to another, the most urgent first. */
export interface Comparison {
  readonly changes: readonly Change[];
  /** How many requirements are as they were, and how many of these are missed; undefined for loads. */
  readonly requirements?: { readonly unchanged: number; readonly missed: number };
}

/** 1 if something broke; else 3 if a MUST was judged before and no longer is; else 0. */
export function comparisonExitCode({ changes }: Comparison): 0 | 1 | 3 {
  const codes = new Set(changes.map(({ code }) => code));
  return codes.has(1) ? 1 : codes.has(3) ? 3 : 0;
}
