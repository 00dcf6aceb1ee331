import { valueText } from './animal.js';
import type { Exchange } from './exchange.js';
import type { Pets, Showing } from './pets.js';

/** A creation that was refused, and the listed animal that it added all the same. */
export interface RefusedCreation {
  readonly creation: Exchange;
  readonly left: Showing | undefined;
}

/** A category from here on that one animal alone has tells that animal: services number categories from 1. */
const leastTelling = 2 ** 30;
/** A name that a run of this suite gave: its marker, what it was for, and a number. */
const nameOfSuite = /^pc[\da-z]{1,7}[ -][\w -]+ \d+/;

/**
 * The creations that were refused for the key, over the limit, and for another reason, as far as an animal that they added
 * can be told from all others. Without a key, they count whatever came of them.
 */
export function refusedCreations(
  creations: readonly Exchange[],
  { created, listed }: Pets,
): Record<'invalid' | 'overLimit' | 'unauthenticated', RefusedCreation[]> {
  /** When an animal may have got a name for the first time: from then on the name tells nothing of a refused creation. */
  const takenSince = new Map<string, number>();
  const countsByCategory = new Map<string, number>();
  for (const { nameSent: name, created: animal, broken, sentAt, members } of creations) {
    if (name !== undefined && (animal || broken !== undefined))
      takenSince.set(name, Math.min(sentAt, takenSince.get(name) ?? Infinity));
    const category = valueText(members.categoryId);
    if (animal) countsByCategory.set(category, (countsByCategory.get(category) ?? 0) + 1);
  }
  const traced = (creation: Exchange): RefusedCreation[] => {
    const { members, nameSent: name = '', sentAt, status, credential } = creation;
    const category = valueText(members.categoryId);
    const isOfSuite = nameOfSuite.test(name);
    const isTaken = takenSince.has(name) && !(isOfSuite && credential === 'missing' && status !== 401);
    const isNamed = isOfSuite && !isTaken;
    const isRare = countsByCategory.get(category) === 1 && Number(members.categoryId) >= leastTelling;
    const isEmpty = creation.nameSent === undefined && members.categoryId === undefined;
    if (!isNamed && !isRare && !isEmpty) return [];
    const isLeft = ({ animal: { id, shown }, by }: Showing): boolean => {
      if (by.endedAt < sentAt) return false;
      if (isNamed && String(shown.name) === name) return true;
      if (created.has(id) || by.endedAt >= (takenSince.get(String(shown.name)) ?? Infinity)) return false;
      return isRare
        ? valueText(shown.categoryId) === category
        : isEmpty && isBlank(shown.name) && isBlank(shown.categoryId);
    };
    return [{ creation, left: listed.find(isLeft) }];
  };
  const isOfKey = ({ status, credential }: Exchange): boolean => status === 401 || credential === 'missing';
  const isInvalid = ({ status = 0 }: Exchange): boolean =>
    status >= 400 && status < 500 && status !== 401 && status !== 429;
  return {
    invalid: creations.filter(isInvalid).flatMap(traced),
    overLimit: creations.filter(({ status }) => status === 429).flatMap(traced),
    unauthenticated: creations.filter(isOfKey).flatMap(traced),
  };
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === '' || value === 0;
}
