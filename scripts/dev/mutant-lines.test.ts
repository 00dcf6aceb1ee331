import { expect, it } from 'vitest';
import type { MutantEntry } from '../../lib/proof/mutants/prove-mutants.js';
import { layoutOf } from '../../reports/terminal/layout.js';
import { mutantLines, mutantTotalLines } from './mutant-lines.js';

const layout = layoutOf({ columns: 80, colour: false });
const killed: MutantEntry = {
  mutant: {
    number: '7',
    file: 'operations/store.ts',
    line: 14,
    start: 300,
    end: 320,
    mutator: 'EqualityOperator',
    before: 'place < 0',
    after: 'place <= 0',
    name: 'operations/store.ts EqualityOperator: place < 0 -> place <= 0',
  },
  judged: { outcome: 'killed', by: ['LIST-02'] },
  triage: undefined,
  elsewhere: undefined,
};
const survivor: MutantEntry = { ...killed, judged: { outcome: 'survived', reached: true } };
const equivalent: MutantEntry = {
  ...survivor,
  triage: { class: 'equivalent', because: 'No response differs.', mutants: [survivor.mutant.name] },
};

it('prints nothing of a mutant that is killed, and of a survivor that is triaged', () => {
  expect([mutantLines(killed, layout), mutantLines(equivalent, layout)]).toEqual([[], []]);
});

it('prints where a survivor is that must be triaged, with the name for the file', () => {
  const lines = mutantLines(survivor, layout);
  expect(lines[0]).toBe('NOT lib/reference/operations/store.ts:14');
  expect(lines).toContain(`    ${survivor.mutant.name}`);
});

it('says that an entry of the file is no longer needed', () => {
  expect(mutantLines({ ...equivalent, judged: killed.judged }, layout).join()).toContain('still in');
});

it('adds up', () => {
  const totals = { stale: [], milliseconds: 1_234 };
  const good = mutantTotalLines([killed, killed, equivalent], totals, layout).join('\n');
  expect(good).toContain('3 mutants');
  expect(good).toMatch(/ 2 killed\n/);
  expect(good).toMatch(/ 1 survived: equivalent\n/);
  expect(good).toContain('Every survivor is triaged.');
  const bad = mutantTotalLines([killed, survivor], { ...totals, stale: ['gone'] }, layout).join('\n');
  expect(bad).toContain('stale in survivors.yaml: gone');
  expect(bad).toContain('1 survivor must be triaged or made visible.');
});
