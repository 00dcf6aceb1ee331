import { withAnimals } from '../../changes.js';
import type { Fault } from '../fault.js';
import { create, field, listed, send, expectOnWire } from '../wire.js';

export const petFaults: readonly Fault[] = [
  {
    name: 'listed-ids-in-quotes',
    title: 'The listing writes identifiers as text',
    breaks: ['PET-01'],
    options: withAnimals(['listed'], (animal) => ({ ...animal, id: String(animal.id) })),
    async wire(target) {
      await create(target);
      expectOnWire(typeof field((await listed(target))[0], 'id') === 'string', 'an identifier in quotes');
    },
  },
  {
    name: 'listed-categories-in-quotes',
    title: 'The listing writes categories as text',
    breaks: ['LIST-10', 'PET-01'],
    options: withAnimals(['listed'], (animal) => ({ ...animal, categoryId: String(animal.categoryId) })),
    async wire(target) {
      await create(target);
      expectOnWire(
        typeof field((await listed(target))[0], 'categoryId') === 'string',
        'a category in quotes',
      );
    },
  },
  {
    name: 'listing-leaves-categories-out',
    title: 'The listing leaves out the category',
    breaks: ['LIST-10', 'PET-01'],
    options: withAnimals(['listed'], ({ categoryId: _categoryId, ...others }) => others),
    async wire(target) {
      await create(target);
      expectOnWire(
        field((await listed(target))[0], 'categoryId') === undefined,
        'an animal without a category',
      );
    },
  },
  {
    name: 'fetched-name-split',
    title: 'getPet shows the name as an object',
    breaks: ['GET-01', 'PET-01'],
    options: withAnimals(['got'], (animal) => ({ ...animal, name: { default: animal.name } })),
    async wire(target) {
      const { id } = await create(target);
      const { json } = await send(target, { path: `/pets/${id}` });
      expectOnWire(typeof field(json(), 'name') === 'object', 'a name as an object');
    },
  },
  {
    name: 'listed-statuses-in-capitals',
    title: 'The listing writes statuses in capitals',
    breaks: ['LIST-06', 'LIST-07', 'LIST-10', 'PET-02'],
    options: withAnimals(['listed'], (animal) => ({
      ...animal,
      status: String(animal.status).toUpperCase(),
    })),
    async wire(target) {
      await create(target);
      expectOnWire(field((await listed(target))[0], 'status') === 'AVAILABLE', 'a status in capitals');
    },
  },
  {
    name: 'fetched-status-as-a-number',
    title: 'getPet writes the status as its index in the enumeration',
    breaks: ['GET-01', 'PET-02'],
    options: withAnimals(['got'], (animal) => ({ ...animal, status: 0 })),
    async wire(target) {
      const { id } = await create(target);
      const { json } = await send(target, { path: `/pets/${id}` });
      expectOnWire(field(json(), 'status') === 0, 'a status as a number');
    },
  },
];
