import * as fc from 'fast-check';
import { Draw } from '../draw/seeded.js';
import type { Animal } from '../evidence/animal.js';
import { petStatuses, type PetStatus } from '../specification/body-schema.js';
import { fullPage } from '../specification/page-size.js';
import type { Probe } from './probe.js';

/** Sequences that are drawn, and requests that may end them before. */
const sequences = 100;
const mostRequests = 240;
/** Steps of a sequence: long ones reach more states. */
const mostSteps = 20;

/** A command of a sequence, as it is drawn: each uses what it needs of the rest. */
interface Command {
  /** Another client may have created the animal of the next identifier, and any response is right. */
  readonly send: 'create' | 'get' | 'get the next identifier' | 'list';
  readonly status: PetStatus | undefined;
  readonly limit: number | undefined;
  /** Of the animal that is fetched, counted from 0; -1 is the last one. */
  readonly place?: number;
}

/** Sends a command, given the animals that its sequence has created so far, and adds the one that it creates. */
async function sendCommand(probe: Probe, created: Animal[], command: Command): Promise<void> {
  const { api, newPet, getCreated, listUntilShown } = probe;
  const { send, status, limit, place = 0 } = command;
  const { id } = created.at(place % created.length) ?? {};
  if (send === 'create') {
    const { status: _, ...plain } = await newPet();
    const { created: animal } = await api.createPet({ ...plain, ...(status && { status }) });
    if (animal) created.push(animal);
  } else if (send === 'list') await listUntilShown(status, limit);
  else if (id !== undefined) await (send === 'get' ? getCreated(id) : api.getPet(BigInt(id) + 1n));
}

/**
 * Sends drawn sequences of commands, once in a run: they reach states that no other probe does, and rules judge what
 * they showed. Whichever requirement is judged first, the run sends the same.
 */
export async function sendCommands(given: Probe): Promise<void> {
  const { store, exchanges } = given;
  if (store.readOnly) return;
  const probe = { ...given, ...store.for('commands') };
  await store.once('commands', async () => {
    const { status: kept } = await store.accepted();
    const stock = await store.stockStatus();
    if (stock === undefined) return;
    // Few animals have the third status, so that its page shows all of them.
    const visible = petStatuses.find((status) => status !== kept && status !== stock) ?? stock;
    const command: fc.Arbitrary<Command> = fc.record({
      send: fc.constantFrom('create', 'get', 'get the next identifier', 'list'),
      status: fc.constantFrom(visible, visible, visible, stock, undefined),
      limit: fc.constantFrom(fullPage, fullPage, 2, undefined),
      place: fc.constantFrom(-1, -1, 0, 1),
    });
    // Commands of a step are sent at the same moment.
    const step = fc.array(command, { minLength: 1, maxLength: 2 });
    const sequence = fc.array(step, { maxLength: mostSteps, size: 'max' });
    const end = exchanges.length + mostRequests;
    for (const steps of new Draw(store.settings.seed, 'commands').some(sequence, sequences)) {
      if (exchanges.length > end) return;
      // A sequence must show a fault by itself: a creation ends what the one before has left in caches.
      await probe.api.createPet(await probe.newPetOfOtherStatus());
      const created: Animal[] = [];
      for (const commands of steps)
        await Promise.all(commands.map((one) => sendCommand(probe, created, one)));
      // What was done shows in what is there afterwards.
      for (const status of petStatuses.filter((one) => created.some(({ shown }) => shown.status === one)))
        await sendCommand(probe, created, { send: 'list', status, limit: fullPage });
    }
  });
}
