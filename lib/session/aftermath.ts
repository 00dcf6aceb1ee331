import { petStatuses, type PetStatus } from '../specification/schemas.js';
import { Answer } from '../verdict/answer.js';
import { Inconclusive } from '../verdict/outcome.js';
import type { Trial } from '../verdict/trial.js';
import { animalOf, animalsOf, type Animal } from './animal.js';
import type { Query } from './api.js';
import type { Refusal } from './herd.js';
import type { Probe } from './probe.js';
import { defaultPage } from './store.js';

/** The most animals that a page can hold (section 4.1). */
export const fullPage = 100;

/** A listing asked for after everything that the probes created or failed to create. */
export interface Page {
  readonly status: PetStatus | undefined;
  readonly answer: Answer;
  /** Undefined where the target gave no array. */
  readonly animals: readonly Animal[] | undefined;
  /** How many it may hold. */
  readonly limit: number;
}

/**
 * What the store shows once the probes are through: an animal created after every refused create (the control), and the
 * pages on which it can be seen.
 */
export class Aftermath {
  constructor(
    readonly control: { readonly animal: Animal; readonly status: PetStatus; readonly answer: Answer },
    readonly pages: readonly Page[],
  ) {}

  page(status: PetStatus | undefined): Page | undefined {
    return this.pages.find((page) => page.status === status);
  }

  /**
   * A refused create has left no animal: its name is on no page, and a page shows the control, which came later. Where
   * no page shows the control there is no judgement.
   */
  judgeAbsence(trial: Trial, { exchange, name }: Refusal, message: string): void {
    const shown = this.pages.find((page) => page.animals?.some((animal) => animal.shown.name === name) === true);
    if (shown) {
      const received = `listed, though it was answered with ${exchange.response?.status ?? 'no status'}`;
      trial.check(false, { message, expected: 'no animal of that name', received }, new Answer(exchange), shown.answer);
      return;
    }
    if (this.pages.some((page) => showsAnimal(page, this.control.animal))) trial.check(true, { message });
    else trial.unjudged('no page showed the animal that was created after the refused ones');
  }
}

export function showsAnimal(page: Page, { id }: Animal): boolean {
  return page.animals?.some((animal) => animal.id === id) === true;
}

/** Prepared once in a run; the probes of the phase share it. */
export async function aftermath(probe: Probe): Promise<Aftermath> {
  return probe.store.once('aftermath', () => prepare(probe));
}

async function prepare({ store, eventually }: Probe): Promise<Aftermath> {
  const api = store.api('aftermath');
  await store.accepted();
  // A run of these rows alone has refused nothing yet.
  if (store.herd.unauthenticated().length === 0) {
    await api.createPet(await store.freshBody('aftermath'), { as: api.credentials.missing });
  }
  if (store.herd.refused().length === 0) {
    await api.createPet({ ...(await store.freshBody('aftermath')), categoryId: 'none' });
  }
  const body = await store.freshBody('aftermath');
  const answer = await api.createPet(body);
  const animal = answer.status === 201 ? animalOf(answer.json) : undefined;
  if (!animal) throw new Inconclusive(`the control created after the refused ones was not taken: ${String(answer)}`);
  const ask = async (status: PetStatus | undefined): Promise<Page> => {
    const filter: Query = status === undefined ? [] : [['status', status]];
    const whole = await api.listPets([...filter, ['limit', fullPage]]);
    // Where the longest page is refused (LIST-02's to say), a shorter one may show enough.
    const refused = whole.status === 400;
    const listing = refused ? await api.listPets(filter) : whole;
    const animals = listing.status === 200 ? animalsOf(listing.json) : undefined;
    return { status, answer: listing, animals, limit: refused ? defaultPage : fullPage };
  };
  const awaited = async (status: PetStatus | undefined): Promise<Page> =>
    eventually(
      () => ask(status),
      (page) => (page.animals?.length ?? fullPage) >= page.limit || showsAnimal(page, animal),
    );
  const others = petStatuses.filter((status) => status !== body.status);
  // The control shows when the listing has caught up; the other states are asked for after it.
  const own = await Promise.all([awaited(undefined), awaited(body.status)]);
  const pages = [...own, ...(await Promise.all(others.map(ask)))];
  return new Aftermath({ animal, status: body.status, answer }, pages);
}
