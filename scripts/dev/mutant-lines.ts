import { problemOf, type MutantEntry } from '../../lib/proof/mutants/prove-mutants.js';
import type { Layout } from '../../reports/terminal/layout.js';
import { count, duration } from '../../reports/text/quantity.js';

/** A mutant that is not as it must be: where it is, what it changes, and what to do about it. Otherwise nothing. */
export function mutantLines(entry: MutantEntry, layout: Layout): string[] {
  const problem = problemOf(entry);
  const { mutant, judged, triage } = entry;
  if (problem !== undefined) {
    return [
      `${layout.paint('red', 'NOT')} lib/reference/${mutant.file}:${mutant.line}`,
      `    ${mutant.name}`,
      layout.paragraph('      ', problem, 6),
    ];
  }
  if (judged.outcome === 'survived' || !triage) return [];
  return [`killed, and still in survivors.yaml: ${mutant.name}`];
}

export interface MutantTotals {
  /** Names in survivors.yaml that no mutant has. */
  readonly stale: readonly string[];
  readonly milliseconds: number;
}

/** What the mutants come to. */
export function mutantTotalLines(
  entries: readonly MutantEntry[],
  { stale, milliseconds }: MutantTotals,
  layout: Layout,
): string[] {
  const survived = entries.filter(({ judged }) => judged.outcome === 'survived');
  const classes = ['equivalent', 'allowed', 'other-settings', undefined] as const;
  const wrong = entries.filter((entry) => problemOf(entry) !== undefined).length;
  const figures: readonly (readonly [string, number])[] = [
    ['killed', entries.length - survived.length],
    ...classes.map((name): [string, number] => [
      `survived: ${name ?? 'not triaged'}`,
      survived.filter(({ triage }) => triage?.class === name).length,
    ]),
  ];
  return [
    '',
    ...stale.map((name) => `stale in survivors.yaml: ${name}`),
    `${count(entries.length, 'mutant')} in ${duration(milliseconds)}:`,
    ...figures.map(([what, number]) => `${String(number).padStart(5)} ${what}`),
    layout.paragraph(
      '',
      wrong === 0
        ? 'Every survivor is triaged.'
        : `${count(wrong, 'survivor')} must be triaged or made visible.`,
    ),
  ];
}
