import { describeAnimal } from '../evidence/animal.js';
import type { Evidence } from '../evidence/evidence.js';
import type { RefusedCreation } from '../evidence/refused-creations.js';
import { failed, open, passed, type Checks } from './check.js';

const longestBody = 160;

/**
 * Checks that refused creations have left no animal in any listing. If no listing shows an animal that was created after
 * them, there is no judgement.
 */
export function* leaveNothing(
  { pets }: Evidence,
  refusals: readonly RefusedCreation[],
  message: string,
): Checks {
  const isControlled = refusals.some(({ creation }) => pets.isListedAfter(creation));
  for (const { creation, left: listed } of refusals) {
    const { body = '' } = creation.request;
    if (listed)
      yield failed([creation, listed.by], {
        message,
        expected: `no animal of what was sent${body === '' ? '' : `: ${body.slice(0, longestBody)}${body.length > longestBody ? '…' : ''}`}`,
        received: `${describeAnimal(listed.animal)} is listed, though the response was ${creation.status ?? 'without a status'}`,
      });
    else if (pets.isListedAfter(creation)) yield passed;
    else if (!isControlled)
      yield open(
        'no page showed an animal that was created after the refused ones. Empty the store, and run again',
      );
  }
}
