import * as fc from 'fast-check';
import type { Probe } from '../../verdict/requirement.js';
import { petStatuses, type PetStatus } from '../../specification/body-schema.js';
import { create, get, getNext, list, type Command, type Model, type Sequence } from './command.js';

/** Requests that the sequences of one kind may cost. */
const mostRequests = 120;
/** Sequences of each kind in the thorough profile. */
export const sequences = 100;
/** Commands of one client: long sequences reach more states. Of several at the same moment few are enough. */
const manyCommands = 20;
const fewCommands = 3;

/**
 * Sends drawn sequences of commands, once in a run: they reach states that no other probe does, and rules judge what
 * they showed.
 * @param most sequences of each kind; their requests may end them before
 */
export async function sendCommands(probe: Probe, most: number): Promise<void> {
  const { store } = probe;
  if (most > 0 && !store.readOnly) await store.once('commands', () => sendAll(probe, most));
}

async function sendAll(probe: Probe, most: number): Promise<void> {
  const { store, facts } = probe;
  const kept = (await store.accepted()).body.status;
  const stock = await store.stockStatus();
  if (stock === undefined) return;
  // Few animals have the third status, so that its page shows all of them.
  const visible = petStatuses.find((status) => status !== kept && status !== stock) ?? stock;
  // Whichever requirement is judged first, the run sends the same.
  const seed = probe.draw.for('commands').seed();
  for (const drawn of drawnSequences(visible, stock, facts.removalDatePassed))
    await sendSequences(probe, fc.sample(drawn, { seed, numRuns: most }));
}

interface Drawn {
  readonly first: Iterable<Command>;
  /** Sent at the same moment, after the first ones. */
  readonly branches: ReadonlyArray<Iterable<Command>>;
}

/** Sequences of one client, and of two at the same moment. */
function drawnSequences(
  visible: PetStatus,
  stock: PetStatus,
  removed: boolean,
): ReadonlyArray<fc.Arbitrary<Drawn>> {
  const commands: Array<fc.Arbitrary<Command>> = [
    fc.constantFrom(visible, visible, visible, stock, undefined).map((status) => create(status)),
    fc
      .record({
        status: fc.constantFrom(visible, visible, stock, undefined),
        limit: fc.constantFrom(100, 100, 2, undefined),
      })
      .map(({ status, limit }) => list(status, limit)),
    ...(removed
      ? []
      : [fc.constantFrom(-1, -1, 0, 1).map((place) => get(place)), fc.constant(null).map(() => getNext())]),
  ];
  const many = fc.commands(commands, { maxCommands: manyCommands, size: 'max' });
  const few = fc.commands(commands, { maxCommands: fewCommands, size: 'max' });
  return [
    fc.record({ first: many, branches: fc.constant([]) }),
    fc.record({ first: few, branches: fc.tuple(few, few) }),
  ];
}

/** Sends sequences until their requests are spent. */
async function sendSequences(probe: Probe, drawn: readonly Drawn[]): Promise<void> {
  const api = probe.store.api('commands');
  const before = probe.exchanges.length;
  const sent = (): number =>
    probe.exchanges.slice(before).filter(({ purpose }) => purpose === 'commands').length;
  for (const commands of drawn) {
    if (sent() > mostRequests) return;
    // A sequence must show a fault by itself: a creation ends what the one before has left in caches.
    await api.createPet(await probe.store.newPetOfOtherStatus('commands'));
    await send(commands, { probe, api });
  }
}

async function send({ first, branches }: Drawn, sequence: Sequence): Promise<void> {
  const model: Model = { created: [] };
  await fc.asyncModelRun(() => ({ model, real: sequence }), first);
  await sendBranches(branches, model, sequence);
  // What was done shows in what is there afterwards.
  const statuses = new Set(model.created.map(({ status }) => status));
  for (const status of petStatuses) if (statuses.has(status)) await list(status, 100).run(model, sequence);
}

/**
 * Sends the first commands of all branches at the same moment, then the second ones, and so on. The order of sending,
 * and what each command knows of the store, then depend on no response time.
 */
async function sendBranches(branches: Drawn['branches'], model: Model, sequence: Sequence): Promise<void> {
  const drawn = branches.map((commands) => [...commands]);
  const rounds = Math.max(0, ...drawn.map(({ length }) => length));
  for (let round = 0; round < rounds; round += 1) {
    const before = model.created.length;
    const runs = drawn.map(async (commands) => {
      const command = commands[round];
      if (command?.check(model)) await command.run(model, sequence);
    });
    const failed = (await Promise.allSettled(runs)).find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
    // By the numbers of the exchanges: responses come in any order.
    model.created.push(...model.created.splice(before).toSorted((a, b) => a.number - b.number));
  }
}
