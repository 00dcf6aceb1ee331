import { judgeAsCreated, type ShownAnimal } from '../session/compare-pets.js';
import { describeAnimal, valueText } from '../session/animal.js';
import type { ApiResponse } from '../session/api-response.js';
import { createdAnimal, judgeCreated } from '../session/creation.js';
import { isComplete } from '../http/exchange/exchange.js';
import { parseJson } from '../specification/json-value.js';
import { removalDate, type RequirementId } from '../specification/catalogue.js';
import { count } from '../usage/count.js';
import type { Judgement } from '../verdict/judgement.js';
import { isIdentifier, limitOf, sentBody, statusOf, type BodyFault } from './traffic-input.js';

/**
 * Requirements whose requests happen to be in traffic that others recorded. Nothing can be sent again: a rule checks what
 * each request shows by itself, and passes nothing that the traffic does not show.
 */
interface RecordedTraffic {
  readonly baseUrl: string;
  /** Whole responses with their bodies, in the order of sending: no 429, and not broken. */
  readonly responses: readonly ApiResponse[];
  /** The same, with those whose bodies are not known. */
  readonly withoutBodies: readonly ApiResponse[];
}

type Rule = (judgement: Judgement, traffic: RecordedTraffic) => void;

const accepted: ReadonlySet<string> = new Set(['valid', 'equivalent', 'other']);
const byKey = ({ exchange, status }: ApiResponse): boolean =>
  accepted.has(exchange.credential) && status !== 401;
const of = (operation: string) => (response: ApiResponse) => response.operation === operation;
const isSpecified = ({ exchange }: ApiResponse): boolean => exchange.input === 'specified';
const hasLimit = ({ query }: ApiResponse): boolean => query.has('limit');

/** Listings that section 4.1 says all of. */
function listings({ responses }: RecordedTraffic): ApiResponse[] {
  return responses.filter((one) => of('listPets')(one) && byKey(one) && isSpecified(one));
}

function describeQuery({ query }: ApiResponse): string {
  return query.size === 0 ? 'a listing' : `\`${query.toString()}\``;
}

function credentialIs(kind: string, what: string): Rule {
  return (judgement, { withoutBodies }) => {
    for (const response of withoutBodies.filter(({ exchange }) => exchange.credential === kind))
      judgement.status(response, 401, `${response.operation} with ${what}`);
  };
}

/** Creations with this one fault: everything else in them was accepted in other creations of the traffic. */
function refuses(fault: BodyFault, what: string): Rule {
  return (judgement, { responses, withoutBodies }) => {
    const controls = responses.filter((one) => of('createPet')(one) && createdAnimal(one)).map(membersOf);
    for (const response of withoutBodies.filter((one) => of('createPet')(one) && byKey(one))) {
      const sent = sentBody(response.exchange);
      if (sent.kind !== 'faulty' || sent.fault !== fault || response.status === undefined) continue;
      const isControlled = Object.entries(sent.members).every(
        ([name, value]) =>
          name === 'name' ||
          name === aboutMember[fault] ||
          controls.some((control) => valueText(control[name]) === valueText(value)),
      );
      if ((isControlled && controls.length > 0) || response.status < 300)
        judgement.status(response, 400, what);
    }
  };
}

const aboutMember: Partial<Record<BodyFault, string>> = { 'CREATE-08': 'categoryId', 'CREATE-09': 'status' };

function membersOf({ exchange }: ApiResponse): Readonly<Record<string, unknown>> {
  const parsed = parseJson(exchange.request.body ?? '');
  const value = parsed.ok ? parsed.value : undefined;
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** Creations that were accepted, with what was sent; a refused one may rest on a rule of the service's own. */
function creations({ responses }: RecordedTraffic): ApiResponse[] {
  return responses.filter(
    (one) =>
      of('createPet')(one) &&
      byKey(one) &&
      (one.status ?? 0) < 300 &&
      sentBody(one.exchange).kind === 'valid',
  );
}

function pages(
  judgement: Judgement,
  traffic: RecordedTraffic,
  fits: (page: ApiResponse) => boolean,
): ApiResponse[] {
  return listings(traffic).filter((page) => page.animals !== undefined && fits(page));
}

/** The animal of another status that a page shows; `seen` is false if no animal of it has one. */
function strayOn({ animals = [], query }: ApiResponse) {
  const status = statusOf(query);
  const shown = animals.filter((animal) => animal.shown.status !== undefined);
  return { seen: shown.length > 0, stray: shown.find((animal) => animal.shown.status !== status) };
}

function atMost(judgement: Judgement, page: ApiResponse, most: number): void {
  const { length = 0 } = page;
  judgement.check(length <= most, page, () => ({
    message: `${describeQuery(page)} returned ${count(length, 'animal')}`,
    expected: `at most ${count(most, 'animal')}`,
    received: count(length, 'animal'),
  }));
}

/** Names beyond plain text, and categories beyond 32 bits, have requirements of their own. */
function isOfOther(name: string, value: unknown): boolean {
  if (name === 'name') return !/^[\w .-]*$/.test(String(value));
  return name === 'categoryId' && !(typeof value === 'number' && Math.abs(value) < 2 ** 31);
}

/** Checks that the created animal shows what was sent. */
function judgeKept(
  judgement: Judgement,
  response: ApiResponse,
  isOwn: (name: string, value: unknown) => boolean,
): void {
  const { animal } = response;
  const members = membersOf(response);
  for (const name of ['name', 'categoryId', 'status']) {
    if (!animal || !(name in members) || !isOwn(name, members[name])) continue;
    judgement.check(valueText(members[name]) === valueText(animal.shown[name]), response, () => ({
      message: `the created animal has another \`${name}\` than was sent`,
      expected: valueText(members[name]),
      received: valueText(animal.shown[name]),
      pointer: `/${name}`,
    }));
  }
}

export const trafficRules = {
  'AUTH-01': credentialIs('missing', 'no Authorization header'),
  'AUTH-03': credentialIs('malformed', 'a credential of another form'),
  'LIST-01': (judgement, traffic) => {
    for (const response of listings(traffic).filter((one) => !hasLimit(one))) {
      const what = describeQuery(response);
      if (!judgement.status(response, 200, what)) continue;
      judgement.check(response.length !== undefined, response, () => ({
        message: `${what}: the body is not an array`,
        expected: 'a JSON array',
        received: String(response),
      }));
    }
  },
  'LIST-02': (judgement, traffic) => {
    for (const page of listings(traffic).filter(hasLimit)) {
      const isPage = judgement.status(page, 200, describeQuery(page)) && page.animals !== undefined;
      // With a filter it is another requirement's (LIST-07).
      if (isPage && !page.query.has('status')) atMost(judgement, page, limitOf(page.query) ?? 100);
    }
  },
  'LIST-03': (judgement, traffic) => {
    // A shorter page may be all that there is.
    for (const page of pages(judgement, traffic, (one) => !hasLimit(one) && (one.length ?? 0) >= 20))
      atMost(judgement, page, 20);
  },
  'LIST-05': (judgement, { responses }) => {
    for (const page of responses.filter(
      (one) => of('listPets')(one) && hasLimit(one) && (one.length ?? 0) >= 100,
    ))
      if (page.status === 200) atMost(judgement, page, 100);
  },
  'LIST-06': (judgement, traffic) => {
    for (const page of pages(judgement, traffic, ({ query }) => statusOf(query) !== undefined)) {
      const { seen, stray } = strayOn(page);
      if (!seen) continue;
      judgement.check(stray === undefined, page, () => ({
        message: `${describeQuery(page)} returns animals of another status`,
        expected: `only animals with \`status\` ${statusOf(page.query) ?? ''}`,
        received: stray && describeAnimal(stray),
        fact: { kind: 'response', value: valueText(stray?.shown.status) },
      }));
    }
  },
  'LIST-07': (judgement, traffic) => {
    const both = (page: ApiResponse): boolean => hasLimit(page) && statusOf(page.query) !== undefined;
    for (const page of pages(judgement, traffic, both)) {
      const { seen, stray } = strayOn(page);
      const limit = limitOf(page.query) ?? 100;
      if (!seen) continue;
      judgement.check(stray === undefined && (page.length ?? 0) <= limit, page, () => ({
        message: '`limit` and `status` do not apply together',
        expected: `at most ${count(limit, 'animal')}, all of them ${statusOf(page.query) ?? ''}`,
        received: stray ? `among them: ${describeAnimal(stray)}` : count(page.length ?? 0, 'animal'),
      }));
    }
  },
  'CREATE-01': (judgement, traffic) => {
    for (const response of creations(traffic))
      if (judgeCreated(judgement, response, 'a valid body'))
        judgeKept(judgement, response, (name, value) => !isOfOther(name, value));
  },
  'CREATE-02': (judgement, traffic) => {
    judgement.held(creations(traffic).filter((one) => !('status' in membersOf(one))).length);
  },
  'CREATE-12': (judgement, traffic) => {
    for (const response of creations(traffic))
      judgeKept(judgement, response, (name, value) => name === 'categoryId' && isOfOther(name, value));
  },
  'CREATE-13': (judgement, traffic) => {
    for (const response of creations(traffic))
      judgeKept(judgement, response, (name, value) => name === 'name' && isOfOther(name, value));
  },
  'CREATE-04': (judgement, traffic) => {
    const known = new Map<string, ApiResponse>();
    for (const response of creations(traffic)) {
      const { animal } = response;
      const before = animal && known.get(animal.id);
      if (!animal) continue;
      if (known.size > 0)
        judgement.check(before === undefined, before ? [before, response] : response, () => ({
          message: 'two creations returned the same `id`',
          expected: 'another `id` for each animal',
          received: `${animal.id} twice`,
          pointer: '/id',
        }));
      known.set(animal.id, response);
    }
  },
  'CREATE-05': refuses('CREATE-05', 'a body without `name`'),
  'CREATE-06': refuses('CREATE-06', 'a body without `categoryId`'),
  'CREATE-07': refuses('CREATE-07', 'a `name` that is not a string'),
  'CREATE-08': refuses('CREATE-08', 'a `categoryId` that is not an int64'),
  'CREATE-09': refuses('CREATE-09', 'a `status` outside the enumeration'),
  'CREATE-10': refuses('CREATE-10', 'a body that is not a JSON object'),
  'GET-01': (judgement, traffic) => {
    const created = new Map<string, ShownAnimal>();
    for (const response of traffic.responses) {
      const animal = createdAnimal(response);
      if (of('createPet')(response) && animal)
        if (!created.delete(animal.id)) created.set(animal.id, { animal, response });
      // What others may have changed is not compared.
      const { method, url } = response.exchange.request;
      const id = new URL(url).pathname.split('/').at(-1) ?? '';
      if (method !== 'GET' && method !== 'POST') created.delete(id);
      const known =
        of('getPet')(response) && byKey(response) && response.status === 200 ? created.get(id) : undefined;
      if (known && response.animal)
        judgeAsCreated(judgement, known, response.animal, { by: 'getPet', responses: [response] });
    }
  },
  'GET-02': (judgement, { responses }) => {
    for (const response of responses.filter((one) => of('getPet')(one) && byKey(one) && isSpecified(one))) {
      const { status, animal, exchange } = response;
      const asked = new URL(exchange.request.url).pathname.split('/').at(-1) ?? '';
      if (status === 404) judgement.held();
      else if (status === 200 && animal && animal.id !== asked)
        judgement.fail(response, {
          message: 'an animal was returned that was not asked for',
          expected: `404, or the animal with the \`id\` ${asked}`,
          received: describeAnimal(animal),
          pointer: '/id',
        });
    }
  },
  'GET-03': (judgement, { responses }) => {
    const isOther = ({ exchange }: ApiResponse): boolean => !isIdentifier(exchange.request.url);
    for (const response of responses.filter((one) => of('getPet')(one) && byKey(one) && isOther(one))) {
      const { status = 0 } = response;
      const asked = new URL(response.exchange.request.url).pathname.split('/').at(-1) ?? '';
      // How leniently an integer is read is left open (GET-06).
      if (/\d/.test(asked)) continue;
      judgement.check(status >= 400 && status < 500, response, () => ({
        message: `a \`petId\` that is not an integer got ${status}`,
        expected: 'a 4xx with an Error body',
        received: String(response),
        fact: { kind: 'status', expected: [400, 404] },
      }));
    }
  },
  'GET-04': (judgement, { withoutBodies }) => {
    const isBefore = ({ exchange }: ApiResponse): boolean => Date.parse(exchange.sentAt) < removalDate;
    for (const one of withoutBodies)
      if (of('getPet')(one) && one.status === 200 && byKey(one) && isBefore(one)) judgement.held();
  },
  'LIST-11': observeLimits,
  'LIST-12': observeStatuses,
} satisfies Partial<Record<RequirementId, Rule>>;

function observeLimits(judgement: Judgement, { responses }: RecordedTraffic): void {
  for (const response of responses.filter((one) => of('listPets')(one) && byKey(one) && hasLimit(one))) {
    if (limitOf(response.query) !== undefined) continue;
    const subject = `\`limit=${response.query.getAll('limit').join('&limit=')}\``;
    observeOnce(judgement, subject, response);
  }
}

function observeStatuses(judgement: Judgement, { responses }: RecordedTraffic): void {
  for (const response of responses.filter(
    (one) => of('listPets')(one) && byKey(one) && one.query.has('status'),
  ))
    if (statusOf(response.query) === undefined)
      observeOnce(judgement, `\`status=${response.query.getAll('status').join('&status=')}\``, response);
}

function observeOnce(judgement: Judgement, subject: string, response: ApiResponse): void {
  if (judgement.observations.some((one) => one.subject === subject)) return;
  const { length } = response;
  judgement.observe(
    subject,
    response.refusal ?? (length === undefined ? 'a body that is not an array' : count(length, 'animal')),
    response,
  );
}

/** What rules look at: whole responses of the three operations. */
export function isJudged({ exchange }: ApiResponse): boolean {
  return exchange.operation !== null && isComplete(exchange);
}
