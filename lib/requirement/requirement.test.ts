import '../../suites/all.js';
import { describe, expect, it } from 'vitest';
import { catalogue } from '../specification/catalogue.js';
import { declaredInvariants, declaredProbes, everyExchange, requirement } from './requirement.js';

describe('the suites', () => {
  it('declare every requirement, each once', () => {
    const declared = [...declaredProbes(), ...declaredInvariants()].map(({ id }) => id);
    expect(declared.toSorted()).toEqual(catalogue.map(({ id }) => id).toSorted());
  });

  it('declare as judged on every exchange what the catalogue marks so', () => {
    const marked = catalogue
      .filter(({ judged }) => judged.startsWith('∀'))
      .map(({ id }) => id)
      // LIST-09 says ∀ listing, PET ∀ animal: they are among them.
      .toSorted();
    const invariants = new Set<string>(declaredInvariants().map(({ id }) => id));
    expect(marked.filter((id) => !invariants.has(id))).toEqual([]);
  });

  it('leave out of quick nothing that is a MUST', () => {
    const left = new Set<string>(
      declaredProbes()
        .filter(({ notInQuick }) => notInQuick !== undefined)
        .map(({ id }) => id),
    );
    expect(catalogue.filter(({ id, level }) => level === 'MUST' && left.has(id))).toEqual([]);
  });
});

describe('a declaration', () => {
  it('that is there already is refused', () => {
    expect(() => requirement('LIST-02', async () => {})).toThrow('LIST-02 is declared twice');
    expect(() => everyExchange('PET-01', { kinds: [] }, () => ({ see() {} }))).toThrow(
      'PET-01 is declared twice',
    );
    expect(() => everyExchange('LIST-02', { kinds: [] }, () => ({ see() {} }))).toThrow(
      'LIST-02 is declared twice',
    );
  });
});
