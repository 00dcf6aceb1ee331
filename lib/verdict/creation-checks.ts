import type { Evidence } from '../evidence/evidence.js';
import type { Fault } from '../evidence/request-facts.js';
import { alterationOf } from './alteration.js';
import { valueText } from '../evidence/animal.js';
import type { Exchange, petFields } from '../evidence/exchange.js';
import { reproduceInTurn } from './reproduce.js';
import { parseJson } from '../specification/json-value.js';
import { answers, check, failed, left, open, passed, type Check, type Checks } from './check.js';

export type Field = (typeof petFields)[number];

/** Checks that a response has one of these statuses, and shows an animal with an identifier. @param what names the request */
export function* showsPet(one: Exchange, what: string, expected: readonly number[]): Checks {
  const status = answers(one, expected, what);
  yield status;
  if (status !== passed) return;
  const { failure, response } = one;
  const { bytes = 0, truncated } = response?.body ?? {};
  if (failure) yield left('ROBUST-01', `${what}: ${failure.message}`);
  else if (truncated) yield open(`${what}: the body of the response is not recorded`);
  else if (!one.parsed.ok && bytes > 0) yield left('MEDIA-01', what);
  else
    yield check(one.animal !== undefined, one, () => ({
      message: `${what}: the response has no Pet with an \`id\``,
      expected: 'a Pet',
      received: String(one),
      fact: { kind: 'body', form: 'Pet', field: '' },
    }));
}

/** Checks that the fields that were sent come back from the creation as they were sent. */
export function* comesBackAsSent(one: Exchange, compared: readonly Field[]): Checks {
  const { members } = one;
  const shown = one.animal?.shown;
  if (!shown) return;
  const differing = compared.find(
    (field) => field in members && valueText(members[field]) !== valueText(shown[field]),
  );
  yield check(differing === undefined, one, () => ({
    message: `the created Pet does not have the \`${differing ?? ''}\` that was sent`,
    expected: valueText(members[differing ?? '']),
    received: valueText(shown[differing ?? '']),
    pointer: `/${differing ?? ''}`,
  }));
}

/** Checks that bodies with one fault get 400, each if a body without the fault was accepted in this run. */
export function* refusedFor({ creations }: Evidence, fault: Fault): Checks {
  for (const one of creations.faultyOnlyBy(fault)) {
    if (creations.isControlled(one)) yield answers(one, 400, describeFault(one));
    else yield open('no body like it without the fault was accepted in this run', 'CREATE-01');
  }
}

/** A faulty body in words: `a body without "name"`, `"name" that is null`. */
export function describeFault({ request, faults, members }: Exchange): string {
  const [fault = 'not an object'] = faults;
  if (fault === 'not an object') return `a body that is ${kindOfBody(request.body)}`;
  if (fault.startsWith('no ')) return `a body without \`${fault.slice(3)}\``;
  const value = members[fault];
  return `\`${fault}\` that is ${kindOf(value)}`;
}

function kindOfBody(body: string | undefined): string {
  if (body === undefined) return 'missing';
  if (body === '') return 'empty';
  const parsed = parseJson(body);
  if (!parsed.ok) return 'not JSON';
  return Array.isArray(parsed.value) && parsed.value.length > 0
    ? 'an array around an object'
    : kindOf(parsed.value);
}

function kindOf(value: unknown): string {
  if (value === '') return 'the empty string';
  const text = valueText(value);
  if (value === null || typeof value === 'boolean') return text;
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : `an array (${text})`;
  return typeof value === 'object' && text.startsWith('{')
    ? `an object (${text})`
    : `a ${typeof value === 'string' ? 'string' : 'number'} (${text})`;
}

/** Whether a body is spelt so that nobody can read it: a finding shows the first that has it. */
export function escapesIn({ request }: Exchange): number {
  return Number(request.body?.includes('\\u'));
}

/** Where an animal is shown after its creation. */
const places = { listPets: 'a listing', getPet: 'getPet' } as const;

/**
 * Checks that a field that a creation returned as it was sent is shown so by getPet and in listings, too.
 * @param isComparable whether a value that is shown can be compared; one of another type is for others to judge
 */
export function* kept(
  { pets }: Evidence,
  field: Field,
  isComparable: (shown: unknown) => boolean,
): Iterable<Check> {
  const created = [...pets.created.values()].toSorted(
    (one, other) => escapesIn(one.creation) - escapesIn(other.creation),
  );
  for (const { id, isOwn, creation, animal, showings } of created) {
    const { members } = creation;
    const sent = valueText(members[field]);
    if (!isOwn || !(field in members) || sent !== valueText(animal.shown[field])) continue;
    const gotAsSent = showings.some(
      (one) => one.by.operation === 'getPet' && valueText(one.animal.shown[field]) === sent,
    );
    for (const { animal: again, by, times } of showings) {
      const { operation } = by;
      const value = again.shown[field];
      if (!isComparable(value) || (operation !== 'listPets' && operation !== 'getPet')) continue;
      if (valueText(value) === sent) yield passed;
      else
        yield failed([creation, by], {
          message: `\`${field}\` comes back from its creation${gotAsSent ? ' and from getPet' : ''} as it was sent, and ${alterationOf(members[field], value) ?? 'is another'} in ${places[operation]}`,
          expected: `${sent} for \`id\` ${id}`,
          received: valueText(value),
          reproduce: reproduceInTurn([creation, by]),
          pointer: `/${field}`,
          occurrences: times,
        });
    }
  }
}
