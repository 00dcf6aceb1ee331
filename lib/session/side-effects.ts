import type { Probe } from '../requirement/requirement.js';
import { petStatuses, type PetStatus } from '../specification/body-schema.js';
import { count } from '../usage/count.js';
import type { Judgement } from '../verdict/judgement.js';
import { Inconclusive } from '../verdict/outcome.js';
import { valueText, type Animal } from './animal.js';
import type { Api, Query } from './api.js';
import { ApiResponse } from './api-response.js';
import { createdAnimal } from './creation.js';
import type { RefusedCreation } from './known-pets.js';
import { defaultPage, fullPage } from './store.js';

/** The name of an animal that a run of this suite created: its marker, what it was for, and a number. */
const ownName = /^pc[\da-z]{1,7} [\w -]+ \d+/;

/** A listing requested after everything that the probes created or failed to create. */
export interface Page {
  readonly status: PetStatus | undefined;
  readonly response: ApiResponse;
  /** Undefined if the response is not a listing. */
  readonly animals: readonly Animal[] | undefined;
  /** Undefined if none was given. */
  readonly limit: number | undefined;
}

/** Whether waiting longer can change nothing: a page shows all of these animals, or has no room for more. */
export function showsAllOf(page: Page, expected: readonly Animal[]): boolean {
  const { animals, limit = defaultPage } = page;
  return !animals || animals.length >= limit || expected.every((animal) => showsAnimal(page, animal));
}

export function showsAnimal(page: Page, { id }: Animal): boolean {
  return page.animals?.some((animal) => animal.id === id) === true;
}

/**
 * What the store shows once the probes are through: an animal created after every refused creation (the control), and
 * the pages on which it can be seen.
 */
export class SideEffects {
  constructor(
    readonly control: { readonly animal: Animal; readonly status: PetStatus },
    readonly pages: readonly Page[],
  ) {}

  /**
   * Checks that a refused creation has left no animal: its name is on no page, and a page shows the control, which was
   * created later. If no page shows the control, there is no judgement.
   */
  judgeAbsence(judgement: Judgement, { exchange, name }: RefusedCreation, message: string): void {
    const hasName = ({ shown }: Animal): boolean =>
      shown.name === name || (typeof shown.name === 'number' && String(shown.name) === name);
    const page = this.pages.find(({ animals }) => animals?.some(hasName));
    if (page) {
      judgement.fail([new ApiResponse(exchange), page.response], {
        message,
        expected: `no animal named ${valueText(name)}`,
        received: `it is listed, though the response was ${exchange.response?.status ?? 'without a status'}`,
      });
    } else if (this.pages.some((page) => showsAnimal(page, this.control.animal))) judgement.held();
    else
      judgement.leaveOpen(
        `no page showed the animal that was created after the refused ones${this.leftovers}`,
      );
  }

  /** If earlier runs have filled the page on which the control would be: how many animals are theirs, and what to do. */
  get leftovers(): string {
    const { animals = [] } = this.pages.find(({ status }) => status === this.control.status) ?? {};
    const names = animals.map(({ shown }) => String(shown.name)).filter((name) => ownName.test(name));
    if (names.length === 0) return '';
    return `; earlier runs of this suite left ${names.length} of the ${count(animals.length, 'animal')} on the page of its status (such as ${valueText(names[0])}): remove them, and run again`;
  }
}

/** Prepared once in a run; the probes of the phase share it. */
export async function sideEffects(probe: Probe): Promise<SideEffects> {
  return probe.store.once('side effects', () => prepare(probe));
}

/** A page of animals of one status, or of any; without `limit` as many as the target returns by default. */
export async function requestPage(
  api: Api,
  status: PetStatus | undefined,
  limit: number | undefined,
): Promise<Page> {
  const filter: Query = status === undefined ? [] : [['status', status]];
  const limited = await api.listPets(limit === undefined ? filter : [...filter, ['limit', limit]]);
  // If the longest page is refused, a shorter one may show enough.
  const refused = limit !== undefined && limited.status === 400;
  const response = refused ? await api.listPets(filter) : limited;
  return { status, response, animals: response.animals, limit: refused ? undefined : limit };
}

/** The same, requested again until it shows all that the run created of that status. */
export async function awaitPage(
  { store, retryUntil }: Probe,
  api: Api,
  status: PetStatus | undefined,
  limit: number | undefined,
): Promise<Page> {
  const expected = store.knownPets.listable(status).map(({ animal }) => animal);
  return retryUntil(
    () => requestPage(api, status, limit),
    (page) => showsAllOf(page, expected),
  );
}

async function prepare(probe: Probe): Promise<SideEffects> {
  const { store, profile } = probe;
  const { knownPets } = store;
  const purpose = 'side effects';
  const api = store.api(purpose);
  const newPet = async (): Promise<Readonly<Record<string, unknown>>> => store.newPet(purpose);
  const { status } = (await store.accepted()).body;
  // A run of these requirements alone has refused nothing yet.
  if (knownPets.unauthenticated().length === 0)
    await api.createPet(await newPet(), { as: api.credentials.missing });
  if (knownPets.refused().length === 0) {
    for (const wrong of [{ name: 12_345_678 }, { categoryId: 'none' }, { status: 'none' }])
      await api.createPet({ ...(await newPet()), ...wrong });
  }
  const response = await api.createPet(await newPet());
  const animal = createdAnimal(response);
  if (!animal)
    throw new Inconclusive(
      `the control created after the refused ones was refused: ${String(response)}`,
      'CREATE-01',
    );
  const others = petStatuses.filter((other) => other !== status);
  // A filter shows something only if the store holds it; a run of few requirements has not created each status.
  const missing = others.filter(
    (other) => knownPets.countCreated(other) === 0 && store.surveyed(other) === 0,
  );
  await Promise.all(missing.map(async (other) => api.createPet({ ...(await newPet()), status: other })));
  // One page is waited for, and requested again and again, before the others are requested.
  const underStatus = await awaitPage(probe, api, status, fullPage);
  // Quick has no other request for the filter alone.
  const limit = profile === 'quick' ? undefined : fullPage;
  const [unfiltered, ...underOthers] = await Promise.all([
    awaitPage(probe, api, undefined, fullPage),
    ...others.map((other) => awaitPage(probe, api, other, limit)),
  ]);
  return new SideEffects({ animal, status }, [unfiltered, underStatus, ...underOthers]);
}
