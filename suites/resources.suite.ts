import type { Evidence } from '../lib/evidence/evidence.js';
import type { Exchange } from '../lib/evidence/exchange.js';
import { count } from '../lib/explain/count.js';
import { bodyProblems, type BodyProblem } from '../lib/specification/body-problem.js';
import { check, left, note, observed, type Checks } from '../lib/verdict/check.js';
import { leakIn } from '../lib/verdict/leaks.js';
import { kinds, requirement } from '../lib/verdict/requirement.js';
import { checkHeader, hasErrorBody, hasForm } from '../lib/verdict/verbs.js';

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
  kinds,
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

const errors = ['400', '401', '404'] as const;
const errorStatuses: ReadonlySet<number> = new Set([400, 401, 404]);

/** The errors that the specification gives a body (section 7). */
function errorsIn({ whole }: Evidence): Exchange[] {
  return whole.filter(({ status }) => status !== undefined && errorStatuses.has(status));
}

requirement('ERR-01', {
  kinds: errors,
  *rule(evidence) {
    for (const one of errorsIn(evidence)) yield* hasErrorBody(one);
  },
});

interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly status: number | bigint;
}

/** Responses with an Error as section 2 specifies it, and the Error. */
function withError(responses: readonly Exchange[]) {
  return responses.flatMap((one) =>
    bodyProblems('Error', one.json).length > 0 ? [] : [[one, one.json as ErrorBody] as const],
  );
}

requirement('ERR-02', {
  kinds: errors,
  *rule({ whole }) {
    const refused = whole.filter(({ status = 0 }) => status >= 400 && status !== 429);
    const readable = withError(refused);
    for (const [one, { status }] of readable)
      yield check(BigInt(status) === BigInt(one.status ?? 0), one, () => ({
        message: `the \`status\` in the Error of a ${one.status ?? ''} is another one`,
        expected: String(one.status),
        received: String(status),
        pointer: '/status',
      }));
    if (refused.length > 0 && readable.length === 0) yield left('ERR-01');
  },
});

/**
 * The condition of an error, as far as the specification tells conditions apart: only requests that differ in nothing
 * that could be another condition are compared.
 */
function conditionOf({ status, credential, operation, faults, unspecified }: Exchange): string | undefined {
  // Another key may be refused for its form.
  if (status === 401) return credential === 'missing' ? '401 for a missing key' : undefined;
  const [fault, ...others] = [...faults, ...unspecified];
  if (operation === 'getPet' && status === 404 && !fault) return '404 for an unknown animal';
  const isOfMember = status === 400 && others.length === 0 && fault?.startsWith('no ');
  return isOfMember ? `400 for a body with ${fault}` : undefined;
}

requirement('ERR-03', {
  kinds: errors,
  *rule(evidence) {
    const readable = withError(errorsIn(evidence));
    const firstOf = new Map<string, readonly [one: Exchange, code: string]>();
    const firstWith = new Map<string, Exchange>();
    for (const [one, { code, message }] of readable) {
      for (const [field, text] of Object.entries({ code, message })) {
        yield check(text.trim() !== '', one, () => ({
          message: `the \`${field}\` of an Error is empty`,
          expected: 'text',
          received: JSON.stringify(text),
          pointer: `/${field}`,
        }));
      }
      const condition = conditionOf(one) ?? one.id;
      const [like, known] = firstOf.get(condition) ?? [one, code];
      firstOf.set(condition, [like, known]);
      yield check(known === code, [like, one], () => ({
        message: `${condition} comes with more than one \`code\``,
        expected: JSON.stringify(known),
        received: JSON.stringify(code),
        pointer: '/code',
      }));
      const other = firstWith.get(code) ?? one;
      firstWith.set(code, other);
      yield check(other.status === one.status, [other, one], () => ({
        message: `the \`code\` ${JSON.stringify(code)} stands for more than one status`,
        expected: `a code of its own for ${one.status ?? ''}`,
        received: `the code of a ${other.status ?? ''}`,
        pointer: '/code',
      }));
    }
    if (errorsIn(evidence).length > 0 && readable.length === 0) yield left('ERR-01');
  },
});

requirement('ERR-04', {
  kinds: errors,
  *rule({ responses, facts }) {
    if (facts.keyMayBeWord)
      yield note('The key is a plain word or number: it is looked for only behind the name of a scheme.');
    for (const one of responses) {
      if ((one.status ?? 0) < 400 || one.response?.body.text === undefined) continue;
      const leak = leakIn(one, facts);
      yield check(leak === undefined, one, () => ({
        message: `an error discloses ${leak?.what ?? ''}`,
        expected: 'nothing internal',
        received: leak?.excerpt,
      }));
    }
  },
});

/** Codes that are listed, since a service may number its errors, and responses that show one. */
const mostCodes = 200;
const responsesOfACode = 3;

requirement('ERR-05', {
  kinds: errors,
  *rule({ whole }) {
    const refused = whole.filter(({ status = 0 }) => status >= 400);
    const seen = new Map<string, Exchange[]>();
    const codes = new Map(withError(refused));
    for (const one of refused) {
      const body = codes.get(one);
      if (!body && one.status !== 429) continue;
      const what = body ? `code ${JSON.stringify(body.code)}` : 'a body that is not an Error object';
      const key = `${one.status ?? ''} ${what}`;
      seen.set(key, [...(seen.get(key) ?? []), one]);
    }
    const sorted = [...seen].toSorted(([one], [other]) => one.localeCompare(other));
    for (const [key, responses] of sorted.slice(0, mostCodes)) {
      const [status = '', ...what] = key.split(' ');
      const behaviour = `${what.join(' ')}, ${count(responses.length, 'time')}`;
      yield observed(`the Error of a ${status}`, behaviour, ...responses.slice(0, responsesOfACode));
    }
    if (refused.length > 0 && seen.size === 0) yield left('ERR-01');
    if (!refused.some(({ status }) => status === 429)) yield note('No 429 was received.');
  },
});
