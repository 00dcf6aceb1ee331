import type * as fc from 'fast-check';
import type { Probe } from '../../verdict/requirement.js';
import type { PetStatus } from '../../specification/body-schema.js';
import type { Api, Query } from '../api.js';
import { createdAnimal } from '../../evidence/exchange.js';
import { getCreated } from '../creation.js';
import { defaultPage } from '../../specification/page-size.js';

/** An animal that a sequence has created. */
interface Created {
  readonly id: string;
  readonly status: unknown;
  /** The number of the exchange that did. */
  readonly number: number;
}

/** What a sequence of commands has created: later commands are about it. */
export interface Model {
  readonly created: Created[];
}

/** What commands are sent with. */
export interface Sequence {
  readonly probe: Probe;
  readonly api: Api;
}

export type Command = fc.AsyncCommand<Model, Sequence>;

function command(text: string, run: Command['run'], check: Command['check'] = () => true): Command {
  return { check, run, toString: () => text };
}

/** Creates an animal of a status, or without one. */
export function create(status: PetStatus | undefined): Command {
  return command(`createPet ${status ?? ''}`, async ({ created }, { probe, api }) => {
    const { name, categoryId } = await probe.store.newPet('commands');
    const response = await api.createPet({ name, categoryId, ...(status !== undefined && { status }) });
    const animal = createdAnimal(response);
    if (animal)
      created.push({ id: animal.id, status: animal.shown.status, number: Number(response.id.slice(1)) });
  });
}

const anyCreated = ({ created }: Readonly<Model>): boolean => created.length > 0;

/** Gets an animal that the sequence has created. @param place counts from 0; -1 is the last one */
export function get(place: number): Command {
  const run: Command['run'] = async ({ created }, { probe: { retryUntil }, api }) => {
    const known = created.at(place % created.length);
    if (known) await getCreated({ api, retryUntil }, known.id);
  };
  return command(`getPet ${place}`, run, anyCreated);
}

/** Gets the identifier after that of the newest animal. Another client may have created one: any response is right. */
export function getNext(): Command {
  const run: Command['run'] = async ({ created }, { api }) => {
    await api.getPet(BigInt(created.at(-1)?.id ?? 0) + 1n, { unspecified: true });
  };
  return command('getPet of the next identifier', run, anyCreated);
}

/** Lists animals of a status, or all, until the page shows those that the sequence has created, or is full. */
export function list(status: PetStatus | undefined, limit: number | undefined): Command {
  const query: Query = [
    ...(status === undefined ? [] : [['status', status] as const]),
    ...(limit === undefined ? [] : [['limit', limit] as const]),
  ];
  return command(`listPets ${query.join('&')}`, async ({ created }, { probe, api }) => {
    const most = limit ?? defaultPage;
    const expected = created.filter((one) => status === undefined || one.status === status);
    await probe.retryUntil(
      () => api.listPets(query),
      ({ length = most, animals = [] }) => {
        const listed = new Set(animals.map(({ id }) => id));
        return length >= most || expected.every(({ id }) => listed.has(id));
      },
    );
  });
}
