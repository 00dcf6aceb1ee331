import type { Evidence } from '../lib/evidence/evidence.js';
import { requirement } from '../lib/verdict/requirement.js';
import type { Exchange } from '../lib/evidence/exchange.js';
import { bodyProblems, type BodyProblem } from '../lib/specification/body-problem.js';
import { check, checkHeader, failed, passed, type Checks } from '../lib/verdict/check.js';

/** Animals in every response, and the media type of all. */

const successes = ['creation', 'listing', 'animal'] as const;

/** What a successful response shows: an animal, or a listing of animals. */
function shownAnimals(response: Exchange): 'Pet' | 'Pets' | undefined {
  const { status, operation } = response;
  if (operation === 'listPets') return status === 200 ? 'Pets' : undefined;
  if (operation === 'getPet') return status === 200 ? 'Pet' : undefined;
  // With another success than 201, a body without an identifier need not be meant as an animal.
  return status === 201 || response.created ? 'Pet' : undefined;
}

/** Checks every animal that a response shows; only the problems that `own` selects are this requirement's. */
function* everyAnimal(
  { whole }: Evidence,
  own: (problem: BodyProblem) => boolean,
  message: (problem: BodyProblem) => string,
): Checks {
  for (const one of whole) {
    const kind = shownAnimals(one);
    if (!kind || !one.parsed.ok || (one.length !== undefined) !== (kind === 'Pets')) continue;
    if (one.length === 0) continue;
    const problems = bodyProblems(kind, one.json).filter(own);
    if (problems.length === 0) yield passed;
    for (const problem of problems) {
      const { expected, received, pointer, described } = problem;
      yield failed(one, {
        message: message(problem),
        expected: `${expected} (${described})`,
        received: received === 'absent' && kind === 'Pet' ? String(one) : received,
        pointer,
        fact: { kind: 'body', form: 'Pet', field: problem.property, ...kindOf(problem) },
      });
    }
  }
}

/** Whether an integer is refused for its size: it may have become one that was none before. */
function isTooLarge({ property, received }: BodyProblem): boolean {
  return ['id', 'categoryId'].includes(property) && /^-?\d+$/.test(received);
}

function kindOf(problem: BodyProblem): { value?: string } {
  if (problem.received === 'absent') return { value: 'absent' };
  return isTooLarge(problem) ? { value: 'beyond int64' } : {};
}

requirement('PET-01', {
  kinds: successes,
  rule: (evidence) =>
    everyAnimal(
      evidence,
      ({ property }) => property !== 'status',
      (problem) => {
        const { property, expected, received } = problem;
        if (property === '') return 'an animal is not an object';
        if (received === 'absent') return `an animal has no \`${property}\``;
        if (isTooLarge(problem)) return `the \`${property}\` of an animal is beyond int64`;
        return `the \`${property}\` of an animal is not ${expected}`;
      },
    ),
});

requirement('PET-02', {
  kinds: successes,
  rule: (evidence) =>
    everyAnimal(
      evidence,
      ({ property }) => property === 'status',
      () => 'the `status` of an animal is not a PetStatus',
    ),
});

/** A media type (RFC 9110 8.3.1): case-insensitive, parameters allowed. */
const applicationJson = /^application\/json\s*(?:;.*)?$/i;

requirement('MEDIA-01', {
  kinds: [...successes, '400', '401', '404'],
  *rule({ responses }) {
    for (const one of responses) {
      const { body, status } = one.response ?? {};
      if (!body || body.bytes === 0 || status === 429 || body.truncated) continue;
      const types = one.headers('Content-Type');
      const what = `a ${status ?? ''} of ${one.operationName}`;
      const isJson = types.length === 1 && applicationJson.test(types[0]?.trim() ?? '');
      yield checkHeader(isJson, one, 'Content-Type', {
        message: `${what} is not \`application/json\``,
        expected: 'Content-Type: application/json',
        byValue: true,
      });
      if (one.failure) continue;
      const { parsed } = one;
      // A body that is nested deeper than the suite reads is JSON all the same.
      yield check(parsed.ok || parsed.problem === 'too-deep', one, () => ({
        message: `the body of ${what} is not JSON in UTF-8`,
        expected: 'JSON in UTF-8',
        received: parsed.ok ? undefined : parsed.message,
        fact: { kind: 'body', form: 'JSON', field: '' },
      }));
    }
  },
});
