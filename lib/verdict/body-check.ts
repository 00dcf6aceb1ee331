import type { Exchange } from '../evidence/exchange.js';
import { bodyProblems } from '../specification/body-problem.js';
import { failed, passed, type Check } from './check.js';

const schema = 'openapi.json#/components/schemas/Error';
const members = 3;

/** Checks that a body is an Error as section 2 specifies it; its first problem is the finding. */
export function hasErrorBody(one: Exchange): Check {
  const problems = bodyProblems('Error', one.json);
  const [first] = problems;
  if (!first) return passed;
  const { property, expected, received, pointer, described } = first;
  const what = `${one.operationName}'s ${one.status ?? ''} body`;
  const isMissing = received === 'absent';
  // An object that has nothing of an Error is of another form: that it lacks a `code` would be half of the news.
  if (property === '' || problems.filter((problem) => problem.received === 'absent').length === members)
    return failed(one, {
      message: `${what} is not an Error object`,
      expected: `an Error object: \`code\`, \`message\` and \`status\` (${schema})`,
      fact: { kind: 'body', form: 'Error', field: '' },
    });
  return failed(one, {
    message: `${what} ${isMissing ? `has no \`${property}\`` : `has a \`${property}\` that is not ${expected}`}`,
    expected: `\`${property}\`: ${expected} (${described})`,
    received: isMissing ? undefined : received,
    pointer,
    fact: { kind: 'body', form: 'Error', field: property, ...(isMissing && { value: 'absent' }) },
  });
}
