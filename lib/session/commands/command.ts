import * as fc from 'fast-check';
import type { Probe } from '../../requirement/requirement.js';
import type { PetStatus } from '../../specification/body-schema.js';
import type { RequirementId } from '../../specification/catalogue.js';
import { Judgement } from '../../verdict/judgement.js';
import { describeAnimal, valueText } from '../animal.js';
import type { Api, Query } from '../api.js';
import type { ApiResponse } from '../api-response.js';
import { judgeAsCreated, type ShownAnimal } from '../compare-pets.js';
import { defaultPage, fullPage } from '../store.js';

/** What a sequence of commands has created: responses are compared with it. */
export interface Model {
  readonly created: ShownAnimal[];
}

/** A request of a sequence, in words, with the last response to it. */
export interface Step {
  readonly text: string;
  /** Which of the branches that ran at the same time sent it; undefined before and after them. */
  readonly branch: number | undefined;
  response?: ApiResponse;
}

/** One sequence of commands, sent to the target. */
export interface Sequence {
  readonly probe: Probe;
  readonly api: Api;
  readonly branch: number | undefined;
  /** In the order of sending; branches share it. */
  readonly steps: Step[];
}

export type Command = fc.AsyncCommand<Model, Sequence>;

/** The rule of a requirement that a response breaks, as the model sees it. */
export class RuleBroken extends Error {
  override readonly name = 'RuleBroken';
  constructor(readonly judgement: Judgement) {
    super(judgement.findings[0]?.message);
  }

  get id(): RequirementId {
    return this.judgement.id;
  }
}

/** A response that says nothing of the rules: the sequence ends. */
export class SequenceEnded extends Error {
  override readonly name = 'SequenceEnded';
}

/** Sends the request of a step, again and again until its response is settled or the consistency time is over. */
async function request(
  { probe, branch, steps }: Sequence,
  text: string,
  send: () => Promise<ApiResponse>,
  settled: (response: ApiResponse) => boolean = () => true,
): Promise<ApiResponse> {
  const step: Step = { text, branch };
  steps.push(step);
  const response = await probe.retryUntil(send, settled);
  step.response = response;
  if (response.broken !== undefined || response.status === 401) throw new SequenceEnded();
  return response;
}

/** Makes the checks of a requirement. @throws RuleBroken if one does not hold */
function judge(id: RequirementId, checks: (judgement: Judgement) => void): void {
  const judgement = new Judgement(id);
  checks(judgement);
  if (judgement.findings.length > 0) throw new RuleBroken(judgement);
}

function command(text: string, run: Command['run'], check: Command['check'] = () => true): Command {
  return { check, run, toString: () => text };
}

/** Creates an animal of a status, or without one. */
export function create(status: PetStatus | undefined): Command {
  const text = status === undefined ? 'createPet without `status`' : `createPet with \`status\` ${status}`;
  return command(text, async (model, sequence) => {
    const { name, categoryId } = await sequence.probe.store.newPet('commands');
    const sent = { name, categoryId, ...(status !== undefined && { status }) };
    const response = await request(sequence, text, () => sequence.api.createPet(sent));
    // CREATE-02 judges whether `status` is optional.
    if (status === undefined && response.status === 400) throw new SequenceEnded();
    const { animal } = response;
    judge('CREATE-01', (judgement) => {
      if (
        !judgement.status(response, 201, 'a valid body') ||
        !judgement.body('Pet', response, 'a valid body')
      )
        return;
      for (const [field, value] of Object.entries(sent))
        judgement.check(valueText(animal?.shown[field]) === valueText(value), response, () => ({
          message: `the created Pet does not have the \`${field}\` that was sent`,
          expected: valueText(value),
          received: valueText(animal?.shown[field]),
          pointer: `/${field}`,
        }));
    });
    if (!animal) throw new SequenceEnded();
    const earlier = model.created.find((one) => one.animal.id === animal.id);
    judge('CREATE-04', (judgement) =>
      judgement.check(!earlier, [...(earlier ? [earlier.response] : []), response], () => ({
        message: 'two creations returned the same `id`',
        expected: 'an identifier of its own for each animal',
        received: `\`id\` ${animal.id} twice`,
      })),
    );
    model.created.push({ animal, response });
  });
}

const anyCreated = ({ created }: Readonly<Model>): boolean => created.length > 0;

/** Gets an animal that the sequence has created. @param place counts from 0; -1 is the last one */
export function get(place: number): Command {
  const run: Command['run'] = async ({ created }, sequence) => {
    const known = created.at(place % created.length);
    if (!known || sequence.probe.store.knownPets.isAmbiguous(known.animal.id)) throw new SequenceEnded();
    const { id } = known.animal;
    const number = created.indexOf(known) + 1;
    const response = await request(
      sequence,
      `getPet of the animal created ${number === created.length ? 'last' : `as number ${number}`}`,
      () => sequence.api.getPet(id),
      ({ status }) => status !== 404,
    );
    judge('GET-01', (judgement) => {
      if (!judgement.status(response, 200, 'an existing animal')) return;
      const { animal } = response;
      judgement.check(animal?.id === id, [known.response, response], () => ({
        message: 'getPet shows another animal than the one that was requested',
        expected: `\`id\` ${id}`,
        received: String(response),
        pointer: '/id',
      }));
      if (animal) judgeAsCreated(judgement, known, animal, { by: 'getPet', responses: [response] });
    });
  };
  return command(`getPet ${place}`, run, anyCreated);
}

/** Gets the identifier after that of the newest animal. Another client may have created one: any response is right. */
export function getNext(): Command {
  const text = 'getPet of the next identifier';
  const run: Command['run'] = async ({ created }, sequence) => {
    const next = BigInt(created.at(-1)?.animal.id ?? 0) + 1n;
    await request(sequence, text, () => sequence.api.getPet(next, { unspecified: true }));
  };
  return command(text, run, anyCreated);
}

/** Lists animals of a status, or all. */
export function list(status: PetStatus | undefined, limit: number | undefined): Command {
  const query: Query = [
    ...(status === undefined ? [] : [['status', status] as const]),
    ...(limit === undefined ? [] : [['limit', limit] as const]),
  ];
  const text =
    query.length === 0 ? 'listPets' : `listPets with ${query.map((one) => one.join('=')).join('&')}`;
  return command(text, async ({ created }, sequence) => {
    const most = limit ?? defaultPage;
    const expected = created.filter(({ animal }) => status === undefined || animal.shown.status === status);
    const missingFrom = ({ animals = [] }: ApiResponse): ShownAnimal[] => {
      const listed = new Set(animals.map(({ id }) => id));
      return expected.filter(({ animal }) => !listed.has(animal.id));
    };
    const response = await request(
      sequence,
      text,
      () => sequence.api.listPets(query),
      (page) => (page.length ?? most) >= most || missingFrom(page).length === 0,
    );
    const { animals, length = 0 } = response;
    if (!animals) throw new SequenceEnded();
    judge('LIST-02', (judgement) =>
      judgement.check(limit === undefined || length <= limit, response, () => ({
        message: `\`limit=${most}\` returned more animals`,
        expected: `at most ${most}`,
        received: String(length),
      })),
    );
    const other = animals.find(({ shown }) => status !== undefined && (shown.status ?? status) !== status);
    judge('LIST-06', (judgement) =>
      judgement.check(!other, response, () => ({
        message: `\`status=${status ?? ''}\` returns animals of another status`,
        expected: `only animals with \`status\` ${status ?? ''}`,
        received: other && describeAnimal(other),
      })),
    );
    // The target may have a limit of its own, which is another matter.
    const room = length < most && (length === 0 || length % 5 !== 0) && (limit ?? fullPage) === fullPage;
    const [missing] = room ? missingFrom(response) : [];
    judge('LIST-08', (judgement) =>
      judgement.check(!missing, [...(missing ? [missing.response] : []), response], () => ({
        message: 'a created animal is missing from a listing',
        expected: 'every created animal: the page is not full',
        received: missing && `missing: ${describeAnimal(missing.animal)}`,
      })),
    );
  });
}
