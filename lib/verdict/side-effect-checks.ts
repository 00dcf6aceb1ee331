import { describeAnimal, isNameOfSuite, valueText } from '../evidence/animal.js';
import type { Evidence } from '../evidence/evidence.js';
import type { RefusedCreation } from '../evidence/refused-creations.js';
import { count } from '../explain/count.js';
import { fullPage } from '../specification/page-size.js';
import { failed, open, passed, type Checks } from './check.js';

const longestBody = 160;

/**
 * Checks that refused creations have left no animal in any listing. If no listing shows an animal that was created after
 * them, there is no judgement.
 */
export function* leaveNothing(
  evidence: Evidence,
  refusals: readonly RefusedCreation[],
  message: string,
): Checks {
  const { pets } = evidence;
  const isControlled = refusals.some(({ creation }) => pets.isListedAfter(creation));
  for (const refused of refusals) {
    const { creation } = refused;
    const { body = '' } = creation.request;
    const listed = pets.leftBy(refused);
    if (listed)
      yield failed([creation, listed.by], {
        message,
        expected: `no animal of what was sent${body === '' ? '' : `: ${body.slice(0, longestBody)}${body.length > longestBody ? '…' : ''}`}`,
        received: `${describeAnimal(listed.animal)} is listed, though the response was ${creation.status ?? 'without a status'}`,
      });
    else if (pets.isListedAfter(creation)) yield passed;
    else if (!isControlled)
      yield open(`no page showed an animal that was created after the refused ones${leftoversIn(evidence)}`);
  }
}

/** What to do if earlier runs have filled the page of a status, for the end of a sentence; empty if none of it is theirs. */
export function leftoversIn({ listings }: Evidence): string {
  const full = listings.pages.findLast(({ length, status }) => status !== undefined && length >= fullPage);
  const names = (full?.animals ?? []).map(({ shown }) => String(shown.name)).filter(isNameOfSuite);
  if (names.length === 0) return '';
  return `; earlier runs of this suite left ${names.length} of the ${count(full?.length ?? 0, 'animal')} on the page of its status (such as ${valueText(names[0])}): remove them, and run again`;
}
