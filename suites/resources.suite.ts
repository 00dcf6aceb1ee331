import type { Evidence } from '../lib/evidence/evidence.js';
import { requirement } from '../lib/verdict/requirement.js';
import type { Exchange } from '../lib/evidence/exchange.js';
import type { BodyProblem } from '../lib/specification/body-problem.js';
import { check, type Checks } from '../lib/verdict/check.js';
import { checkHeader, hasForm } from '../lib/verdict/verbs.js';

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

/** Checks every animal that a response shows; only the problems that `isOwn` selects are this requirement's. */
function* everyAnimal({ whole }: Evidence, isOwn: (problem: BodyProblem) => boolean): Checks {
  for (const one of whole) {
    const form = shownAnimals(one);
    const isOfForm = one.parsed.ok && (one.length !== undefined) === (form === 'Pets');
    if (form && isOfForm && one.length !== 0) yield* hasForm(one, form, 'an animal', isOwn);
  }
}

requirement('PET-01', {
  kinds: successes,
  rule: (evidence) => everyAnimal(evidence, ({ property }) => property !== 'status'),
});

requirement('PET-02', {
  kinds: successes,
  rule: (evidence) => everyAnimal(evidence, ({ property }) => property === 'status'),
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
