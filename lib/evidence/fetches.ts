import type { Exchange } from './exchange.js';
import type { Pet, Pets } from './pets.js';

/** `getPet` by what was sent and what came. */
export class Fetches {
  /** @param all with the valid key, whole or broken */
  constructor(readonly all: readonly Exchange[]) {}

  /** With an int64 in its usual spelling. */
  get specified(): readonly Exchange[] {
    return this.all.filter(({ faults, unspecified }) => faults.length + unspecified.length === 0);
  }

  /** With a `petId` that is not an int64. */
  get faulty(): readonly Exchange[] {
    return this.all.filter(({ faults, unspecified }) => faults.length > 0 && unspecified.length === 0);
  }

  /** With an int64 in another spelling. */
  get otherwiseSpelt(): readonly Exchange[] {
    return this.all.filter(({ unspecified }) => unspecified.join() === 'petId spelling');
  }

  /** Whether any animal was shown, in whatever form. */
  get isServed(): boolean {
    return this.all.some(({ status, json }) => status === 200 && typeof json === 'object' && json !== null);
  }

  /** Those of animals that were created before, whose identifier nothing else bears, and that nothing tried to change. */
  of({ created }: Pets): ReadonlyArray<readonly [Exchange, Pet]> {
    return this.specified.flatMap((one) => {
      const pet = created.get(one.petId);
      const isDue = pet?.isOwn === true && one.sentAt >= pet.creation.endedAt;
      return isDue ? [[one, pet] as const] : [];
    });
  }
}
