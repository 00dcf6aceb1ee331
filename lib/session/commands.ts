import * as fc from 'fast-check';
import type { Animal } from '../evidence/animal.js';
import { petStatuses, type PetStatus } from '../specification/body-schema.js';
import { defaultPage, fullPage } from '../specification/page-size.js';
import type { Probe } from '../verdict/requirement.js';
import type { Query } from './api.js';

/** Requests that the sequences may cost, and how many there are in the thorough profile. */
const mostRequests = 240;
export const sequences = 100;
/** Steps of a sequence: long ones reach more states. */
const mostSteps = 20;

type Command =
  | { readonly create: PetStatus | undefined }
  /** An animal that the sequence has created, by its place; -1 is the last one. */
  | { readonly get: number }
  /** The identifier after that of the newest animal. Another client may have created one: any response is right. */
  | { readonly getNext: true }
  | { readonly list: PetStatus | undefined; readonly limit: number | undefined };
/** Commands that are sent at the same moment. */
type Step = readonly Command[];

/**
 * Sends drawn sequences of commands, once in a run: they reach states that no other probe does, and rules judge what
 * they showed.
 * @param most sequences; their requests may end them before
 */
export async function sendCommands(probe: Probe, most: number): Promise<void> {
  const { store } = probe;
  if (most > 0 && !store.readOnly) await store.once('commands', () => sendAll(probe, most));
}

async function sendAll(probe: Probe, most: number): Promise<void> {
  const { store, facts } = probe;
  const { status: kept } = (await store.accepted()).body;
  const stock = await store.stockStatus();
  if (stock === undefined) return;
  // Few animals have the third status, so that its page shows all of them.
  const visible = petStatuses.find((status) => status !== kept && status !== stock) ?? stock;
  // Whichever requirement is judged first, the run sends the same.
  const drawn = probe.draw.for('commands').some(sequenceOf(visible, stock, facts.removalDatePassed), most);
  const before = probe.exchanges.length;
  for (const steps of drawn) {
    if (probe.exchanges.length - before > mostRequests) return;
    // A sequence must show a fault by itself: a creation ends what the one before has left in caches.
    await store.api('commands').createPet(await store.newPetOfOtherStatus('commands'));
    await sendSequence(probe, steps);
  }
}

function sequenceOf(visible: PetStatus, stock: PetStatus, isRemoved: boolean): fc.Arbitrary<Step[]> {
  const get: fc.Arbitrary<Command> = fc.oneof(
    fc.record({ get: fc.constantFrom(-1, -1, 0, 1) }),
    fc.constant({ getNext: true } as const),
  );
  const command = fc.oneof<Array<fc.WeightedArbitrary<Command>>>(
    {
      weight: 1,
      arbitrary: fc.record({ create: fc.constantFrom(visible, visible, visible, stock, undefined) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        list: fc.constantFrom(visible, visible, stock, undefined),
        limit: fc.constantFrom(fullPage, fullPage, 2, undefined),
      }),
    },
    { weight: isRemoved ? 0 : 2, arbitrary: get },
  );
  const step = fc.array(command, { minLength: 1, maxLength: 2 });
  return fc.array(step, { maxLength: mostSteps, size: 'max' });
}

async function sendSequence(probe: Probe, steps: readonly Step[]): Promise<void> {
  const created: Animal[] = [];
  for (const step of steps) {
    const made = await Promise.all(step.map((command) => send(probe, command, [...created])));
    created.push(...made.flatMap((animal) => animal ?? []));
  }
  // What was done shows in what is there afterwards.
  const statuses = new Set(created.map(({ shown }) => shown.status));
  for (const status of petStatuses.filter((one) => statuses.has(one)))
    await send(probe, { list: status, limit: fullPage }, created);
}

/** Sends a command. Returns the animal that it created. */
async function send(
  { store, retryUntil }: Probe,
  command: Command,
  created: readonly Animal[],
): Promise<Animal | undefined> {
  const api = store.api('commands');
  if ('create' in command) {
    const { name, categoryId } = await store.newPet('commands');
    const { create: status } = command;
    return (await api.createPet({ name, categoryId, ...(status !== undefined && { status }) })).created;
  }
  if ('list' in command) {
    const { list: status, limit } = command;
    const query: Query = [
      ...(status === undefined ? [] : [['status', status] as const]),
      ...(limit === undefined ? [] : [['limit', limit] as const]),
    ];
    const expected = created.filter(({ shown }) => status === undefined || shown.status === status);
    await retryUntil(
      () => api.listPets(query),
      ({ animals = [], length = fullPage }) => {
        const listed = new Set(animals.map(({ id }) => id));
        return length >= (limit ?? defaultPage) || expected.every(({ id }) => listed.has(id));
      },
    );
    return undefined;
  }
  const { id } = created.at('get' in command ? command.get % created.length : -1) ?? {};
  if (id === undefined) return undefined;
  if ('getNext' in command) await api.getPet(BigInt(id) + 1n);
  else
    await retryUntil(
      () => api.getPet(id),
      ({ status }) => status !== 404,
    );
  return undefined;
}
