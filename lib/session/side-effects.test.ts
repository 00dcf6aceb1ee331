import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiResponse } from './api-response.js';
import { exchangeOf } from '../verdict/testing/exchange.js';
import { Judgement } from '../verdict/judgement.js';
import { isLeftBy, judgeLeft, showsAllOf, showsAnimal, type Page } from './side-effects.js';
import type { Animal } from './animal.js';

const animal = (id: number, name = `pc7 ${id}`): Animal => ({ id: String(id), shown: { id, name } });
const many = (count: number): Animal[] => Array.from({ length: count }, (_animal, index) => animal(index));

function page(animals: readonly Animal[] | undefined, limit: number | undefined = 100): Page {
  return { status: undefined, response: new ApiResponse(exchangeOf()), animals, limit };
}

describe('a page', () => {
  it('leaves nothing to wait for once it shows all that is expected, or has no room for more', () => {
    expect(showsAllOf(page([animal(1), animal(2)]), [animal(2)])).toBe(true);
    expect(showsAllOf(page([animal(1)]), [animal(2)])).toBe(false);
    // A round number is no reason to stop waiting.
    expect(showsAllOf(page(many(5)), [animal(7)])).toBe(false);
    expect(showsAllOf(page(many(100)), [animal(700)])).toBe(true);
    expect(showsAllOf(page(undefined), [animal(7)])).toBe(true);
  });

  it('that shows all that is expected never has anything missing', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat(200), { maxLength: 60 }),
        fc.uniqueArray(fc.nat(200)),
        (shown, expected) => {
          const seen = page(shown.map((id) => animal(id)));
          const wanted = expected.map((id) => animal(id));
          return showsAllOf(seen, wanted) === wanted.every((one) => showsAnimal(seen, one));
        },
      ),
    );
  });
});

describe('a refused creation', () => {
  const exchange = exchangeOf({ operation: 'createPet', status: 400 });
  const response = new ApiResponse(exchangeOf());
  const refusal = { exchange, name: 'pc7 refused', category: undefined };
  const knownPets = {
    created: new Map([['9', { animal: animal(9), exchange }]]),
    mayHaveCreated: (name: unknown) => name === 'pc7 9',
  };
  const judged = (left: Animal | undefined, controlled: boolean): Judgement => {
    const judgement = new Judgement('CREATE-11');
    const shown = left && { animal: left, response };
    judgeLeft(
      judgement,
      refusal,
      { left: shown, controlled, leftovers: '' },
      'a refused creation added an animal',
    );
    return judgement;
  };

  it('has added nothing if a page shows what was created after it', () => {
    const judgement = judged(undefined, true);
    expect([judgement.checks, judgement.findings, judgement.open]).toEqual([1, [], []]);
  });

  it('has added an animal if a listing shows one, whatever else is shown', () => {
    expect(judged(animal(3, 'pc7 refused'), false).findings).toMatchObject([
      { message: 'a refused creation added an animal', exchanges: [exchange.id, response.id] },
    ]);
  });

  it('is not judged if no page shows what was created after it', () => {
    const judgement = judged(undefined, false);
    expect([judgement.checks, judgement.findings, judgement.open.length]).toEqual([0, [], 1]);
  });

  it('is recognised by its name, a number too', () => {
    const numbered = { id: '3', shown: { id: 3, name: 12_345_678 } };
    expect(isLeftBy(refusal, animal(3, 'pc7 refused'), knownPets)).toBe(true);
    expect(isLeftBy(refusal, animal(3, 'pc7 refused 2'), knownPets)).toBe(false);
    expect(isLeftBy({ ...refusal, name: '12345678' }, numbered, knownPets)).toBe(true);
  });

  it('is recognised by a category that only one created animal has', () => {
    const nameless = { ...refusal, name: undefined, category: '1500000001' };
    const shown = { id: 3, name: '', categoryId: 1_500_000_001 };
    expect(isLeftBy(nameless, { id: '3', shown }, knownPets)).toBe(true);
    expect(isLeftBy(nameless, { id: '9', shown }, knownPets)).toBe(false);
    expect(isLeftBy(nameless, { id: '3', shown: { ...shown, name: 'pc7 9' } }, knownPets)).toBe(false);
    expect(isLeftBy(nameless, animal(3), knownPets)).toBe(false);
  });

  it('of a body with neither is recognised by an animal with neither', () => {
    const empty = { ...refusal, name: undefined };
    expect(isLeftBy(empty, { id: '3', shown: { id: 3, name: null } }, knownPets)).toBe(true);
    expect(isLeftBy(empty, { id: '3', shown: { id: 3, name: '', categoryId: 7 } }, knownPets)).toBe(false);
    expect(isLeftBy(empty, animal(3), knownPets)).toBe(false);
  });
});
