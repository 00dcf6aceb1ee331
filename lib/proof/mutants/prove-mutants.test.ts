import { expect, it } from 'vitest';
import { mutateReference } from './mutate-reference.js';
import {
  judgeMutants,
  judgeOriginal,
  killersOf,
  problemOf,
  readSurvivors,
  staleNames,
  type Survivors,
} from './prove-mutants.js';

const service = await mutateReference();
const original = await judgeOriginal(service, 'standard');

it('without a mutant every verdict is that of the reference', () => {
  const turned = [...original.verdicts].filter(([, verdict]) => verdict === 'fail' || verdict === 'warn');
  expect(turned).toEqual([]);
  expect(original.verdicts.get('CREATE-12')).toBe('pass');
});

// All are tried by `npm run proof -- --mutants`.
it.each([
  ['operations/parameters.ts ConditionalExpression: limit > 100n -> false', ['LIST-05']],
  ['operations/store.ts AssignmentOperator: place -= 1 -> place += 1', [expect.any(String)]],
  ['operations/integers.ts UnaryOperator: -', ['does not start']],
  ["operations/pet-body.ts StringLiteral: 'name' -> ", []],
  ['operations/store.ts BlockStatement: { return this.#animals.length', []],
])('%s: %s', async (beginning, expected) => {
  const mutant = service.mutants.find(({ name }) => name.startsWith(beginning));
  if (!mutant) throw new Error(`no mutant is named ${beginning}`);
  expect(await killersOf(service, mutant, 'standard', original)).toEqual(expected);
});

it('the file of survivors is right for a sample, and names no mutant that there is not', async () => {
  const survivors = readSurvivors();
  const problems = [];
  const sample = service.mutants.filter((_mutant, index) => index % 500 === 7);
  for await (const entry of judgeMutants(service, sample, survivors)) problems.push(problemOf(entry));
  expect(problems.filter(Boolean)).toEqual([]);
  expect(staleNames(service.mutants, survivors)).toEqual([]);
});

it('a survivor needs a reason, which must be right', () => {
  const triage: Survivors = { because: 'No response differs.', settings: 'standard', mutants: ['a'] };
  const killers = ['LIST-02'];
  expect(problemOf({ killers })).toBeUndefined();
  expect(problemOf({ killers: [] })).toContain('survives');
  expect(problemOf({ killers: [], triage })).toBeUndefined();
  const elsewhere: Survivors = { ...triage, settings: 'limits' };
  expect(problemOf({ killers: [], triage: elsewhere, killersElsewhere: killers })).toBeUndefined();
  expect(problemOf({ killers: [], triage: elsewhere, killersElsewhere: [] })).toContain('limits');
});
