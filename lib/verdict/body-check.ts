import type { Exchange } from '../evidence/exchange.js';
import { bodyProblems, type BodyProblem } from '../specification/body-problem.js';
import type { BodyKind } from '../specification/body-schema.js';
import { failed, passed, type Checks } from './check.js';

const members = 3;

/** Checks that a body is an Error as section 2 specifies it. */
export function* hasErrorBody(one: Exchange): Checks {
  const subject = `${one.operationName}'s ${one.status ?? ''} body`;
  const problems = bodyProblems('Error', one.json);
  const missing = problems.filter(({ received }) => received === 'absent');
  // An object that has nothing of an Error is of another form: that it lacks a `code` would be half of the news.
  if (problems[0]?.property === '' || missing.length === members)
    yield failed(one, {
      message: `${subject} is not an Error object`,
      expected: 'an Error object: `code`, `message` and `status` (openapi.json#/components/schemas/Error)',
      fact: { kind: 'body', form: 'Error', field: '' },
    });
  else yield* hasForm(one, 'Error', subject);
}

/**
 * Checks a body by its schema in the published interface description.
 * @param subject the body, or what it shows: `an animal`
 * @param isOwn the problems that are the requirement's
 */
export function* hasForm(
  one: Exchange,
  form: BodyKind,
  subject: string,
  isOwn: (problem: BodyProblem) => boolean = () => true,
): Checks {
  const problems = bodyProblems(form, one.json).filter(isOwn);
  if (problems.length === 0) yield passed;
  for (const { property, expected, received, pointer, described } of problems) {
    const isMissing = received === 'absent';
    // It may have become too large without having been an integer of 64 bits before.
    const isBeyond = ['id', 'categoryId'].includes(property) && /^-?\d+$/.test(received);
    const value = isMissing ? 'absent' : isBeyond ? 'beyond int64' : undefined;
    const named = property === '' ? subject : `the \`${property}\` of ${subject}`;
    yield failed(one, {
      message: isMissing
        ? `${subject} has no \`${property}\``
        : `${named} is ${isBeyond ? value : `not ${expected}`}`,
      expected: `${expected} (${described})`,
      received: isMissing && form !== 'Pets' ? undefined : received,
      pointer,
      fact: { kind: 'body', form: form === 'Pets' ? 'Pet' : form, field: property, ...(value && { value }) },
    });
  }
}
