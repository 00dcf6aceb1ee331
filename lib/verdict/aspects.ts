import type { Finding, RequirementResult } from '../record/record.js';
import type { Aspect, Aspects, Pattern } from './cause-rules.js';

/** What rules compare of a finding. */
export function aspectsOf({ id }: RequirementResult, { fact }: Finding): Aspects {
  if (!fact) return { id };
  const { status, expected, ...texts } = { expected: undefined, ...fact };
  return {
    ...texts,
    id,
    ...(status !== undefined && { status: String(status), statusClass: classOfStatus(status) }),
    ...(expected && { expected: expected.join(' '), expectedClass: classOfStatus(expected[0] ?? 0) }),
  };
}

function classOfStatus(status: number): string {
  return `${Math.floor(status / 100)}xx`;
}

/** Whether a finding is one of those that a rule is about. */
export function matches(aspects: Aspects, pattern: Pattern): boolean {
  return Object.entries(pattern).every(([name, allowed]) =>
    (allowed as readonly unknown[]).includes(aspects[name as Aspect]),
  );
}
