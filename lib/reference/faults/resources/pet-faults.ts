import type { Place } from '../../behaviour.js';
import { withAnimals, withBehaviour } from '../../changes.js';
import { throughDouble } from '../../operations/integers.js';
import { combineOptions } from '../../options.js';
import type { Fault } from '../fault.js';

type Shown = Readonly<Record<string, unknown>>;

/** Shows a field of animals otherwise than it is kept. */
function showing(
  places: readonly Place[],
  field: 'id' | 'name' | 'categoryId' | 'status',
  change: (value: unknown) => unknown,
): Fault['options'] {
  return withAnimals(places, (animal: Shown) => ({ ...animal, [field]: change(animal[field]) }));
}

const rounded = (value: unknown): unknown => throughDouble(BigInt(String(value)));

/** How animals are shown: PET-01, PET-02, and LIST-10, CREATE-12 and CREATE-13 of single places. */
export const petFaults: readonly Fault[] = [
  {
    name: 'listed-ids-in-quotes',
    title: 'The listing writes identifiers as text',
    breaks: ['PET-01'],
    options: showing(['listed'], 'id', String),
  },
  {
    name: 'listing-rounds-ids',
    title: 'Identifiers have 60 bits, and the listing writes them as doubles',
    breaks: ['LIST-08', 'LIST-10'],
    options: combineOptions(
      withBehaviour(({ assignId }) => ({
        assignId: async (service, body) => ((await assignId(service, body)) << 40n) + (1n << 60n) + 1n,
      })),
      showing(['listed'], 'id', rounded),
    ),
  },
  {
    name: 'listed-categories-in-quotes',
    title: 'The listing writes categories as text',
    breaks: ['LIST-10', 'PET-01'],
    options: showing(['listed'], 'categoryId', String),
  },
  {
    name: 'listing-rounds-categories',
    title: 'The listing writes categories as doubles',
    breaks: ['CREATE-12', 'LIST-10'],
    options: showing(['listed'], 'categoryId', rounded),
  },
  {
    name: 'fetched-animal-has-a-rounded-category',
    title: 'getPet writes categories as doubles',
    breaks: ['CREATE-12', 'GET-01'],
    options: showing(['got'], 'categoryId', rounded),
  },
  {
    name: 'categories-in-32-bits-behind-the-cache',
    title:
      'getPet and listings show the last 32 bits of a category, which the creation returned as it was sent',
    breaks: ['LIST-10', 'CREATE-12', 'GET-01'],
    options: showing(['listed', 'got'], 'categoryId', (value) => BigInt.asIntN(32, BigInt(String(value)))),
  },
  {
    name: 'listing-escapes-names',
    title: 'The listing escapes names for HTML',
    breaks: ['CREATE-13', 'LIST-10'],
    options: showing(['listed'], 'name', (value) =>
      String(value).replace(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`),
    ),
  },
  {
    name: 'fetched-names-normalised',
    title: 'getPet shows names in the composed form',
    breaks: ['CREATE-13', 'GET-01'],
    options: showing(['got'], 'name', (value) => String(value).normalize('NFC')),
  },
  {
    name: 'names-kept-up-to-100-characters',
    title: 'The response to a creation has the whole name, and the store keeps 100 characters of it',
    breaks: ['LIST-10', 'CREATE-13', 'GET-01'],
    options: showing(['listed', 'got'], 'name', (value) => Array.from(String(value)).slice(0, 100).join('')),
  },
  {
    name: 'listed-statuses-in-capitals',
    title: 'The listing writes statuses in capitals',
    breaks: ['LIST-06', 'LIST-07', 'LIST-10', 'PET-02'],
    options: showing(['listed'], 'status', (value) => String(value).toUpperCase()),
  },
  {
    name: 'listing-shows-the-state-of-its-neighbour',
    title: 'The listing shows sold animals as pending, from a stale index',
    breaks: ['CREATE-03', 'LIST-06', 'LIST-07', 'LIST-10'],
    options: showing(['listed'], 'status', (value) => (value === 'sold' ? 'pending' : value)),
  },
];
