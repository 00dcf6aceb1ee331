import type { Finding, RequirementResult } from '../evidence/record/requirement-result.js';
import { isRequirementId } from '../specification/catalogue.js';
import { guidance } from '../specification/guidance.js';
import { aspectsOf, matches, type Pattern } from './cause-rules.js';

const crash: Pattern = { kind: ['status'], statusClass: ['5xx'] };
const ofCrash =
  'Check the input before you use it, and turn exceptions that it causes into the 4xx that the specification lists.';

const unauthorized =
  'Respond 401 with an Error body to a key that is missing, malformed or unknown: no 403, no 400, no 404. Some frameworks choose 403 by default.';

/** How findings are fixed whose requirement is usually broken in another way. */
const fixes: ReadonlyArray<{ readonly of: Pattern; readonly fix: string }> = [
  {
    of: { operation: ['createPet'], kind: ['status'], statusClass: ['4xx'], expected: ['400', '400 415'] },
    fix: 'Respond 400 to a body that is missing, that cannot be read or that has invalid values: createPet lists no other status for it. Frameworks refuse such bodies with a status of their own (422, 415): set it where their errors are handled, once for all.',
  },
  {
    of: { id: ['RATE-01', 'RATE-02', 'RATE-03'], problem: ['missing'] },
    fix: 'Set the three `X-RateLimit` headers in one place that every response passes: errors of the router and of the framework, 401 and 429 included. A handler that writes its own response must not replace them.',
  },
  {
    of: { id: ['LIST-08'], parameters: ['status', 'limit status'] },
    fix: 'Filter by `status` before the page is cut, not the page that was cut. If each status has an index or a cache of its own, update it before you respond 201.',
  },
  {
    of: { kind: ['status'], statusClass: ['3xx'] },
    fix: 'Respond at the path that section 4 names, without a redirect: `/pets`, not `/pets/`, and a 401 in the place of a redirect to a login. Clients lose the body or the credential on the way.',
  },
  {
    of: { id: ['CREATE-01'], kind: ['status'], statusClass: ['4xx'] },
    fix: 'Accept every body that is valid by section 2, also one that is equal to an earlier one: names need not be unique, and `status` may be any of the three.',
  },
  {
    of: { id: ['CREATE-01'], kind: ['value'], field: ['id'] },
    fix: 'Add an animal for each creation: equal bodies are two animals. Do not merge or remember them.',
  },
  { of: { id: ['CREATE-01'], kind: ['value'], field: ['name'] }, fix: guidance['CREATE-13'].fix },
  { of: { id: ['CREATE-01'], kind: ['value'], field: ['categoryId'] }, fix: guidance['CREATE-12'].fix },
  { of: { id: ['CREATE-01'], kind: ['value'], field: ['status'] }, fix: guidance['CREATE-03'].fix },
  { of: { expected: ['401'], status: ['403'] }, fix: unauthorized },
  {
    of: { id: ['AUTH-01', 'AUTH-02', 'AUTH-03'], expected: ['401'], statusClass: ['4xx'] },
    fix: unauthorized,
  },
  { of: { id: ['ROBUST-01'], ...crash }, fix: ofCrash },
  { of: { expectedClass: ['4xx'], ...crash }, fix: ofCrash },
  {
    of: { deviation: ['apart'] },
    fix: 'Use one counter for each key: leave the operation, the method and the path out of its name. Every request of the key costs one, on every server and connection.',
  },
  {
    of: { deviation: ['free', 'exempt', 'capped', 'dear'] },
    fix: 'Count each request of the key as one, whatever the operation, and reject none by another limit than that of the plan.',
  },
  { of: { deviation: ['race', 'lock'] }, fix: guidance['LIMIT-03'].fix },
  { of: { deviation: ['shared'] }, fix: guidance['LIMIT-08'].fix },
  { of: { deviation: ['window'] }, fix: 'Let a window last 60 seconds.' },
];

/** How a finding is usually fixed, its first choice first; undefined for a requirement that this version does not know. */
export function fixOf(result: RequirementResult, finding: Finding): string | undefined {
  const aspects = aspectsOf(result, finding);
  const own = fixes.find(({ of }) => matches(aspects, of));
  if (own) return own.fix;
  return isRequirementId(result.id) ? guidance[result.id].fix : undefined;
}
