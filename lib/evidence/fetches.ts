import type { ApiResponse } from '../session/api-response.js';
import type { Pet, Pets } from './pets.js';

/** `getPet` by what was sent and what came. */
export class Fetches {
  /** @param all with the valid key, whole or broken */
  constructor(readonly all: readonly ApiResponse[]) {}

  /** Those of animals that were created before, whose identifier nothing else bears, and that nothing tried to change. */
  of({ created }: Pets): ReadonlyArray<readonly [ApiResponse, Pet]> {
    return this.all.flatMap((one) => {
      const pet = created.get(petIdOf(one));
      const isDue = pet?.isOwn === true && one.sentAt >= pet.creation.endedAt;
      return isDue && one.request.unspecified.length === 0 ? [[one, pet] as const] : [];
    });
  }
}

/** The `petId` as it stands in the path. */
function petIdOf({ exchange }: ApiResponse): string {
  return new URL(exchange.request.url).pathname.split('/').at(-1) ?? '';
}
