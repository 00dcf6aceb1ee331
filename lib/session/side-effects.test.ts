import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exchangeOf } from '../verdict/testing/exchange.js';
import { showsAllOf, showsAnimal, type Page } from './side-effects.js';
import type { Animal } from '../evidence/animal.js';

const animal = (id: number, name = `pc7 ${id}`): Animal => ({ id: String(id), shown: { id, name } });
const many = (count: number): Animal[] => Array.from({ length: count }, (_animal, index) => animal(index));

function page(animals: readonly Animal[] | undefined, limit: number | undefined = 100): Page {
  return { status: undefined, response: exchangeOf(), animals, limit };
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
