import { expect, it } from 'vitest';
import { judgeMutant, judgeOriginal } from './judge-mutant.js';
import { mutateReference } from './mutant-service.js';
import { MutantProof, problemOf } from './prove-mutants.js';
import { standardSettings } from './proof-settings.js';
import { readSurvivors, staleNames, type Survivors } from './survivors.js';

const service = await mutateReference();
const original = await judgeOriginal(service, standardSettings);

it('without a mutant every verdict is that of the reference', () => {
  const turned = [...original.verdicts].filter(([, verdict]) => verdict === 'fail' || verdict === 'warn');
  expect(turned).toEqual([]);
  expect(original.verdicts.get('CREATE-12')).toBe('pass');
});

// All are tried by `npm run proof -- --mutants`.
it.each([
  ['operations/parameters.ts ConditionalExpression: limit > 100n -> false', ['LIST-05']],
  ['operations/store.ts AssignmentOperator: place -= 1 -> place += 1', ['does not end']],
  ['operations/integers.ts UnaryOperator: -', ['does not start']],
  ["operations/pet-body.ts StringLiteral: 'name' -> ", 'survives'],
  ['operations/store.ts BlockStatement: { return this.#animals.length', 'is not reached'],
])('%s: %s', async (beginning, expected) => {
  const mutant = service.mutants.find(({ name }) => name.startsWith(beginning));
  if (!mutant) throw new Error(`no mutant is named ${beginning}`);
  const judged = await judgeMutant(service, mutant, original, standardSettings);
  const outcome = judged.outcome === 'killed' ? judged.by : judged.reached ? 'survives' : 'is not reached';
  expect(outcome).toEqual(expected);
});

it('the file of survivors is right for a sample, and names no mutant that there is not', async () => {
  const survivors = readSurvivors();
  const proof = await MutantProof.begin(survivors, service);
  const problems = [];
  for await (const entry of proof.judge({ size: 2, seed: 1 })) problems.push(problemOf(entry));
  expect(problems).toEqual([undefined, undefined]);
  expect(staleNames(proof.mutants, survivors)).toEqual([]);
});

it('a survivor needs a reason, which must be right', () => {
  const reason = { because: 'No response differs.', mutants: ['a'] };
  const survived = { outcome: 'survived', reached: true } as const;
  const killed = { outcome: 'killed', by: ['LIST-02'] } as const;
  const problem = (triage: Survivors | undefined, judged = survived as typeof survived | typeof killed) =>
    problemOf({ judged: survived, triage, elsewhere: judged });
  expect(problemOf({ judged: killed, triage: undefined, elsewhere: undefined })).toBeUndefined();
  expect(problem(undefined)).toContain('survives');
  expect(problem({ class: 'equivalent', ...reason })).toBeUndefined();
  const elsewhere: Survivors = { class: 'other-settings', settings: 'limits', ...reason };
  expect([problem(elsewhere, killed), problem(elsewhere)]).toEqual([
    undefined,
    expect.stringContaining('limits'),
  ]);
});
