import { type Exchange, headerValues } from '../lib/http/exchange/exchange.js';
import { createdAnimal } from '../lib/session/creation.js';
import { leaksIn } from '../lib/verdict/leaks.js';
import { ApiResponse, jsonOf } from '../lib/verdict/api-response.js';
import { everyExchange } from '../lib/requirement/requirement.js';
import type { Judgement } from '../lib/verdict/judgement.js';
import { bodyProblems, type BodyProblem } from '../lib/specification/body-problems.js';
import { errorBody } from '../lib/specification/body-schema.js';

const errorStatuses: ReadonlySet<number> = new Set([400, 401, 404]);

/** The animals that a successful answer shows: one, or a listing's. */
function shownAnimals(exchange: Exchange): 'Pet' | 'Pets' | undefined {
  const { operation, response } = exchange;
  if (operation === 'listPets' && response?.status === 200) return 'Pets';
  if (operation === 'createPet' && response?.status === 201) return 'Pet';
  // Under another success, what has no identifier need not be meant as an animal.
  if (operation === 'createPet' && createdAnimal(new ApiResponse(exchange))) return 'Pet';
  if (operation === 'getPet' && response?.status === 200) return 'Pet';
  return undefined;
}

/** Judges every animal that a response shows; only the problems that `own` selects are this requirement's. */
function everyAnimal(
  judgement: Judgement,
  own: (problem: BodyProblem) => boolean,
  message: (problem: BodyProblem) => string,
) {
  return {
    see(exchange: Exchange): void {
      const kind = shownAnimals(exchange);
      const json = kind && jsonOf(exchange);
      // What is no JSON is MEDIA-01's, and a listing that is no array LIST-01's.
      if (!kind || !json?.ok || Array.isArray(json.value) !== (kind === 'Pets')) return;
      if (kind === 'Pets' && Array.isArray(json.value) && json.value.length === 0) return;
      const response = new ApiResponse(exchange);
      const problems = bodyProblems(kind, json.value).filter(own);
      if (problems.length === 0) judgement.check(true, { message: 'the animals are as specified' }, response);
      for (const problem of problems) {
        const { expected, received, pointer } = problem;
        judgement.check(false, { message: message(problem), expected, received, pointer }, response);
      }
    },
  };
}

everyExchange('PET-01', ['creation', 'listing', 'animal'], (judgement) =>
  everyAnimal(
    judgement,
    ({ property }) => property !== 'status',
    ({ property, expected }) =>
      property === '' ? 'an animal is no object' : `the \`${property}\` of an animal is not ${expected}`,
  ),
);

everyExchange('PET-02', ['creation', 'listing', 'animal'], (judgement) =>
  everyAnimal(
    judgement,
    ({ property }) => property === 'status',
    () => 'the `status` of an animal is no PetStatus',
  ),
);

everyExchange('ERR-01', ['400', '401', '404'], (judgement) => ({
  see(exchange) {
    const status = exchange.response?.status;
    // What broke off is ROBUST-01's.
    if (status === undefined || !errorStatuses.has(status) || exchange.failure) return;
    judgement.body('Error', new ApiResponse(exchange), `a ${status} of ${exchange.operation ?? ''}`);
  },
}));

/** Of an Error, all that this row is about. */
const statusOfError = errorBody.pick({ status: true });

everyExchange('ERR-02', ['400', '401', '404'], (judgement) => ({
  see(exchange) {
    const status = exchange.response?.status;
    if (status === undefined || status < 400 || status === 429) return;
    const json = jsonOf(exchange);
    const body = json.ok ? statusOfError.safeParse(json.value) : undefined;
    // A body without an integer `status` is ERR-01's.
    if (!body?.success) return;
    judgement.check(
      BigInt(body.data.status) === BigInt(status),
      {
        message: `the \`status\` in the Error of a ${status} is another`,
        expected: String(status),
        received: String(body.data.status),
        pointer: '/status',
      },
      new ApiResponse(exchange),
    );
  },
}));

/**
 * The condition that an error stands for, as far as the specification tells them apart: only requests that differ in
 * nothing that could be another condition are held against each other.
 */
function conditionOf({ request, response, credential, operation, purpose }: Exchange): string | undefined {
  if (response?.status === 401) {
    if (credential === 'missing') return '401 for no key';
    // A near miss of the real key may be refused for its form.
    return credential === 'unknown' && !isNearMiss(request) ? '401 for an unknown key' : undefined;
  }
  if (response?.status === 404 && operation === 'getPet')
    return purpose === 'GET-02' ? '404 for an unknown animal' : undefined;
  if (response?.status === 400 && (purpose === 'CREATE-05' || purpose === 'CREATE-06'))
    return `400 for a missing field (${purpose})`;
  return undefined;
}

function isNearMiss({ headers }: Exchange['request']): boolean {
  return headers.some(([name, value]) => name === 'Authorization' && value.includes('PETSTORE_API_KEY'));
}

everyExchange('ERR-03', ['400', '401', '404'], (judgement) => {
  const codeOfCondition = new Map<string, { code: string; response: ApiResponse }>();
  const statusOfCode = new Map<string, { status: number; response: ApiResponse }>();
  return {
    see(exchange) {
      const status = exchange.response?.status;
      if (status === undefined || !errorStatuses.has(status)) return;
      const json = jsonOf(exchange);
      const body = json.ok ? errorBody.safeParse(json.value) : undefined;
      if (!body?.success) return;
      const response = new ApiResponse(exchange);
      const { code, message } = body.data;
      for (const [field, text] of [
        ['code', code],
        ['message', message],
      ] as const) {
        judgement.check(
          text.trim() !== '',
          {
            message: `the \`${field}\` of an Error is empty`,
            expected: 'text',
            received: JSON.stringify(text),
            pointer: `/${field}`,
          },
          response,
        );
      }
      const condition = conditionOf(exchange);
      const known = condition === undefined ? undefined : codeOfCondition.get(condition);
      if (condition !== undefined && !known) codeOfCondition.set(condition, { code, response });
      if (known) {
        judgement.check(
          known.code === code,
          {
            message: `${condition ?? ''} comes with more than one \`code\``,
            expected: JSON.stringify(known.code),
            received: JSON.stringify(code),
            pointer: '/code',
          },
          known.response,
          response,
        );
      }
      const other = statusOfCode.get(code);
      if (!other) statusOfCode.set(code, { status, response });
      else {
        judgement.check(
          other.status === status,
          {
            message: `the \`code\` ${JSON.stringify(code)} stands for more than one status`,
            expected: `a code of its own for ${status}`,
            received: `the code of a ${other.status}`,
            pointer: '/code',
          },
          other.response,
          response,
        );
      }
    },
  };
});

everyExchange('ERR-04', ['400', '401', '404'], (judgement) => ({
  see(exchange) {
    const { response } = exchange;
    if (!response || response.status < 400 || response.body.text === undefined) return;
    const [leak] = leaksIn(exchange);
    judgement.check(
      leak === undefined,
      {
        message: `an error shows ${leak?.what ?? ''}`,
        expected: 'nothing internal',
        received: leak?.excerpt ?? '',
      },
      new ApiResponse(exchange),
    );
  },
}));

/** Codes that are told one by one, and answers that show one. */
const mostCodes = 200;
const answersOfACode = 3;

function timesIn(times: number): string {
  return times === 1 ? 'once' : `${times} times`;
}

everyExchange('ERR-05', ['400', '401', '404'], (judgement) => {
  const seen = new Map<string, { status: number; what: string; times: number; responses: ApiResponse[] }>();
  /** By status: errors with yet another code, behind so many. A service may well number its errors. */
  const others = new Map<number, number>();
  let limited = false;
  return {
    see(exchange) {
      const status = exchange.response?.status;
      if (status === undefined || status < 400) return;
      limited ||= status === 429;
      const json = jsonOf(exchange);
      const body = json.ok ? errorBody.safeParse(json.value) : undefined;
      const what = body?.success
        ? `code ${JSON.stringify(body.data.code)}`
        : 'a body without the Error shape';
      // Of other errors a body without the shape is a fault, and ERR-01's.
      if (!body?.success && status !== 429) return;
      const key = `${status} ${what}`;
      const known = seen.get(key) ?? { status, what, times: 0, responses: [] };
      if (!seen.has(key) && seen.size >= mostCodes) {
        others.set(status, (others.get(status) ?? 0) + 1);
        return;
      }
      known.times += 1;
      if (known.responses.length < answersOfACode) known.responses.push(new ApiResponse(exchange));
      seen.set(key, known);
    },
    conclude() {
      const sorted = [...seen.values()].sort((a, b) => a.status - b.status || a.what.localeCompare(b.what));
      for (const { status, what, times, responses } of sorted) {
        judgement.observe(`the Error of a ${status}`, `${what}, ${timesIn(times)}`, ...responses);
      }
      for (const [status, times] of others)
        judgement.observe(`the Error of a ${status}`, `still another code, ${timesIn(times)}`);
      if (!limited) judgement.note('No 429 was seen.');
    },
  };
});

/** A media type (RFC 9110 8.3.1): case-insensitive, parameters allowed. */
const applicationJson = /^application\/json\s*(?:;.*)?$/i;

everyExchange('MEDIA-01', ['listing', 'creation', 'animal', '400', '401', '404'], (judgement) => ({
  see(exchange) {
    const { operation } = exchange;
    const { status, body } = exchange.response ?? {};
    if (!body || body.bytes === 0 || status === 429 || body.truncated) return;
    const response = new ApiResponse(exchange);
    const types = headerValues(exchange, 'Content-Type');
    const what = `a ${status ?? ''} of ${operation ?? ''}`;
    judgement.check(
      types.length === 1 && applicationJson.test(types[0]?.trim() ?? ''),
      {
        message: `${what} is not \`application/json\``,
        expected: 'Content-Type: application/json',
        received: types.length === 0 ? 'no Content-Type' : `Content-Type: ${types.join(', ')}`,
      },
      response,
    );
    if (exchange.failure) return;
    const json = jsonOf(exchange);
    // Nested deeper than the suite reads is JSON all the same.
    judgement.check(
      json.ok || json.problem === 'too-deep',
      {
        message: `the body of ${what} is no JSON in UTF-8`,
        expected: 'JSON in UTF-8',
        received: json.ok ? '' : json.message,
      },
      response,
    );
  },
}));
