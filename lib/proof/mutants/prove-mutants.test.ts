import { beforeAll, describe, expect, it } from 'vitest';
import { judgeMutant, judgeOriginal, type Original } from './judge-mutant.js';
import { mutateReference, type MutantService } from './mutant-service.js';
import { MutantProof, problemOf, type MutantEntry } from './prove-mutants.js';
import { standardSettings } from './proof-settings.js';
import { readSurvivors, staleNames, type Survivors } from './survivors.js';

let service: MutantService;
beforeAll(async () => {
  service = await mutateReference();
});

describe('a mutant of the reference service', () => {
  let original: Original;
  beforeAll(async () => {
    original = await judgeOriginal(service, standardSettings);
  });

  async function judge(beginning: string) {
    const mutant = service.mutants.find(({ name }) => name.startsWith(beginning));
    if (!mutant) throw new Error(`no mutant is named ${beginning}`);
    return judgeMutant(service, mutant, original, standardSettings);
  }

  it('is killed by the requirement that turns', async () => {
    const judged = await judge('operations/parameters.ts ConditionalExpression: limit > 100n -> false');
    expect(judged).toMatchObject({ outcome: 'killed', turned: true });
  });

  it('is killed if it only leaves requirements open', async () => {
    const judged = await judge('operations/pet-body.ts EqualityOperator: request.body.byteLength === 0 -> ');
    expect(judged).toMatchObject({ outcome: 'killed', turned: false });
  });

  it('is stopped and counts as killed if it does not come to an end', async () => {
    const judged = await judge('operations/store.ts AssignmentOperator: place -= 1 -> place += 1');
    expect(judged).toEqual({ outcome: 'timed-out' });
  });

  it('counts as killed if it does not start', async () => {
    expect(await judge('operations/integers.ts UnaryOperator: -')).toEqual({ outcome: 'not-started' });
  });

  it('survives if no verdict differs', async () => {
    const judged = await judge("operations/pet-body.ts StringLiteral: 'name' -> ");
    expect(judged).toEqual({ outcome: 'survived', reached: true });
  });

  it('survives without a run if its code is not reached', async () => {
    const judged = await judge('operations/store.ts BlockStatement: { return this.#animals.length');
    expect(judged).toEqual({ outcome: 'survived', reached: false });
  });

  it('is none without one: every verdict is that of the reference', () => {
    const turned = [...original.verdicts].filter(([, verdict]) => verdict === 'fail' || verdict === 'warn');
    expect(turned).toEqual([]);
    expect(original.verdicts.get('CREATE-12')).toBe('pass');
  });
});

describe('the file of survivors', () => {
  const reason = { because: 'No response differs.', mutants: ['a'] };
  const equivalent: Survivors = { class: 'equivalent', ...reason };
  const survived = { outcome: 'survived', reached: true } as const;
  const killed = { outcome: 'killed', by: ['LIST-02'], turned: true } as const;

  // All are tried by `npm run proof -- --mutants`.
  it('is right for a sample, and names no mutant that there is not', async () => {
    const survivors = readSurvivors();
    const proof = await MutantProof.begin(survivors, service);
    const entries: MutantEntry[] = [];
    for await (const entry of proof.judge({ size: 2, seed: 1 })) entries.push(entry);
    expect(entries.length).toBe(2);
    expect(entries.map((entry) => problemOf(entry)).filter((problem) => problem !== undefined)).toEqual([]);
    expect(staleNames(proof.mutants, survivors)).toEqual([]);
  });

  it('must say why a mutant survives, and that it is not missed', () => {
    const missed: Survivors = { class: 'missed', id: 'LIST-02', ...reason };
    expect(problemOf({ judged: survived, triage: equivalent, elsewhere: undefined })).toBeUndefined();
    expect(problemOf({ judged: killed, triage: undefined, elsewhere: undefined })).toBeUndefined();
    expect(problemOf({ judged: survived, triage: undefined, elsewhere: undefined })).toContain('survives');
    expect(problemOf({ judged: survived, triage: missed, elsewhere: undefined })).toContain('LIST-02');
  });

  it('must be right if it says that other settings kill a mutant', () => {
    const triage: Survivors = { class: 'other-settings', settings: 'limits', ...reason };
    expect(problemOf({ judged: survived, triage, elsewhere: killed })).toBeUndefined();
    expect(problemOf({ judged: survived, triage, elsewhere: survived })).toContain('limits');
  });
});
