import type { Exchange } from '../evidence/exchange.js';
import { bodyProblems, type BodyProblem } from '../specification/body-problem.js';
import type { BodyKind } from '../specification/body-schema.js';
import { failed, passed, type Check } from './check.js';

const forms = { Pets: 'an array of Pet', Pet: 'a Pet object', Error: 'an Error object' } as const;

/** Checks that a body is as section 2 specifies it; its first problem is the finding. */
export function isBody(kind: BodyKind, one: Exchange): Check {
  const [first] = bodyProblems(kind, one.json);
  if (!first) return passed;
  const { property, expected, received, pointer, described } = first;
  const isMissing = property !== '' && received === 'absent';
  return failed(one, {
    message: `${one.operationName}'s ${one.status ?? ''} body ${problemText(kind, first)}`,
    expected: `${property === '' ? forms[kind] : `\`${property}\`: ${expected}`} (${described})`,
    received: one.json === undefined || isMissing ? String(one) : received,
    pointer,
    fact: { kind: 'body', form: kind, field: property, ...(isMissing && { value: 'absent' }) },
  });
}

function problemText(kind: BodyKind, { property, expected, received }: BodyProblem): string {
  if (property === '') return `is not ${forms[kind]}`;
  return received === 'absent' ? `has no \`${property}\`` : `has a \`${property}\` that is not ${expected}`;
}
