import { withBehaviour } from '../../changes.js';
import type { Animal } from '../../operations/animal.js';
import { manyAnimals, settled } from '../../variants/listing-variants.js';
import type { Fault } from '../fault.js';
import { create, listed, expectOnWire, type WireResponse } from '../wire.js';
import type { WireTarget } from '../fault.js';

/** Every so many listings, one shows a part of the animals. */
function everySoMany(
  count: number,
  part: (animals: Iterable<Animal>, now: number) => Iterable<Animal>,
): Fault['options'] {
  return withBehaviour(({ order }) => {
    let listings = 0;
    return {
      order(store, request) {
        listings += 1;
        const animals = order(store, request);
        return listings % count === 0 ? part(animals, request.at) : animals;
      },
    };
  });
}

/** Two created animals are in a first listing, and not in each of so many more. */
async function omittedOnce(target: WireTarget, count: number): Promise<void> {
  for (let made = 0; made < 2; made += 1) await create(target);
  const lengths: number[] = [];
  for (let listing = 0; listing <= count; listing += 1) lengths.push((await listed(target)).length);
  expectOnWire(
    lengths[0] === 2 && lengths.some((length) => length < 2),
    'a listing omits what another showed',
  );
}

async function firstId(
  target: WireTarget,
): Promise<{ response: WireResponse & { id: string }; before: string }> {
  const before = JSON.stringify(await listed(target, '?limit=100'));
  return { response: await create(target), before };
}

/** What no probe sees by itself, and all exchanges of a run show together. */
export const historyFaults: readonly Fault[] = [
  {
    name: 'every-fifth-listing-is-old',
    title: 'Every fifth listing comes from a replica of the store that is a minute and a half late',
    breaks: ['LIST-08'],
    plan: 'free',
    options: everySoMany(5, (animals, now) => settled(animals, now - 90_000)),
    wire: (target) => omittedOnce(target, 5),
  },
  {
    name: 'every-seventh-listing-lacks-a-shard',
    title:
      'Every seventh listing lacks the animals with an even identifier, as their shard responds too late',
    breaks: ['LIST-08'],
    plan: 'free',
    options: everySoMany(7, (animals) => [...animals].filter(({ id }) => id % 2n !== 0n)),
    wire: (target) => omittedOnce(target, 7),
  },
  {
    name: 'every-eleventh-listing-is-empty',
    title: 'Every eleventh listing is empty, as a cache is being filled',
    breaks: ['LIST-08'],
    plan: 'free',
    options: everySoMany(11, () => []),
    wire: (target) => omittedOnce(target, 11),
  },
  {
    name: 'ids-begin-again-over-a-full-store',
    title: 'Identifiers begin at 1 again after a restart, and replace the animals that have them',
    breaks: ['CREATE-04'],
    options: {
      animals: manyAnimals(12),
      ...withBehaviour(({ keep, createPet }) => {
        let last = 0n;
        let restarted = false;
        return {
          createPet(request, service) {
            if (!restarted) last = 0n;
            restarted = true;
            return createPet(request, service);
          },
          assignId: () => (last += 1n),
          keep(animal, service) {
            if (!service.store.replace(animal)) keep(animal, service);
          },
        };
      }),
    },
    async wire(target) {
      const { response, before } = await firstId(target);
      expectOnWire(before.includes(`"id":${response.id},`), 'a listed identifier is given again');
    },
  },
  {
    name: 'newest-id-given-again',
    title: 'The first creation after a restart gets the greatest identifier in the store, not the next',
    breaks: ['CREATE-04'],
    options: {
      animals: manyAnimals(7),
      ...withBehaviour(({ assignId, createPet }) => {
        let creations = 0;
        return {
          createPet(request, service) {
            creations += 1;
            return createPet(request, service);
          },
          async assignId(service, body) {
            if (creations !== 1) return assignId(service, body);
            const id = BigInt(service.store.size);
            service.store.remove(id);
            return id;
          },
        };
      }),
    },
    async wire(target) {
      const { response, before } = await firstId(target);
      expectOnWire(before.includes(`"id":${response.id},`), 'a listed identifier is given again');
    },
  },
];
