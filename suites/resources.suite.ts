import { everyExchange, type InvariantJudge } from '../lib/requirement/requirement.js';
import type { ApiResponse } from '../lib/session/api-response.js';
import { createdAnimal } from '../lib/session/creation.js';
import { bodyProblems, type BodyProblem } from '../lib/specification/body-problem.js';
import type { RequirementId } from '../lib/specification/catalogue.js';
import { animalOf, isNameOfSuite, valueText } from '../lib/session/animal.js';
import { bodySent } from '../lib/session/compare-pets.js';
import { nameSent } from '../lib/session/known-pets.js';
import { errorBody } from '../lib/specification/body-schema.js';
import { wrongHeader, type Judgement } from '../lib/verdict/judgement.js';
import { leaksIn } from '../lib/verdict/leaks.js';

/** Animals, errors, and the media type of both, in every response. */

const successes = ['creation', 'listing', 'animal'] as const;
const errors = ['400', '401', '404'] as const;
const errorStatuses: ReadonlySet<number> = new Set([400, 401, 404]);

/** What a successful response shows: an animal, or a listing of animals. */
function shownAnimals(response: ApiResponse): 'Pet' | 'Pets' | undefined {
  const { status, exchange } = response;
  if (exchange.operation === 'listPets') return status === 200 ? 'Pets' : undefined;
  if (exchange.operation === 'getPet') return status === 200 ? 'Pet' : undefined;
  // With another success than 201, a body without an identifier need not be meant as an animal.
  return status === 201 || createdAnimal(response) ? 'Pet' : undefined;
}

/** What to do about an animal of a listing that an earlier run created: a service may keep what it no longer accepts. */
function leftoverIn(listing: unknown, pointer: string, names: ReadonlySet<string>): string {
  const item: unknown = Array.isArray(listing) ? listing[Number(pointer.split('/')[1])] : undefined;
  const { id, shown } = animalOf(item) ?? {};
  const name = shown?.name;
  if (id === undefined || !isNameOfSuite(name) || names.has(name)) return '';
  return `, of the animal ${id}, ${valueText(name)}, which an earlier run of this suite left: remove it from the store, and run again`;
}

/** Judges every animal that a response shows; only the problems that `own` selects are this requirement's. */
function everyAnimal(
  judgement: Judgement,
  own: (problem: BodyProblem) => boolean,
  message: (problem: BodyProblem) => string,
): InvariantJudge {
  /** Names that the run has sent. */
  const names = new Set<string>();
  return {
    see(response) {
      const { operation, request } = response.exchange;
      if (operation === 'createPet') names.add(nameSent(request.body) ?? '');
      const kind = shownAnimals(response);
      if (!kind || !response.parsed.ok || (response.length !== undefined) !== (kind === 'Pets')) return;
      if (response.length === 0) return;
      const problems = bodyProblems(kind, response.json).filter(own);
      if (problems.length === 0) judgement.held();
      for (const problem of problems) {
        const { expected, received, pointer } = problem;
        const fact = { kind: 'body', form: 'Pet', field: problem.property } as const;
        judgement.fail(response, {
          message: message(problem),
          expected,
          received: `${received}${leftoverIn(response.json, pointer, names)}`,
          pointer,
          fact,
        });
      }
    },
  };
}

/** What requirements on animals leave to others. */
const leftByPets = { 'MEDIA-01': 'the body is not JSON', 'LIST-01': 'a listing is not an array' } as const;

everyExchange('PET-01', { kinds: successes, leavesTo: leftByPets }, (judgement) =>
  everyAnimal(
    judgement,
    ({ property }) => property !== 'status',
    ({ property, expected }) =>
      property === '' ? 'an animal is not an object' : `the \`${property}\` of an animal is not ${expected}`,
  ),
);

everyExchange('PET-02', { kinds: successes, leavesTo: leftByPets }, (judgement) =>
  everyAnimal(
    judgement,
    ({ property }) => property === 'status',
    () => 'the `status` of an animal is not a PetStatus',
  ),
);

everyExchange('ERR-01', { kinds: errors }, (judgement) => ({
  see(response) {
    const { status, exchange } = response;
    if (status === undefined || !errorStatuses.has(status) || exchange.failure) return;
    judgement.body('Error', response, `a ${status} of ${response.operation}`);
  },
}));

/** The part of an Error that is judged here. */
const statusOfError = errorBody.pick({ status: true });

everyExchange(
  'ERR-02',
  { kinds: errors, leavesTo: { 'ERR-01': 'no Error has an integer `status`' } },
  (judgement) => {
    let unreadable = false;
    return {
      see(response) {
        const { status } = response;
        if (status === undefined || status < 400 || status === 429) return;
        const body = statusOfError.safeParse(response.json);
        unreadable ||= !body.success;
        if (!body.success) return;
        judgement.check(BigInt(body.data.status) === BigInt(status), response, () => ({
          message: `the \`status\` in the Error of a ${status} is another one`,
          expected: String(status),
          received: String(body.data.status),
          pointer: '/status',
        }));
      },
      conclude() {
        if (unreadable && judgement.checks === 0) judgement.leaveTo('ERR-01');
      },
    };
  },
);

interface Condition {
  readonly status: number;
  readonly what: string;
  /** The member that a body must have, or its absence is a second condition. */
  readonly member?: string;
}

/** Requirements whose requests are all refused for one condition. */
const conditions: Partial<Record<string, Condition>> = {
  'GET-02': { status: 404, what: 'an unknown animal' },
  'CREATE-05': { status: 400, what: 'a body without `name`', member: 'categoryId' },
  'CREATE-06': { status: 400, what: 'a body without `categoryId`', member: 'name' },
} satisfies Partial<Record<RequirementId, unknown>>;

/**
 * The condition of an error, as far as the specification tells conditions apart: only requests that differ in nothing
 * that could be another condition are compared.
 */
function conditionOf({ status, exchange }: ApiResponse): string | undefined {
  const { request, credential, purpose } = exchange;
  if (status === 401) {
    if (credential === 'missing') return '401 for a missing key';
    // A near miss of the real key may be refused for its form.
    const isNearMiss = request.headers.some(
      ([name, value]) => name === 'Authorization' && value.includes('$'),
    );
    return credential === 'unknown' && !isNearMiss ? '401 for an unknown key' : undefined;
  }
  const condition = conditions[purpose];
  if (!condition || condition.status !== status) return undefined;
  const isOnly = condition.member === undefined || condition.member in bodySent(exchange);
  return isOnly ? `${status} for ${condition.what}` : undefined;
}

const leftByErr03 = { 'ERR-01': 'no body of an error is an Error object' } as const;

everyExchange('ERR-03', { kinds: errors, leavesTo: leftByErr03 }, (judgement) => {
  let unreadable = false;
  const codeOfCondition = new Map<string, { code: string; response: ApiResponse }>();
  const statusOfCode = new Map<string, { status: number; response: ApiResponse }>();
  return {
    see(response) {
      const { status } = response;
      const body = errorBody.safeParse(response.json);
      if (status === undefined || !errorStatuses.has(status)) return;
      unreadable ||= !body.success;
      if (!body.success) return;
      const { code, message } = body.data;
      for (const [field, text] of Object.entries({ code, message })) {
        judgement.check(text.trim() !== '', response, () => ({
          message: `the \`${field}\` of an Error is empty`,
          expected: 'text',
          received: JSON.stringify(text),
          pointer: `/${field}`,
        }));
      }
      const condition = conditionOf(response);
      const known = condition === undefined ? undefined : codeOfCondition.get(condition);
      if (condition !== undefined && !known) codeOfCondition.set(condition, { code, response });
      if (known) {
        judgement.check(known.code === code, [known.response, response], () => ({
          message: `${condition ?? ''} comes with more than one \`code\``,
          expected: JSON.stringify(known.code),
          received: JSON.stringify(code),
          pointer: '/code',
        }));
      }
      const other = statusOfCode.get(code);
      if (!other) statusOfCode.set(code, { status, response });
      else {
        judgement.check(other.status === status, [other.response, response], () => ({
          message: `the \`code\` ${JSON.stringify(code)} stands for more than one status`,
          expected: `a code of its own for ${status}`,
          received: `the code of a ${other.status}`,
          pointer: '/code',
        }));
      }
    },
    conclude() {
      if (unreadable && judgement.checks === 0) judgement.leaveTo('ERR-01');
    },
  };
});

everyExchange('ERR-04', { kinds: errors }, (judgement, run) => ({
  see(response) {
    if ((response.status ?? 0) < 400 || response.exchange.response?.body.text === undefined) return;
    const [leak] = leaksIn(response.exchange, run);
    judgement.check(leak === undefined, response, () => ({
      message: `an error discloses ${leak?.what ?? ''}`,
      expected: 'nothing internal',
      received: leak?.excerpt,
    }));
  },
}));

/** Codes that are listed one by one, and responses that show one. */
const mostCodes = 200;
const responsesOfACode = 3;

function timesIn(times: number): string {
  return times === 1 ? 'once' : `${times} times`;
}

const leftByErr05 = { 'ERR-01': 'a body other than that of a 429 is not an Error object' } as const;

everyExchange('ERR-05', { kinds: errors, leavesTo: leftByErr05 }, (judgement) => {
  const seen = new Map<string, { status: number; what: string; times: number; responses: ApiResponse[] }>();
  /** By status: errors with yet another code, beyond that number. A service may well number its errors. */
  const others = new Map<number, number>();
  let limited = false;
  let unreadable = false;
  return {
    see(response) {
      const { status } = response;
      if (status === undefined || status < 400) return;
      limited ||= status === 429;
      const body = errorBody.safeParse(response.json);
      unreadable ||= !body.success;
      if (!body.success && status !== 429) return;
      const what = body.success
        ? `code ${JSON.stringify(body.data.code)}`
        : 'a body that is not an Error object';
      const key = `${status} ${what}`;
      const known = seen.get(key) ?? { status, what, times: 0, responses: [] };
      if (!seen.has(key) && seen.size >= mostCodes) {
        others.set(status, (others.get(status) ?? 0) + 1);
        return;
      }
      known.times += 1;
      if (known.responses.length < responsesOfACode) known.responses.push(response);
      seen.set(key, known);
    },
    conclude() {
      const sorted = [...seen.values()].sort((a, b) => a.status - b.status || a.what.localeCompare(b.what));
      for (const { status, what, times, responses } of sorted)
        judgement.observe(`the Error of a ${status}`, `${what}, ${timesIn(times)}`, ...responses);
      for (const [status, times] of others)
        judgement.observe(`the Error of a ${status}`, `another code, ${timesIn(times)}`);
      if (unreadable && judgement.checks === 0) judgement.leaveTo('ERR-01');
      if (!limited) judgement.note('No 429 was received.');
    },
  };
});

/** A media type (RFC 9110 8.3.1): case-insensitive, parameters allowed. */
const applicationJson = /^application\/json\s*(?:;.*)?$/i;

everyExchange('MEDIA-01', { kinds: [...successes, ...errors] }, (judgement) => ({
  see(response) {
    const { body, status } = response.exchange.response ?? {};
    if (!body || body.bytes === 0 || status === 429 || body.truncated) return;
    const types = response.headers('Content-Type');
    const what = `a ${status ?? ''} of ${response.operation}`;
    const isJson = types.length === 1 && applicationJson.test(types[0]?.trim() ?? '');
    judgement.check(isJson, response, () => ({
      message: `${what} is not \`application/json\``,
      expected: 'Content-Type: application/json',
      received: types.length === 0 ? 'no Content-Type' : `Content-Type: ${types.join(', ')}`,
      fact: { ...wrongHeader('Content-Type', types), value: types.join(', ') },
    }));
    if (response.exchange.failure) return;
    const { parsed } = response;
    // A body that is nested deeper than the suite reads is JSON all the same.
    judgement.check(parsed.ok || parsed.problem === 'too-deep', response, () => ({
      message: `the body of ${what} is not JSON in UTF-8${response.unexpected}`,
      expected: 'JSON in UTF-8',
      received: parsed.ok ? undefined : parsed.message,
      fact: { kind: 'body', form: 'JSON', field: '' },
    }));
  },
}));
