import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiResponse } from './api-response.js';
import { exchangeOf } from '../verdict/testing/exchange.js';
import { Judgement } from '../verdict/judgement.js';
import { SideEffects, showsAllOf, showsAnimal, type Page } from './side-effects.js';
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
  const control = { animal: animal(9), status: 'sold' as const, response: new ApiResponse(exchangeOf()) };
  const refusal = { exchange: exchangeOf({ operation: 'createPet', status: 400 }), name: 'pc7 refused' };
  const judged = (...pages: Page[]): Judgement => {
    const judgement = new Judgement('CREATE-11');
    new SideEffects(control, pages).judgeAbsence(judgement, refusal, 'a refused creation added an animal');
    return judgement;
  };

  it('has added nothing if a page shows what was created after it', () => {
    const judgement = judged(page([animal(9)]));
    expect([judgement.checks, judgement.findings, judgement.open]).toEqual([1, [], []]);
  });

  it('has added an animal if any page shows its name, be it a number', () => {
    expect(judged(page([animal(9)]), page([animal(3, 'pc7 refused')])).findings).toMatchObject([
      { message: 'a refused creation added an animal', exchanges: [refusal.exchange.id, expect.any(String)] },
    ]);
    const judgement = new Judgement('CREATE-11');
    const numbered = { id: '3', shown: { id: 3, name: 12_345_678 } };
    new SideEffects(control, [page([numbered])]).judgeAbsence(
      judgement,
      { ...refusal, name: '12345678' },
      'added',
    );
    expect(judgement.findings.length).toBe(1);
  });

  it('is not judged if no page shows what was created after it', () => {
    const judgement = judged(page(many(5)), page(undefined));
    expect([judgement.checks, judgement.findings, judgement.open.length]).toEqual([0, [], 1]);
  });
});
