import { withBehaviour } from '../../changes.js';
import { manyAnimals } from '../../variants/listing-variants.js';
import type { Fault } from '../fault.js';

/** Which identifiers are assigned: CREATE-04 and CREATE-14. */
export const idFaults: readonly Fault[] = [
  {
    name: 'ids-given-twice-in-a-burst',
    title: 'The next identifier is read before it is increased, so that a burst gets one twice',
    breaks: ['CREATE-04', 'LIST-09'],
    options: withBehaviour(() => {
      let last = 0n;
      return {
        async assignId() {
          const next = last + 1n;
          await new Promise((resolve) => setTimeout(resolve, 2));
          last = next;
          return next;
        },
      };
    }),
  },
  {
    name: 'ids-begin-again-after-90',
    title: 'The counter of identifiers overflows at 90 and begins again',
    breaks: ['CREATE-04', 'LIST-09'],
    options: withBehaviour(() => {
      let last = 0n;
      return { assignId: () => (last = (last % 90n) + 1n) };
    }),
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
  },
  {
    name: 'id-taken-from-the-body',
    title: 'An identifier in the body is used if no animal has it yet',
    breaks: ['CREATE-14'],
    options: withBehaviour(({ assignId }) => ({
      assignId: (service, body) =>
        typeof body.id === 'bigint' && !service.store.find(body.id) ? body.id : assignId(service, body),
    })),
  },
  {
    name: 'id-in-the-body-overwrites',
    title: 'An existing identifier in the body overwrites that animal',
    breaks: ['CREATE-14'],
    options: withBehaviour(({ assignId, keep }) => ({
      assignId: (service, body) =>
        typeof body.id === 'bigint' && service.store.find(body.id) ? body.id : assignId(service, body),
      keep(animal, service) {
        if (!service.store.replace(animal)) keep(animal, service);
      },
    })),
  },
  {
    name: 'id-in-the-body-moves-that-animal',
    title: 'A creation with an existing identifier moves that animal to another category, too',
    breaks: ['CREATE-14'],
    options: withBehaviour(({ assignId }) => ({
      assignId(service, body) {
        const animal = typeof body.id === 'bigint' ? service.store.find(body.id) : undefined;
        if (animal) service.store.replace({ ...animal, categoryId: animal.categoryId + 1n });
        return assignId(service, body);
      },
    })),
  },
];
