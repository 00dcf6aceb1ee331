import { randomBytes } from 'node:crypto';
import { withBehaviour } from '../changes.js';
import { Refusal } from '../operations/refused-request.js';
import type { Variant } from './variant.js';

/** Identifiers that count up or down from a first one. */
function counting(first: bigint, step: bigint): Variant['options'] {
  return withBehaviour(() => {
    let next = first;
    return {
      assignId() {
        const id = next;
        next += step;
        return id;
      },
    };
  });
}

/** The requirements of getPet that cannot be judged after its removal. */
const goneWithGetPet = ['GET-01', 'GET-02', 'GET-03', 'GET-04', 'GET-06', 'DEP-01'] as const;

/** A clock that runs on from ten days after the removal of getPet. */
function afterRemoval(): () => number {
  const shift = Math.max(0, Date.UTC(2030, 11, 15) - Date.now());
  return () => Date.now() + shift;
}

export const identifierVariants: readonly Variant[] = [
  {
    name: 'random-signed-ids',
    title: 'Identifiers are 64 random bits, half of them negative',
    options: withBehaviour(() => ({ assignId: () => randomBytes(8).readBigInt64BE() })),
  },
  { name: 'negative-ids', title: 'Identifiers count down from -1', options: counting(-1n, -1n) },
  { name: 'ids-from-0', title: 'Identifiers count up from 0', options: counting(0n, 1n) },
  {
    name: 'ids-beyond-53-bits',
    title: 'Identifiers count up from 2^53 + 1, which a double rounds',
    options: counting(9_007_199_254_740_993n, 1n),
  },
  {
    name: 'animals-of-others-at-the-edges',
    title: 'Animals of others have the identifiers 0, -1 and 9223372036854775807',
    options: withBehaviour(({ find }) => ({
      find: (id, service) =>
        [0n, -1n, 2n ** 63n - 1n].includes(id)
          ? { id, name: 'Resident', categoryId: 7n, status: 'sold', createdAt: 0 }
          : find(id, service),
    })),
  },
  {
    name: 'ids-in-great-steps',
    title: 'Identifiers count up in steps of 4096 from a time in milliseconds, as snowflakes do',
    options: counting(1_700_000_000_000n << 12n, 4096n),
  },
  {
    name: 'bad-ids-refused-with-400',
    title: 'getPet responds with 400 to an identifier that is not a 64-bit integer',
    options: withBehaviour(({ readPetId }) => ({
      readPetId(text) {
        try {
          return readPetId(text);
        } catch {
          throw new Refusal('invalid-parameter', 'The identifier has to be a 64-bit integer.', 'petId');
        }
      },
    })),
  },
  {
    name: 'ids-read-leniently',
    title: 'getPet reads 012, +12, 12.0 and 12 with a trailing space as 12',
    options: withBehaviour(({ readPetId }) => ({
      readPetId: (text) => readPetId(/^\+?0*(\d+?)(?:\.0+)?\s*$/.exec(text)?.[1] ?? text),
    })),
  },
  {
    name: 'after-removal',
    title: 'The day of its removal has passed, and getPet is gone with 410',
    leavesOpen: goneWithGetPet,
    options: { now: afterRemoval() },
  },
  {
    name: 'after-removal-404',
    title: 'The day of its removal has passed, and getPet responds with 404',
    leavesOpen: goneWithGetPet,
    options: {
      now: afterRemoval(),
      ...withBehaviour(({ refuse }) => ({
        refuse: (refusal, request, service) =>
          refuse(
            refusal.kind === 'removed' ? new Refusal('not-found', refusal.message) : refusal,
            request,
            service,
          ),
      })),
    },
  },
];
