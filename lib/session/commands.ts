import * as fc from 'fast-check';
import { Draw } from '../draw/seeded.js';
import type { Animal } from '../evidence/animal.js';
import { petStatuses, type PetStatus } from '../specification/body-schema.js';
import { fullPage } from '../specification/page-size.js';
import type { Probe } from './probe.js';
import { listUntilShown } from './side-effects.js';

/** Sequences that are drawn, and requests that may end them before. */
const sequences = 100;
const mostRequests = 240;
/** Steps of a sequence: long ones reach more states. */
const mostSteps = 20;

/** A command of a sequence, given the animals that the sequence has created so far. It adds the one that it creates. */
type Command = (probe: Probe, created: Animal[]) => Promise<unknown>;

const create =
  (status: PetStatus | undefined): Command =>
  async ({ api, newPet }, created) => {
    const { status: _, ...plain } = await newPet();
    const { created: animal } = await api.createPet(status === undefined ? plain : { ...plain, status });
    if (animal) created.push(animal);
  };

/**
 * Gets an animal, or the identifier after it: another client may have created that one, and any response is right.
 * @param place counts from 0; -1 is the last animal
 */
const get =
  (place: number, isNext = false): Command =>
  async ({ api, getCreated }, created) => {
    const { id } = created.at(place % created.length) ?? {};
    if (id !== undefined) await (isNext ? api.getPet(BigInt(id) + 1n) : getCreated(id));
  };

/** Lists animals until the page shows those that the sequence has created, or is full. */
const list =
  (status: PetStatus | undefined, limit: number | undefined): Command =>
  async (probe, created) => {
    const expected = created.filter(({ shown }) => status === undefined || shown.status === status);
    await listUntilShown(probe, expected, () => probe.api.listPets({ status, limit }));
  };

/**
 * Sends drawn sequences of commands, once in a run: they reach states that no other probe does, and rules judge what
 * they showed.
 */
export async function sendCommands(given: Probe): Promise<void> {
  const { store } = given;
  const probe = { ...given, ...store.for('commands') };
  if (store.readOnly) return;
  await store.once('commands', async () => {
    const { status: kept } = await store.accepted();
    const stock = await store.stockStatus();
    if (stock === undefined) return;
    // Few animals have the third status, so that its page shows all of them.
    const visible = petStatuses.find((status) => status !== kept && status !== stock) ?? stock;
    // Whichever requirement is judged first, the run sends the same.
    const drawn = new Draw(store.settings.seed, 'commands').some(sequenceOf(visible, stock), sequences);
    const before = probe.exchanges.length;
    for (const steps of drawn) {
      if (probe.exchanges.length - before > mostRequests) return;
      // A sequence must show a fault by itself: a creation ends what the one before has left in caches.
      await probe.api.createPet(await probe.newPetOfOtherStatus());
      const created: Animal[] = [];
      // Commands of a step are sent at the same moment.
      for (const step of steps) await Promise.all(step.map((command) => command(probe, created)));
      // What was done shows in what is there afterwards.
      const statuses = new Set(created.map(({ shown }) => shown.status));
      for (const status of petStatuses)
        if (statuses.has(status)) await list(status, fullPage)(probe, created);
    }
  });
}

function sequenceOf(visible: PetStatus, stock: PetStatus): fc.Arbitrary<Command[][]> {
  const pages = fc.tuple(
    fc.constantFrom(visible, visible, stock, undefined),
    fc.constantFrom(fullPage, fullPage, 2, undefined),
  );
  const command = fc.oneof(
    fc.constantFrom(visible, visible, visible, stock, undefined).map(create),
    pages.map(([status, limit]) => list(status, limit)),
    fc.constantFrom(-1, -1, 0, 1).map((place) => get(place)),
    fc.constant(get(-1, true)),
  );
  const step = fc.array(command, { minLength: 1, maxLength: 2 });
  return fc.array(step, { maxLength: mostSteps, size: 'max' });
}
