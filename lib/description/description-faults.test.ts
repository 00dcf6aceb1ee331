import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { catalogue } from '../specification/catalogue.js';
import { openApiDocument } from '../specification/openapi.js';
import { compareDescription } from './compare-description.js';
import { loadDescription, loadSpecification, type LoadOptions } from './document/load-description.js';
import { conformingEdits } from './testing/description-variants.js';
import type { Draft } from './testing/draft.js';
import { faultyDescriptions } from './testing/description-faults.js';

const offline: LoadOptions = {
  allowOtherHosts: false,
  fetchText: async (url) => Promise.reject(new Error(`${url.href} was asked for`)),
};

const specification = await loadSpecification();

async function compared(source: string, options: LoadOptions = offline) {
  const loaded = await loadDescription(source, options);
  if (!loaded.ok) throw new Error(loaded.message);
  return compareDescription(loaded.root, specification);
}

/** The project's own document with an edit. */
function draftWith(edit: (draft: Draft) => void): Draft {
  const draft = structuredClone(openApiDocument) as unknown as Draft;
  edit(draft);
  return draft;
}

/** The same, read from its text as a target's would be, and compared. */
async function edited(edit: (draft: Draft) => void) {
  const draft = draftWith(edit);
  return compared('openapi.json', {
    ...offline,
    readFile: async () => Promise.resolve(JSON.stringify(draft)),
  });
}

/** The keys that a JSON pointer leads along. */
function stepsOf(pointer: string): string[] {
  const [, ...steps] = pointer.split('/');
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

type Results = Awaited<ReturnType<typeof compared>>;

function turned(results: Results): string[] {
  return Object.entries(results)
    .filter(([, { findings }]) => findings.length > 0)
    .map(([id]) => id);
}

function expectNoAccusation(results: Results): void {
  expect(Object.values(results).flatMap(({ findings }) => findings)).toEqual([]);
  for (const { checks } of Object.values(results)) expect(checks).toBeGreaterThan(0);
}

describe('a faulty description', () => {
  it.each(Object.entries(faultyDescriptions))(
    'with %s turns exactly what it breaks',
    async (_, { turns, edit }) => {
      const results = await edited(edit);
      expect(turned(results)).toEqual(turns);
      for (const { findings } of Object.values(results)) {
        for (const { message, expected, received, pointer } of findings) {
          expect(message).toMatch(/^[^\n]*[^.\n]$/);
          expect(expected).toBeTruthy();
          expect(received).toBeTruthy();
          expect(pointer).toMatch(/^\//);
          expect(draftWith(edit)).toHaveProperty(stepsOf(pointer ?? ''));
        }
      }
    },
  );

  it('is there for every requirement of the class', () => {
    const broken = new Set(Object.values(faultyDescriptions).flatMap(({ turns }) => turns));
    const all = catalogue.map(({ id }) => id).filter((id) => id.startsWith('DESC-'));
    expect([...broken].sort()).toEqual(all);
  });
});

describe('a conforming description', () => {
  it.each(Object.entries(conformingEdits))('with %s is not accused', async (_, edit) => {
    expectNoAccusation(await edited(edit));
  });

  it.each(['generated.json', 'names.yaml', 'split/openapi.yaml'])(
    'in the style of %s is not accused',
    async (file) => {
      expectNoAccusation(await compared(fileURLToPath(new URL(`testing/styles/${file}`, import.meta.url))));
    },
  );
});

describe('a finding', () => {
  it('points to the place of the fault, through references', async () => {
    const results = await edited((draft) => faultyDescriptions['a fourth status']?.edit(draft));
    expect(results['DESC-03'].findings).toEqual([
      {
        message: '`status` of listPets has a different enumeration',
        expected: 'enum: `available`, `pending`, `sold`',
        received: 'enum: `available`, `pending`, `sold`, `lost`',
        exchanges: [],
        pointer: '/components/schemas/PetStatus',
      },
    ]);
  });
});
