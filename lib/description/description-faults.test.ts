import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import '../../suites/all.js';
import type { Exchange } from '../evidence/exchange.js';
import { proveAgainst } from '../proof/prove.js';
import type { Finding } from '../evidence/record/record.js';
import { catalogue } from '../specification/catalogue.js';
import { pathOf } from '../specification/json-value.js';
import openApiDocument from '../specification/openapi.json' with { type: 'json' };
import { judgedDescription } from './judged-description.js';
import { conformingEdits } from './testing/description-variants.js';
import type { Draft } from './testing/draft.js';
import { told } from './testing/told.js';
import { faultyDescriptions } from './testing/description-faults.js';

/** What the reference service responds in a run, by which DESC-06 is judged. */
const exchanges: Exchange[] = [];
beforeAll(async () => {
  await proveAgainst({}, { listener: { exchange: (exchange) => exchanges.push(exchange) } });
});

const ids = ['DESC-01', 'DESC-02', 'DESC-03', 'DESC-04', 'DESC-05', 'DESC-06'] as const;
type Id = (typeof ids)[number];

function judged(text: string) {
  const checksOf = judgedDescription('openapi.json', { text });
  return Object.fromEntries(ids.map((id) => [id, told(checksOf(id, exchanges))])) as Record<
    Id,
    ReturnType<typeof told>
  >;
}

/** The project's own document with an edit. */
function draftWith(edit: (draft: Draft) => void): Draft {
  const draft = structuredClone(openApiDocument) as unknown as Draft;
  edit(draft);
  return draft;
}

/** The same, read from its text as a target's would be, and judged. */
function edited(edit: (draft: Draft) => void) {
  return judged(JSON.stringify(draftWith(edit)));
}

type Results = ReturnType<typeof judged>;

function turned(results: Results): string[] {
  return Object.entries(results)
    .filter(([, { findings }]) => findings.length > 0)
    .map(([id]) => id);
}

function expectNoAccusation(results: Results): void {
  expect(Object.values(results).flatMap(({ findings, open }) => [...findings, ...open])).toEqual([]);
  for (const { checks } of Object.values(results)) expect(checks).toBeGreaterThan(0);
}

describe('a faulty description', () => {
  it.each(Object.entries(faultyDescriptions))(
    'with %s turns exactly what it breaks',
    (_, { turns, edit }) => {
      const results = edited(edit);
      expect(turned(results)).toEqual(turns);
      for (const { findings } of Object.values(results)) {
        for (const { message, expected = '', received, pointer } of findings) {
          expect(message).toMatch(/^[^\n]*[^.\n]$/);
          expect(received).toBeTruthy();
          // Beside an exchange, a pointer would be one into its body.
          const place = pointer ?? /, as (.*) says$/.exec(expected)?.[1] ?? '';
          expect(place).toMatch(/^\//);
          expect(draftWith(edit)).toHaveProperty(pathOf(place));
        }
      }
    },
  );

  it('is there for every requirement of the class', () => {
    const broken = new Set<string>(Object.values(faultyDescriptions).flatMap(({ turns }) => turns));
    const all = catalogue.map(({ id }) => id).filter((id) => id.startsWith('DESC-'));
    expect([...broken].sort()).toEqual(all);
  });
});

describe('a conforming description', () => {
  it.each(Object.entries(conformingEdits))('with %s is not accused', (_, edit) => {
    expectNoAccusation(edited(edit));
  });

  it.each(['generated.json', 'names.yaml', 'springdoc.json', 'nest.json', 'zod.json'])(
    'in the style of %s is not accused',
    async (file) => {
      expectNoAccusation(judged(await readFile(new URL(`testing/styles/${file}`, import.meta.url), 'utf8')));
    },
  );
});

describe('a finding', () => {
  const findingsOf = (fault: string, id: Id): readonly Finding[] =>
    edited((draft) => faultyDescriptions[fault]?.edit(draft))[id].findings;

  it('has the sample that is wrongly accepted, and the place of the schema, through references', () => {
    const [finding, ...others] = findingsOf('a fourth status', 'DESC-03');
    expect(finding).toEqual({
      message: '`status` of listPets accepts "lost"',
      expected:
        'refused, because it must be equal to one of the allowed values: ["available","pending","sold"]',
      received: 'accepted',
      exchanges: [],
      pointer: '/components/schemas/PetStatus',
    });
    const places = ['Pets', 'NewPet', 'Pet'].map((schema) => `/components/schemas/${schema}`);
    expect(others.map(({ pointer }) => pointer)).toEqual(places);
  });

  it('has the sample that is wrongly refused, and the keyword that refuses it', () => {
    expect(findingsOf('petId of 32 bits', 'DESC-03')).toEqual([
      {
        message: '`petId` of getPet refuses 9223372036854775000',
        expected: 'accepted',
        received: 'refused, because it must match format "int32"',
        exchanges: [],
        pointer: '/paths/~1pets~1{petId}/get/parameters/0/schema',
      },
    ]);
  });

  it('has what is said of a thing, in both documents', () => {
    expect(findingsOf('limit with another default', 'DESC-03')).toEqual([
      {
        message:
          '`limit` of listPets is "in query, optional, style form, default 10", not "in query, optional, style form, default 20"',
        expected: '"in query, optional, style form, default 20"',
        received: '"in query, optional, style form, default 10"',
        exchanges: [],
        pointer: '/paths/~1pets/get/parameters/0',
      },
    ]);
  });

  it('has the exchange in which the service does not do what it describes', () => {
    const [finding] = findingsOf('getPet without 404', 'DESC-06');
    expect(finding).toMatchObject({
      message: 'The 404 response of getPet is not in its interface description',
      expected: '200, 401, 429, as /paths/~1pets~1{petId}/get/responses says',
      received: '404',
    });
    const shown = exchanges.find(({ id }) => id === finding?.exchanges[0]);
    expect(shown).toMatchObject({ operation: 'getPet', response: { status: 404 } });
  });
});
