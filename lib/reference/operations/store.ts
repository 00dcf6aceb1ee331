import type { Animal } from './animal.js';

/** The animals of one service, in the order of their creation. */
export class AnimalStore {
  readonly #animals: Animal[] = [];
  readonly #byId = new Map<bigint, Animal>();

  get size(): number {
    return this.#animals.length;
  }

  add(animal: Animal): void {
    this.#animals.push(animal);
    this.#byId.set(animal.id, animal);
  }

  /** The animal that got this identifier last, if any. */
  find(id: bigint): Animal | undefined {
    return this.#byId.get(id);
  }

  /** Replaces the animal with the same identifier; false if there is none. */
  replace(animal: Animal): boolean {
    const place = this.#animals.findIndex(({ id }) => id === animal.id);
    if (place < 0) return false;
    this.#animals[place] = animal;
    this.#byId.set(animal.id, animal);
    return true;
  }

  /** Removes the animal with this identifier; false if there is none. */
  remove(id: bigint): boolean {
    const place = this.#animals.findIndex((animal) => animal.id === id);
    if (place < 0) return false;
    this.#animals.splice(place, 1);
    return this.#byId.delete(id);
  }

  *oldestFirst(): Generator<Animal> {
    for (const animal of this.#animals) yield animal;
  }

  /** On demand, so that a page of a large store does not copy the store. */
  *newestFirst(): Generator<Animal> {
    for (let place = this.#animals.length - 1; place >= 0; place -= 1) {
      const animal = this.#animals[place];
      if (animal) yield animal;
    }
  }
}
