import type { Pet, Showing } from '../evidence/pets.js';
import { valueText } from '../evidence/animal.js';
import { reproduceInTurn } from './reproduce.js';
import { check, type Check } from './check.js';
import { petFields } from '../evidence/exchange.js';

/**
 * Checks that an animal is shown as its creation returned it: each field the same, 64-bit integers digit by digit. A field
 * that the creation did not return as it was sent is passed over: that is a finding of the creation. Others that a target
 * adds may change between responses.
 * @param place what shows it: `the listing`
 */
export function shownAsCreated(
  { creation, animal }: Pet,
  { animal: shown, by, times }: Showing,
  place: string,
): Check {
  const { members } = creation;
  const differing = petFields.find((field) => {
    const returned = valueText(animal.shown[field]);
    if (returned === valueText(shown.shown[field])) return false;
    // The status after its omission is not specified: the creation need not return it.
    const isUnspecified = field === 'status' && returned === 'absent';
    return field in members ? valueText(members[field]) === returned : !isUnspecified;
  });
  return check(differing === undefined, [creation, by], () => {
    const field = differing ?? 'name';
    const received = valueText(shown.shown[field]);
    const without = field in members ? '' : ` without \`${field}\``;
    const source =
      creation.operation === 'listPets' ? 'the listing showed' : `the creation${without} returned`;
    return {
      message: `${place} shows another \`${field}\` than ${source}`,
      expected: `${valueText(animal.shown[field])} for \`id\` ${animal.id}`,
      received: `${received === 'absent' ? `no \`${field}\`` : received} for \`id\` ${shown.id}`,
      reproduce: reproduceInTurn([creation, by]),
      pointer: `/${field}`,
      occurrences: times,
    };
  });
}
