import * as fc from 'fast-check';
import type { Finding } from '../../record/record.js';
import type { Probe } from '../../requirement/requirement.js';
import { petStatuses, type PetStatus } from '../../specification/body-schema.js';
import type { RequirementId } from '../../specification/catalogue.js';
import type { Judgement } from '../../verdict/judgement.js';
import { commandsInTurn } from '../reproduce.js';
import {
  create,
  get,
  getNext,
  list,
  RuleBroken,
  SequenceEnded,
  type Command,
  type Model,
  type Sequence,
  type Step,
} from './command.js';

/** Requests that a search, and making its counterexample small, may cost. */
const mostRequests = 120;
const mostRequestsToShrink = 300;
/** Sequences of a search in the thorough profile. */
export const sequences = 100;
/** Commands of one client: long sequences reach more states. Of several at the same moment few are enough. */
const manyCommands = 20;
const fewCommands = 3;

/**
 * Adds to a requirement what sequences of commands have shown of it. They are drawn, sent once in a run, and compared
 * with a small model of the store; a counterexample is made as small as possible.
 * @param most sequences of a search; its requests may end it before
 */
export async function judgeCommands(probe: Probe, most: number): Promise<void> {
  const { judgement } = probe;
  const found = await sendCommands(probe, most);
  if (found) addTo(judgement, found.get(judgement.id));
}

/** Sends the same sequences for a rule that judges what they showed. */
export async function sendCommands(
  probe: Probe,
  most: number,
): Promise<ReadonlyMap<RequirementId, Finding> | undefined> {
  const { store } = probe;
  if (most === 0 || store.readOnly) return undefined;
  return store.once('commands', () => search(probe, most));
}

function addTo(judgement: Judgement, finding: Finding | undefined): void {
  if (finding) judgement.add(1, [finding]);
  else judgement.held();
}

async function search(probe: Probe, most: number): Promise<ReadonlyMap<RequirementId, Finding>> {
  const { store, facts } = probe;
  const kept = (await store.accepted()).body.status;
  const stock = await store.stockStatus();
  if (stock === undefined) return new Map();
  // Few animals have the third status, so that its page shows all of them.
  const visible = petStatuses.find((status) => status !== kept && status !== stock) ?? stock;
  // Whichever requirement is judged first, the run sends the same.
  const seed = probe.draw.for('commands').seed();
  const found = new Map<RequirementId, Finding>();
  for (const drawn of drawnSequences(visible, stock, facts.removalDatePassed)) {
    const smallest = await smallestSequence(probe, drawn, { seed, numRuns: most }, new Set(found.keys()));
    if (smallest) found.set(...smallest);
  }
  return found;
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

/** Searches for a sequence that breaks a rule of a requirement not `known` yet, and makes it small. */
async function smallestSequence(
  probe: Probe,
  drawn: fc.Arbitrary<Drawn>,
  search: { readonly seed: number; readonly numRuns: number },
  known: ReadonlySet<RequirementId>,
): Promise<readonly [RequirementId, Finding] | undefined> {
  const api = probe.store.api('commands');
  let smallest: { readonly broken: RuleBroken; readonly steps: readonly Step[] } | undefined;
  let stopped: unknown;
  const before = probe.exchanges.length;
  let left = mostRequests;
  const property = fc.asyncProperty(drawn, async (commands) => {
    // Beyond the budget every sequence counts as right, which ends the search.
    if (stopped !== undefined || sentSince(probe, before) > left) return;
    const steps: Step[] = [];
    try {
      // A sequence must show the fault by itself: a creation ends what the one before has left in caches.
      await api.createPet(await probe.store.newPetOfOtherStatus('commands'));
      await send(commands, { probe, api, branch: undefined, steps });
    } catch (error) {
      if (error instanceof SequenceEnded) return;
      if (!(error instanceof RuleBroken)) {
        stopped = error;
        return;
      }
      if (known.has(error.id) || (smallest && smallest.broken.id !== error.id)) return;
      if (!smallest) left = sentSince(probe, before) + mostRequestsToShrink;
      smallest = { broken: error, steps };
      throw error;
    }
  });
  await fc.check(property, search);
  if (stopped !== undefined) throw stopped;
  return smallest && [smallest.broken.id, findingOf(smallest.broken, smallest.steps)];
}

function sentSince({ exchanges }: Probe, before: number): number {
  return exchanges.slice(before).filter(({ purpose }) => purpose === 'commands').length;
}

async function send({ first, branches }: Drawn, sequence: Sequence): Promise<void> {
  const model: Model = { created: [] };
  await fc.asyncModelRun(() => ({ model, real: sequence }), first);
  await sendBranches(branches, model, sequence);
  // What was done shows in what is there afterwards.
  const statuses = new Set(model.created.map(({ animal }) => animal.shown.status));
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
    const runs = drawn.map(async (commands, branch) => {
      const command = commands[round];
      if (command?.check(model)) await command.run(model, { ...sequence, branch });
    });
    const failed = (await Promise.allSettled(runs)).find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
    // By the numbers of the exchanges: responses come in any order.
    const created = model.created.splice(before);
    model.created.push(...created.toSorted((a, b) => numberOf(a) - numberOf(b)));
  }
}

function numberOf({ response }: Model['created'][number]): number {
  return Number(response.id.slice(1));
}

/** The finding of a broken rule: the commands that show it, with their exchanges. */
function findingOf({ judgement }: RuleBroken, steps: readonly Step[]): Finding {
  const [finding = { message: '', exchanges: [] }] = judgement.findings;
  const texts = steps.map(({ text, branch }) =>
    branch === undefined ? text : `${text} (at the same moment, client ${branch + 1})`,
  );
  return {
    ...finding,
    message: `${finding.message}, after these requests: ${texts.join('; ')}`,
    exchanges: [...new Set([...steps.flatMap(({ response }) => response?.id ?? []), ...finding.exchanges])],
    reproduce: reproduceOf(steps),
  };
}

/** A shell command that sends the same again, on one line. */
function reproduceOf(steps: readonly Step[]): string {
  const sent = steps.flatMap(({ branch, response }) => (response ? [{ branch, response }] : []));
  const commands = commandsInTurn(sent.map(({ response }) => response));
  const lines = sent.map(({ branch }, index) => ({ branch, text: commands[index] ?? '' }));
  const of = (branch: number | undefined, some = lines): string =>
    some.flatMap((one) => (one.branch === branch ? [`${one.text};`] : [])).join(' ');
  const together = [of(0), of(1)].flatMap((text) => (text === '' ? [] : [`{ ${text} } &`]));
  if (together.length === 0) return commands.join('; ');
  const begin = lines.findIndex(({ branch }) => branch !== undefined);
  return [of(undefined, lines.slice(0, begin)), ...together, 'wait;', of(undefined, lines.slice(begin))]
    .join(' ')
    .trim()
    .replace(/;$/u, '');
}
