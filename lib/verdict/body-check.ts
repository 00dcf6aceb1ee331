import type { Exchange } from '../evidence/exchange.js';
import { bodyProblems, type BodyProblem } from '../specification/body-problem.js';
import { failed, passed, type Check } from './check.js';

const schema = 'openapi.json#/components/schemas/Error';
const members = 3;

/** Checks that a body is an Error as section 2 specifies it; its first problem is the finding. */
export function hasErrorBody(one: Exchange): Check {
  const problems = bodyProblems('Error', one.json);
  const [first] = problems;
  if (!first) return passed;
  const what = `${one.operationName}'s ${one.status ?? ''} body`;
  const missing = problems.filter((problem) => isMissing(problem));
  // An object that has nothing of an Error is of another form: that it lacks a `code` would be half of the news.
  if (first.property === '' || missing.length === members)
    return failed(one, {
      message: `${what} is not an Error object`,
      expected: `an Error object: \`code\`, \`message\` and \`status\` (${schema})`,
      received: one.json === undefined || missing.length > 0 ? String(one) : first.received,
      fact: { kind: 'body', form: 'Error', field: '' },
    });
  const { property, expected, received, pointer, described } = first;
  return failed(one, {
    message: `${what} ${isMissing(first) ? `has no \`${property}\`` : `has a \`${property}\` that is not ${expected}`}`,
    expected: `\`${property}\`: ${expected} (${described})`,
    received: isMissing(first) ? String(one) : received,
    pointer,
    fact: { kind: 'body', form: 'Error', field: property, ...(isMissing(first) && { value: 'absent' }) },
  });
}

function isMissing({ property, received }: BodyProblem): boolean {
  return property !== '' && received === 'absent';
}
