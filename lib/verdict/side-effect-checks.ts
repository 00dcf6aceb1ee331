import type { Evidence } from '../evidence/evidence.js';
import type { RefusedCreation } from '../evidence/pets.js';
import { describeAnimal } from '../evidence/animal.js';
import { leftoversOn, sentText } from '../session/side-effects.js';
import { fullPage } from '../specification/page-size.js';
import { failed, open, passed, type Checks } from './check.js';

/**
 * Checks that refused creations have left no animal in any listing. If no listing shows an animal that was created after
 * them, there is no judgement.
 */
export function* leaveNothing(
  { pets, listings }: Evidence,
  refusals: readonly RefusedCreation[],
  message: string,
): Checks {
  const full = listings.pages.findLast(({ length, status }) => status !== undefined && length >= fullPage);
  const isControlled = refusals.some(({ creation }) => pets.isListedAfter(creation));
  for (const refused of refusals) {
    const { creation } = refused;
    const listed = pets.leftBy(refused);
    if (listed)
      yield failed([creation, listed.by], {
        message,
        reproduce: `${creation.curl}; ${listed.by.curl}`,
        expected: `no animal of what was sent${sentText(creation)}`,
        received: `${describeAnimal(listed.animal)} is listed, though the response was ${creation.status ?? 'without a status'}`,
      });
    else if (pets.isListedAfter(creation)) yield passed;
    else if (!isControlled)
      yield open(
        `no page showed an animal that was created after the refused ones${leftoversOn(full?.animals)}`,
      );
  }
}
