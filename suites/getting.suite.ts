import * as fc from 'fast-check';
import { parseItem } from 'structured-headers';
import { int64Value, mostInt64, unlikelyIdentifier } from '../lib/draw/id-values.js';
import { petNameText } from '../lib/draw/name-values.js';
import { parseHttpDate, parseSentHttpDate } from '../lib/http/headers/http-date.js';
import { everyExchange, requirement, type Probe } from '../lib/requirement/requirement.js';
import { ApiResponse } from '../lib/session/api-response.js';
import { judgeAsCreated, type ShownAnimal } from '../lib/session/compare-pets.js';
import { createdAnimal } from '../lib/session/creation.js';
import { petStatuses } from '../lib/specification/body-schema.js';
import { wrongHeader } from '../lib/verdict/judgement.js';
import { NotApplicable } from '../lib/verdict/outcome.js';

/** `getPet`, and its deprecation. */

/** How a target responds for an operation that it does not serve (RFC 9110 15.5.6, 15.5.11, 15.6.2). */
const notServed: ReadonlySet<number> = new Set([405, 410, 501]);

function unlessRemoved({ removalDatePassed }: Probe): void {
  if (removalDatePassed) throw new NotApplicable('the operation is past its removal date, 5 December 2030');
}

/** What requirements on unknown identifiers leave to others. */
const leavesTo = { 'GET-04': 'getPet served no existing animal either' } as const;

/** Animals as they were created; in a read-only run, one as the first listing showed it. */
async function knownAnimals({ store, api, draw, depth, newPetOfOtherStatus }: Probe): Promise<ShownAnimal[]> {
  if (store.readOnly) return [{ animal: await store.animal(), response: await store.survey() }];
  const { animal, response } = await store.accepted();
  const more = depth({ quick: 0, standard: 2, thorough: 12 });
  const drawn = [
    [9007199254740993n, 'e\u0301 🐶'] as const,
    ...draw.some(fc.tuple(int64Value, petNameText), more),
  ];
  const others = await Promise.all(
    drawn.slice(0, more).map(async ([categoryId, text], index) => {
      // With the status of the stock, and without one.
      const { status, ...body } = await newPetOfOtherStatus();
      const name = `${body.name} ${text}`;
      const created = await api.createPet({ name, categoryId, ...(index % 2 === 0 && { status }) });
      const other = createdAnimal(created);
      return other === undefined ? [] : [{ animal: other, response: created }];
    }),
  );
  const shown = new Set(
    [animal, ...others.flat().map((other) => other.animal)].map((one) => one.shown.status),
  );
  // Another probe has created an animal of the remaining status.
  const remaining = petStatuses.flatMap((status) => {
    const [created] = more === 0 || shown.has(status) ? [] : store.knownPets.listable(status);
    return created ? { animal: created.animal, response: new ApiResponse(created.exchange) } : [];
  });
  return [{ animal, response }, ...others.flat(), ...remaining].filter(
    (known) => !store.knownPets.isAmbiguous(known.animal.id),
  );
}

const leftByGet01 = { 'CREATE-04': 'another creation returned the same `id`' } as const;

// The control was requested at the beginning of the run: requested again when the store is full, it is the same.
requirement('GET-01', { phase: 'unspecified', leavesTo: leftByGet01 }, async (probe) => {
  unlessRemoved(probe);
  const { api, store, judgement } = probe;
  const [first, ...others] = await knownAnimals(probe);
  const what = 'an existing animal';
  const judge = async (known: ShownAnimal, control?: ApiResponse): Promise<void> => {
    const { id } = known.animal;
    const got = control?.status === 200 ? control : await probe.getCreated(id);
    const responses = [got, await api.getPet(id)];
    if (store.knownPets.isAmbiguous(id)) {
      judgement.note('An animal was passed over because another creation returned the same `id`.');
      return;
    }
    for (const response of responses) {
      if (!judgement.status(response, 200, what) || !judgement.isComplete(response, what)) return;
      const { animal } = response;
      if (!animal) {
        judgement.fail(response, {
          message: `${what}: the response has no Pet with an \`id\``,
          expected: 'the Pet',
          received: String(response),
          fact: { kind: 'body', form: 'Pet', field: '' },
        });
        continue;
      }
      judgement.check(animal.id === id, response, () => ({
        message: 'getPet shows another animal than the one that was requested',
        expected: `\`id\` ${id}`,
        received: `\`id\` ${animal.id}`,
        pointer: '/id',
      }));
      judgeAsCreated(judgement, known, animal, { by: 'getPet', responses: [response] });
    }
  };
  if (first) await judge(first, await store.got());
  await Promise.all(others.map((known) => judge(known)));
});

requirement('GET-02', { leavesTo }, async (probe) => {
  unlessRemoved(probe);
  const { api, store, judgement, draw, depth } = probe;
  const got = await store.got();
  if (got.status !== 200) return judgement.leaveTo('GET-04', String(got));
  // A service may have given the highest of all to an animal.
  const least = store.knownPets.isKnown(String(mostInt64)) ? 1 : 0;
  const drawn = draw.some(unlikelyIdentifier, depth({ quick: least, standard: 3, thorough: 20 }));
  // Every second one is negative: an int64 all the same.
  const signed = drawn.map((id, index) => (index % 2 === 0 ? -id : id));
  const unknown = [mostInt64, ...signed].filter((id) => !store.knownPets.isKnown(String(id)));
  await Promise.all(
    unknown.map(async (id) =>
      judgement.status(await api.getPet(id), 404, `\`petId\` ${id}, which no animal has`),
    ),
  );
});

requirement('GET-03', { leavesTo }, async (probe) => {
  unlessRemoved(probe);
  const { api, store, judgement, profile } = probe;
  const got = await store.got();
  if (got.status !== 200) return judgement.leaveTo('GET-04', String(got));
  const { id } = await store.animal();
  // In 64 bits, 2^64 more than an existing identifier is the same: arithmetic that overflows finds the animal.
  const overflowing = String(BigInt(id) + 2n ** 64n);
  const invalid = [`${id}abc`, 'abc', overflowing, `${id}.5`, String(mostInt64 + 1n), `${id}e0x`, 'null'];
  await Promise.all(
    invalid.slice(0, profile === 'quick' ? 3 : undefined).map(async (petId) => {
      const response = await api.getPet(petId, { unspecified: true });
      const what = `\`petId\` ${petId}`;
      const { status = 0 } = response;
      if (status === 401) return judgement.leaveTo('AUTH-04');
      if (response.broken !== undefined) return judgement.leaveTo('ROBUST-01', `${what}: ${response.broken}`);
      const refused = status >= 400 && status < 500 && response.exchange.failure === undefined;
      judgement.check(refused, response, () => ({
        message: `${what} is not refused with a 4xx`,
        expected: 'a 4xx status with an Error body',
        received: String(response),
        fact: { kind: 'status', expected: [400, 404] },
      }));
      if (refused) judgement.body('Error', response, what);
    }),
  );
});

const leftByGet04 = { 'ROBUST-01': 'the response is not one that is documented' } as const;

requirement('GET-04', { phase: 'whole run', leavesTo: leftByGet04 }, async (probe) => {
  if (probe.removalDatePassed) throw new NotApplicable('the run is later than 4 December 2030');
  const { judgement, store, exchanges } = probe;
  const got = await store.got();
  const served = exchanges.some(
    ({ operation, credential, response }) =>
      operation === 'getPet' && credential === 'valid' && response?.status === 200,
  );
  const { status = 0 } = got;
  if (!served && status === 401) return judgement.leaveTo('AUTH-04', 'whether getPet is served');
  const missing = got.broken === undefined && (status === 404 || notServed.has(status));
  if (!served && !missing) return judgement.leaveTo('ROBUST-01', `whether getPet is served: ${String(got)}`);
  judgement.check(served, got, () => ({
    message: 'getPet serves no existing animal before 5 December 2030',
    expected: '200',
    received: String(got),
    fact: { kind: 'status', expected: [200] },
  }));
});

requirement('GET-05', async ({ removalDatePassed, judgement, store, api }) => {
  if (!removalDatePassed) throw new NotApplicable('the run is earlier than 5 December 2030');
  const got = await api.getPet((await store.animal()).id);
  judgement.status(got, [404, 405, 410], 'an existing animal after the removal date');
});

requirement('GET-06', { phase: 'unspecified', notInQuick: 'it observes' }, async (probe) => {
  unlessRemoved(probe);
  const { api, store, judgement } = probe;
  const { id } = await store.animal();
  const negative = id.startsWith('-');
  const sign = negative ? id : `+${id}`;
  const zero = negative ? `-0${id.slice(1)}` : `0${id}`;
  await Promise.all(
    [`${id}.0`, `${id}%20`, sign, zero].map(async (petId) => {
      const response = await api.getPet(petId, { unspecified: true });
      const { status, animal } = response;
      const found = status === 200 && animal?.id === id;
      const refused = status === undefined ? String(response) : `refused with ${status}`;
      judgement.observe(`\`petId\` ${petId} for ${id}`, found ? 'finds the animal' : refused, response);
    }),
  );
});

/** RFC 9745 2.1: a structured field whose value is a date, `@1688169599`. */
function structuredDate(value: string): Date | undefined {
  try {
    const [date] = parseItem(value);
    return date instanceof Date ? date : undefined;
  } catch {
    return undefined;
  }
}

everyExchange('DEP-01', { kinds: ['animal'] }, (judgement, { removalDatePassed }) => ({
  see(response) {
    if (response.exchange.operation !== 'getPet' || response.status !== 200 || removalDatePassed) return;
    const deprecation = response.headers('Deprecation');
    const since = deprecation.length === 1 ? structuredDate(deprecation[0] ?? '') : undefined;
    judgement.check(since !== undefined, response, () => ({
      message: '`getPet` does not announce its deprecation',
      expected: 'Deprecation: @<Unix time> (RFC 9745)',
      received: deprecation.length === 0 ? 'no Deprecation header' : `Deprecation: ${deprecation.join(', ')}`,
      fact: wrongHeader('Deprecation', deprecation),
    }));
    judgement.check(response.header('Sunset') !== undefined, response, () => ({
      message: '`getPet` does not announce its removal',
      expected: 'Sunset: Thu, 05 Dec 2030 00:00:00 GMT (RFC 8594)',
      received: 'no Sunset header',
      fact: wrongHeader('Sunset', []),
    }));
    const sunset = parseHttpDate(response.header('Sunset') ?? '');
    if (since === undefined || sunset === undefined) return;
    judgement.check(sunset >= since.getTime(), response, () => ({
      message: '`getPet` announces its removal for a time before its deprecation',
      expected: `a Deprecation not later than ${new Date(sunset).toUTCString()}, the Sunset (RFC 9745 4)`,
      received: `Deprecation: ${deprecation.join(', ')}, which is ${since.toUTCString()}`,
      fact: wrongHeader('Deprecation', deprecation),
    }));
  },
  conclude() {
    if (removalDatePassed) throw new NotApplicable('the run is later than the removal date');
  },
}));

everyExchange('DEP-02', { kinds: ['animal'] }, (judgement) => {
  let seen = false;
  return {
    see(response) {
      if (response.exchange.operation !== 'getPet' || response.status === undefined) return;
      seen = true;
      for (const value of response.headers('Sunset')) {
        const date = parseSentHttpDate(value);
        const specified = date !== undefined && new Date(date).toISOString().startsWith('2030-12-05');
        judgement.check(specified, response, () => ({
          message: 'the announced removal date is another one, or not an HTTP date',
          expected: 'Sunset: Thu, 05 Dec 2030 00:00:00 GMT',
          received: `Sunset: ${value}`,
          fact: wrongHeader('Sunset', [value]),
        }));
      }
    },
    conclude() {
      if (judgement.checks === 0 && seen)
        throw new NotApplicable('no response of getPet has a `Sunset` header');
    },
  };
});

everyExchange('DEP-03', { kinds: ['listing', 'creation'] }, (judgement) => ({
  see(response) {
    if (response.exchange.operation === 'getPet' || response.status === undefined) return;
    const announced = ['Deprecation', 'Sunset'].flatMap((name) =>
      response.headers(name).map((value) => `${name}: ${value}`),
    );
    judgement.check(announced.length === 0, response, () => ({
      message: `${response.operation} announces a deprecation`,
      expected: 'neither Deprecation nor Sunset',
      received: announced.join('; '),
    }));
  },
}));
