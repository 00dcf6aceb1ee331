import { petStatuses, type PetStatus } from '../specification/body-schema.js';
import { ApiResponse } from '../verdict/api-response.js';
import { Inconclusive } from '../verdict/outcome.js';
import type { Judgement } from '../verdict/judgement.js';
import { animalsOf, valueText, type Animal } from './animal.js';
import { createdAnimal } from './creation.js';
import type { Api, Query } from './api.js';
import type { Refusal } from './known-pets.js';
import type { Probe } from './probe.js';
import { defaultPage, type Store } from './store.js';

/** The most animals that a page can hold (section 4.1). */
export const fullPage = 100;

/** A listing asked for after everything that the probes created or failed to create. */
export interface Page {
  readonly status: PetStatus | undefined;
  readonly response: ApiResponse;
  /** Undefined where the target gave no array. */
  readonly animals: readonly Animal[] | undefined;
  /** The limit that was asked for; undefined where none was. */
  readonly limit: number | undefined;
}

/**
 * Whether what is missing from a page may stand on a later one: it holds as many as were asked for. Where no limit was
 * given, or it may not have been kept (LIST-02 to LIST-04 say so), any round number may be all that a page holds.
 *
 * @param longest the most animals that any page of the run has held, where that is known
 */
export function mayBeFull({ animals = [], limit }: Page, longest = 0): boolean {
  const { length } = animals;
  const round = length > 0 && length % 5 === 0;
  if (limit === undefined) return round || length >= defaultPage;
  return length >= limit || (round && length >= longest);
}

/**
 * What the store shows once the probes are through: an animal created after every refused create (the control), and the
 * pages on which it can be seen.
 */
export class SideEffects {
  constructor(
    readonly control: { readonly animal: Animal; readonly status: PetStatus; readonly response: ApiResponse },
    readonly pages: readonly Page[],
  ) {}

  page(status: PetStatus | undefined): Page | undefined {
    return this.pages.find((page) => page.status === status);
  }

  /**
   * A refused create has left no animal: its name is on no page, and a page shows the control, which came later. Where
   * no page shows the control there is no judgement.
   */
  judgeAbsence(judgement: Judgement, { exchange, name }: Refusal, message: string): void {
    const isIt = ({ shown }: Animal): boolean =>
      shown.name === name || (typeof shown.name === 'number' && String(shown.name) === name);
    const shown = this.pages.find((page) => page.animals?.some(isIt) === true);
    if (shown) {
      const received = `listed, though it was answered with ${exchange.response?.status ?? 'no status'}`;
      judgement.check(
        false,
        { message, expected: `no animal named ${valueText(name)}`, received },
        new ApiResponse(exchange),
        shown.response,
      );
      return;
    }
    if (this.pages.some((page) => showsAnimal(page, this.control.animal))) judgement.check(true, { message });
    else judgement.leaveOpen('no page showed the animal that was created after the refused ones');
  }
}

/** Whether nothing is left to wait for on a page: it shows all of these animals, or there is no room for more. */
export function showsAllOf(page: Page, expected: readonly Animal[]): boolean {
  const { animals, limit = defaultPage } = page;
  return !animals || animals.length >= limit || expected.every((animal) => showsAnimal(page, animal));
}

export function showsAnimal(page: Page, { id }: Animal): boolean {
  return page.animals?.some((animal) => animal.id === id) === true;
}

/** Prepared once in a run; the probes of the phase share it. */
export async function sideEffects(probe: Probe): Promise<SideEffects> {
  return probe.store.once('side effects', () => prepare(probe));
}

/** A page of animals of one status, or of any; without `limit` as many as the target gives by default. */
export async function askPage(
  api: Api,
  status: PetStatus | undefined,
  limit: number | undefined,
): Promise<Page> {
  const filter: Query = status === undefined ? [] : [['status', status]];
  const whole = await api.listPets(limit === undefined ? filter : [...filter, ['limit', limit]]);
  // Where the longest page is refused (LIST-02's to say), a shorter one may show enough.
  const refused = limit !== undefined && whole.status === 400;
  const response = refused ? await api.listPets(filter) : whole;
  const animals = response.status === 200 ? animalsOf(response.json) : undefined;
  return { status, response, animals, limit: refused ? undefined : limit };
}

async function prepare({ store, retryUntil, profile }: Probe): Promise<SideEffects> {
  const api = store.api('side effects');
  await store.accepted();
  // A run of these rows alone has refused nothing yet.
  if (store.knownPets.unauthenticated().length === 0) {
    await api.createPet(await store.freshBody('side effects'), { as: api.credentials.missing });
  }
  if (store.knownPets.refused().length === 0) {
    for (const wrong of [{ name: 12_345_678 }, { categoryId: 'none' }, { status: 'none' }]) {
      await api.createPet({ ...(await store.freshBody('side effects')), ...wrong });
    }
  }
  const body = await store.freshBody('side effects');
  const response = await api.createPet(body);
  const animal = createdAnimal(response);
  if (!animal)
    throw new Inconclusive(`the control created after the refused ones was not taken: ${String(response)}`);
  const others = petStatuses.filter((status) => status !== body.status);
  await Promise.all(others.map((status) => createMissing(store, api, status)));
  const awaited = async (status: PetStatus | undefined, limit: number | undefined): Promise<Page> => {
    const expected = store.knownPets.listable(status).map((created) => created.animal);
    return retryUntil(
      () => askPage(api, status, limit),
      (page) => showsAllOf(page, expected),
    );
  };
  // One page is waited for, and asked again and again, before the others are asked for.
  const underStatus = await awaited(body.status, fullPage);
  // Quick has no other request for the filter alone.
  const limit = profile === 'quick' ? undefined : fullPage;
  const [unfiltered, ...underOthers] = await Promise.all([
    awaited(undefined, fullPage),
    ...others.map((status) => awaited(status, limit)),
  ]);
  return new SideEffects({ animal, status: body.status, response }, [
    unfiltered,
    underStatus,
    ...underOthers,
  ]);
}

/** A filter shows something only where the store holds it; a run of few rows has not created each status. */
async function createMissing(store: Store, api: Api, status: PetStatus): Promise<void> {
  if (store.knownPets.countCreated(status) > 0 || store.surveyed(status) > 0) return;
  await api.createPet({ ...(await store.freshBody('side effects')), status });
}
