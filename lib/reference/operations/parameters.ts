import { isPetStatus, petStatuses, type Animal, type PetStatus } from './animal.js';
import type { ListQuery } from '../behaviour.js';
import { canonicalInteger } from './integers.js';
import { Refusal } from './refused-request.js';

/** Section 4.1: minimum 1, maximum 100, default 20. What is out of range is refused with 400, which it leaves open. */
export function readLimit(values: readonly string[]): number {
  const [text, ...others] = values;
  if (text === undefined) return 20;
  const limit = canonicalInteger(text);
  if (others.length > 0 || limit === undefined || limit < 1n || limit > 100n) {
    throw new Refusal(
      'invalid-parameter',
      'The parameter "limit" must be an integer from 1 to 100.',
      'limit',
    );
  }
  return Number(limit);
}

/** Section 4.1: one of the enumeration. Another value is refused with 400, which the specification leaves open. */
export function readStatusFilter(values: readonly string[]): PetStatus | undefined {
  const [status, ...others] = values;
  if (status === undefined) return undefined;
  if (others.length > 0 || !isPetStatus(status)) {
    const message = `The parameter "status" has to be one of ${petStatuses.join(', ')}.`;
    throw new Refusal('invalid-parameter', message, 'status');
  }
  return status;
}

/** The first animals that match, as many as asked for. */
export function takePage(animals: Iterable<Animal>, { limit, status }: ListQuery): Animal[] {
  const page: Animal[] = [];
  for (const animal of animals) {
    if (page.length >= limit) break;
    if (status === undefined || animal.status === status) page.push(animal);
  }
  return page;
}

/** Section 4.3: an integer. No animal has another identifier, so anything else is not found. */
export function readPetId(text: string): bigint {
  const id = canonicalInteger(text);
  if (id === undefined) throw new Refusal('not-found', 'There is no such animal.', 'petId');
  return id;
}
