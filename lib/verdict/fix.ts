import type { Finding, RequirementResult } from '../evidence/record/record.js';
import { isRequirementId, requirementRow } from '../specification/catalogue.js';
import { aspectsOf, matches, type Pattern } from './cause-rules.js';

/** How findings are fixed whose requirement is usually broken in another way. */
const fixes: ReadonlyArray<readonly [of: Pattern, fix: string]> = [
  [
    { operation: 'createPet', kind: 'status', status: '4xx', expected: ['400', '400 415'] },
    'Respond 400 to a body that is missing, that cannot be read or that has invalid values: createPet lists no other status for it. Frameworks refuse such bodies with a status of their own (422, 415): set it where their errors are handled, once for all.',
  ],
  [
    { id: ['RATE-01', 'RATE-02', 'RATE-03'], problem: 'missing' },
    'Set the three `X-RateLimit` headers in one place that every response passes: errors of the router and of the framework, 401 and 429 included. A handler that writes its own response must not replace them.',
  ],
  [
    { kind: 'status', status: '3xx' },
    'Respond at the path that section 4 names, without a redirect: `/pets`, not `/pets/`, and a 401 in the place of a redirect to a login. Clients lose the body or the credential on the way.',
  ],
  [
    { kind: 'status', status: '5xx' },
    'Check the input before you use it, and turn exceptions that it causes into the 4xx that the specification lists.',
  ],
  [
    { expected: '401', status: '4xx' },
    'Respond 401 with an Error body to a key that is missing, malformed or unknown: no 403, no 400, no 404. Some frameworks choose 403 by default.',
  ],
  [
    { id: 'CREATE-01', kind: 'status', status: '4xx' },
    'Accept every body that is valid by section 2, in any spelling of JSON, also one that is equal to an earlier one: names need not be unique, and `status` may be any of the three.',
  ],
  [
    { id: 'LIST-08', parameters: ['status', 'limit status'] },
    `Filter by \`status\` before you cut the page off: \`WHERE status = … LIMIT n\`. ${requirementRow('LIST-08').fix}`,
  ],
  [
    { deviation: 'apart' },
    'Use one counter for each key: leave the operation, the method and the path out of its name. Every request of the key costs one, on every server and connection.',
  ],
  [
    { deviation: ['free', 'exempt', 'capped', 'dear'] },
    'Count each request of the key as one, whatever the operation, and reject none by another limit than that of the plan.',
  ],
  [{ deviation: ['race', 'lock'] }, requirementRow('LIMIT-03').fix],
  [{ deviation: 'shared' }, requirementRow('LIMIT-08').fix],
];

/** How a finding is usually fixed, its first choice first; undefined for a requirement that this version does not know. */
export function fixOf(result: RequirementResult, finding: Finding): string | undefined {
  const aspects = aspectsOf(result, finding);
  const own = fixes.find(([of]) => matches(aspects, of));
  return own?.[1] ?? (isRequirementId(result.id) ? requirementRow(result.id).fix : undefined);
}
