import { createdAnimal, type Exchange } from '../evidence/exchange.js';
import type { Probe } from '../verdict/requirement.js';
import { petStatuses, type PetStatus } from '../specification/body-schema.js';
import { count } from '../explain/count.js';
import { Inconclusive } from '../verdict/outcome.js';
import { isNameOfSuite, valueText, type Animal } from '../evidence/animal.js';
import type { Api, Query } from './api.js';
import { defaultPage, fullPage } from '../specification/page-size.js';

/** Whether one more page is requested at the end of a run, for what refused creations added late. */
export const looksLate = { quick: false, standard: true, thorough: true };

/** Milliseconds after the last refused creation until which it may show what it left. */
const lateMs = 500;

/** A listing requested after everything that the probes created or failed to create. */
export interface Page {
  readonly status: PetStatus | undefined;
  readonly response: Exchange;
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
export interface SideEffects {
  readonly control: { readonly animal: Animal; readonly status: PetStatus | undefined };
  readonly pages: readonly Page[];
  /** If earlier runs have filled the page on which the control would be: how many animals are theirs, and what to do. */
  readonly leftovers: string;
}

/** What to do if earlier runs have filled a page, for the end of a sentence; empty if none of its animals is theirs. */
export function leftoversOn(animals: readonly Animal[] = []): string {
  const names = animals.map(({ shown }) => String(shown.name)).filter(isNameOfSuite);
  if (names.length === 0) return '';
  return `; earlier runs of this suite left ${names.length} of the ${count(animals.length, 'animal')} on the page of its status (such as ${valueText(names[0])}): remove them, and run again`;
}

/** Creates an animal after the refused ones, and requests pages that would show it, and what they left. */
export async function sendSideEffects(probe: Probe, late: boolean): Promise<void> {
  const { control } = await sideEffects(probe);
  if (late) await probe.store.once('last page', () => lastPage(probe, control.status));
}

const longestBody = 160;

export function sentText({ request: { body = '' } }: Exchange): string {
  return body === '' ? '' : `: ${body.slice(0, longestBody)}${body.length > longestBody ? '…' : ''}`;
}

/** What a refused creation left may be listed later than the animal that was created after it. */
async function lastPage(
  { store, exchanges, waitUntil }: Probe,
  status: PetStatus | undefined,
): Promise<Page> {
  const refused = exchanges.filter(({ operation, response }) => {
    return operation === 'createPet' && (response?.status ?? 0) >= 400;
  });
  await waitUntil(Math.max(...refused.map(({ sentAt }) => sentAt)) + lateMs);
  return requestPage(store.api('side effects'), status);
}

/** Whether a status refuses a creation for what was sent. */
function isRefusal(status = 0): boolean {
  return status >= 400 && status < 500 && status !== 401 && status !== 429;
}

/** Prepared once in a run; the probes of the phase share it. */
export async function sideEffects(probe: Probe): Promise<SideEffects> {
  return probe.store.once('side effects', () => prepare(probe));
}

/** A page of animals of one status, or of any. */
export async function requestPage(api: Api, status: PetStatus | undefined): Promise<Page> {
  const filter: Query = status === undefined ? [] : [['status', status]];
  const limited = await api.listPets([...filter, ['limit', fullPage]]);
  // If the longest page is refused, a shorter one may show enough.
  const refused = limited.status === 400;
  const response = refused ? await api.listPets(filter) : limited;
  return { status, response, animals: response.animals, limit: refused ? undefined : fullPage };
}

/** The same, requested again until it shows all that the run created of that status. */
async function awaitPage(
  { store, retryUntil }: Probe,
  api: Api,
  status: PetStatus | undefined,
): Promise<Page> {
  const expected = store.knownPets.listable(status).map(({ animal }) => animal);
  return retryUntil(
    () => requestPage(api, status),
    (page) => showsAllOf(page, expected),
  );
}

async function prepare(probe: Probe): Promise<SideEffects> {
  const { store } = probe;
  const { knownPets } = store;
  const purpose = 'side effects';
  const api = store.api(purpose);
  const newPet = async (): Promise<Readonly<Record<string, unknown>>> => store.newPet(purpose);
  const creations = probe.exchanges.filter(({ operation }) => operation === 'createPet');
  // A run of these requirements alone has refused nothing yet.
  if (!creations.some(({ credential }) => credential === 'missing'))
    await api.createPet(await newPet(), { as: api.credentials.missing });
  if (!creations.some(({ response }) => isRefusal(response?.status))) {
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
  const status = petStatuses.find((one) => one === animal.shown.status);
  const others = petStatuses.filter((other) => other !== status);
  const { body } = await store.accepted();
  // A filter shows something only if the store holds it; a run of few requirements has not created each status.
  const missing = others.filter(
    (other) => body.status && knownPets.countCreated(other) === 0 && store.surveyed(other) === 0,
  );
  await Promise.all(missing.map(async (other) => api.createPet({ ...(await newPet()), status: other })));
  // One page is waited for, and requested again and again, before the others are requested.
  const underStatus = await awaitPage(probe, api, status);
  const further = await Promise.all(
    [undefined, ...others].map(async (other) => awaitPage(probe, api, other)),
  );
  return {
    control: { animal, status },
    pages: [...further, underStatus],
    leftovers: leftoversOn(underStatus.animals),
  };
}
