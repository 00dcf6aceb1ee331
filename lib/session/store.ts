import { z } from 'zod';
import { seedFor } from '../draw/seeded.js';
import { petStatuses, type PetStatus } from '../specification/body-schema.js';
import { defaultPage, fullPage } from '../specification/page-size.js';
import { Inconclusive, NotTested } from '../verdict/outcome.js';
import type { Animal } from '../evidence/animal.js';
import type { Api } from './api.js';
import type { Exchange } from '../evidence/exchange.js';
import { ControlSearch, type Accepted, type NewPet } from './control-search.js';
import { createdAnimal } from '../evidence/exchange.js';
import { getCreated } from './creation.js';
import { ofOneAnimal, type KnownPets } from './known-pets.js';
import type { RetryUntil } from './retry.js';

/** Why a read-only run does not try a requirement. */
export const createsNothing = 'read-only: nothing is sent that could create';

export interface StoreOptions {
  readonly api: Api;
  readonly knownPets: KnownPets;
  readonly retryUntil: RetryUntil;
  readonly readOnly: boolean;
  /** A category that the target is known to accept, configured by the user. */
  readonly categoryId: bigint | undefined;
  /** A name that no other animal has; begins with the run's marker. */
  readonly name: (purpose: string) => string;
  /** Called with what the survey shows, before any name is made: another run may have used the same marker. */
  readonly chooseMarker: (namesInUse: readonly string[]) => void;
}

/** The order of the statuses in an empty store. A service that has a default status most likely has the last. */
const byRarity: readonly PetStatus[] = ['sold', 'pending', 'available'];

/** Creates that are sent at the same moment. */
const burstSize = 10;

const integer = z.union([z.int(), z.bigint()]).transform(BigInt);

/**
 * The target's store as the probes prepare and know it. Every preparation happens once in a run, when the first probe
 * needs it.
 */
export class Store {
  readonly knownPets: KnownPets;
  readonly retryUntil: RetryUntil;
  readonly readOnly: boolean;
  readonly #options: StoreOptions;
  #survey: Promise<Exchange> | undefined;
  #accepted: Promise<Accepted> | undefined;
  #filling: Promise<unknown> = Promise.resolve();
  #hasBurst = false;
  /** The store could not be filled to this many animals: it is not tried again. */
  #unreachableSize = Number.POSITIVE_INFINITY;
  /** How many animals of each status the survey saw on a page. */
  readonly #pageLengths = new Map<PetStatus, number>();
  readonly #search: ControlSearch;
  readonly #memo = new Map<string, Promise<unknown>>();

  constructor(options: StoreOptions) {
    this.#options = options;
    this.#search = new ControlSearch({ ...options, api: options.api.for('control') });
    this.knownPets = options.knownPets;
    this.retryUntil = options.retryUntil;
    this.readOnly = options.readOnly;
  }

  /** The operations, requested for a preparation of this name. */
  api(purpose: string): Api {
    return this.#options.api.for(purpose);
  }

  /** The first request of a run: what is there, and whether the key is accepted. */
  async survey(): Promise<Exchange> {
    this.#survey ??= this.#requestSurvey();
    return this.#survey;
  }

  async #requestSurvey(): Promise<Exchange> {
    const api = this.api('survey');
    const response = await api.listPets();
    const animals = [...(response.animals ?? [])];
    // A first page that may be full: what a probe creates must be distinguishable from what is there already.
    const large = animals.length >= defaultPage && !this.readOnly;
    for (const status of petStatuses) {
      const page = large ? await this.#longestPage(api, status) : undefined;
      const shown = page ? page.animals : animals.filter((animal) => animal.shown.status === status);
      this.#pageLengths.set(status, shown?.length ?? fullPage);
      if (page) animals.push(...(shown ?? []));
    }
    const names = animals.map(({ shown }) => shown.name);
    this.#options.chooseMarker(names.filter((name) => typeof name === 'string'));
    return response;
  }

  /** How many animals of a status the survey saw on a page. */
  surveyed(status: PetStatus): number {
    return this.#pageLengths.get(status) ?? 0;
  }

  /** The statuses by how many animals the survey saw of each, the fewest first. */
  async #byRarity(): Promise<PetStatus[]> {
    await this.survey();
    return byRarity.toSorted((a, b) => this.surveyed(a) - this.surveyed(b));
  }

  /**
   * The status that the store holds the fewest animals of, as far as the survey shows. It is kept for what probes must
   * see: a page of a store that has grown for years shows no more than 100 of a status, perhaps the oldest.
   */
  async rarestStatus(): Promise<PetStatus> {
    const [rarest = 'sold'] = await this.#byRarity();
    return rarest;
  }

  /** Does something once in a run, whoever needs it first; all get its result. */
  async once<Result>(what: string, make: () => Promise<Result>): Promise<Result> {
    const known = this.#memo.get(what) as Promise<Result> | undefined;
    const made = known ?? make();
    this.#memo.set(what, made);
    return made;
  }

  /**
   * A NewPet that the target has accepted in this run. If the target refuses unknown categories, a known one is learnt:
   * configured, otherwise from a listed animal, otherwise by trying.
   * @throws Inconclusive if none was accepted; NotTested in a read-only run.
   */
  async accepted(): Promise<Accepted> {
    this.requireWrites();
    this.#accepted ??= this.#createAccepted();
    return this.#accepted;
  }

  async #createAccepted(): Promise<Accepted> {
    return this.#search.find(await this.rarestStatus(), await this.categories());
  }

  /** The categories that the first listing shows, each once. */
  async categories(): Promise<bigint[]> {
    const { animals = [] } = await this.survey();
    return [...new Set(animals.flatMap(({ shown }) => integer.safeParse(shown.categoryId).data ?? []))];
  }

  /** The last response to a valid body that was to become the control. */
  get lastControl(): Exchange | undefined {
    return this.#search.last;
  }

  /** An animal that exists: the control's, or in a read-only run one that the survey shows. */
  async animal(): Promise<Animal> {
    if (!this.readOnly) return (await this.accepted()).animal;
    const [animal] = (await this.survey()).animals ?? [];
    if (!animal) throw new NotTested('read-only, and no listing shows an animal');
    return animal;
  }

  /** `getPet` of that animal with the valid key: the positive control of refusals on this operation. */
  async got(): Promise<Exchange> {
    return this.once('got', async () => {
      const { id } = await this.animal();
      return getCreated({ api: this.api('control'), retryUntil: this.retryUntil }, id);
    });
  }

  /**
   * A listing with the valid key: the positive control of refusals on this operation. If an empty store gives none, one
   * that holds an animal may.
   */
  async listing(): Promise<Exchange> {
    const survey = await this.survey();
    if (survey.status === 200 || this.readOnly) return survey;
    return this.once('listing', async () => {
      try {
        await this.accepted();
      } catch (error) {
        if (error instanceof Inconclusive) return survey;
        throw error;
      }
      return this.api('control').listPets();
    });
  }

  /** A body like the accepted one, under a name of its own. */
  async newPet(purpose: string): Promise<NewPet> {
    const { body } = await this.accepted();
    return { ...body, name: this.#options.name(purpose) };
  }

  /** The same with the status of the stock: for an animal that need not be seen on a page of a large store. */
  async newPetOfOtherStatus(purpose: string): Promise<NewPet> {
    const status = await this.stockStatus();
    return { ...(await this.newPet(purpose)), ...(status !== undefined && { status }) };
  }

  /**
   * The status of everything else that the run creates: of those that are not kept and that the target accepts, the one
   * with the most animals. Undefined if the target accepts no status.
   */
  async stockStatus(): Promise<PetStatus | undefined> {
    return this.once('stock status', async () => {
      const { body } = await this.accepted();
      if (body.status === undefined) return undefined;
      const others = (await this.#byRarity()).filter((status) => status !== body.status);
      for (const status of others.toReversed()) {
        const newPet = { ...body, name: this.#options.name('stock'), status };
        if (createdAnimal(await this.api('stock').createPet(newPet))) return status;
      }
      return body.status;
    });
  }

  /**
   * A creation with a small `categoryId` that a target that checks categories is unlikely to know, and that no other
   * animal has: if it is accepted, bodies that must be refused carry it, too, so that an animal that they add is found.
   */
  async unknownCategory(): Promise<Exchange> {
    return this.once('unknown category', async () => {
      const body = await this.newPetOfOtherStatus(ofOneAnimal);
      const categoryId = BigInt((seedFor(0, body.name) >>> 2) + 2 ** 30);
      return this.api(ofOneAnimal).createPet({ ...body, categoryId });
    });
  }

  /** @throws NotTested in a read-only run. */
  requireWrites(): void {
    if (this.readOnly) throw new NotTested(createsNothing);
  }

  /**
   * Adds what is missing until the store holds more than `count` animals, or as many of one status.
   * @throws NotTested if it is too small and the run may not write; Inconclusive if creations fail.
   */
  async holdsMoreThan(count: number, ofOneStatus = false): Promise<void> {
    const turn = this.#filling.then(() => this.#fill(count, ofOneStatus));
    this.#filling = turn.catch(() => undefined);
    await turn;
  }

  /** The same as far as the target and the run allow it. Returns how many animals are known to be in the store. */
  async fill(count: number, ofOneStatus = false): Promise<number> {
    try {
      if (!this.readOnly) await this.holdsMoreThan(count, ofOneStatus);
    } catch (error) {
      if (!(error instanceof Inconclusive)) throw error;
    }
    return this.knownPets.known;
  }

  async #fill(count: number, ofOneStatus: boolean): Promise<void> {
    await this.survey();
    const { knownPets } = this;
    const known = (): number =>
      ofOneStatus ? Math.max(...petStatuses.map((status) => knownPets.countKnown(status))) : knownPets.known;
    if (known() > count) return;
    if (this.readOnly) {
      await this.#learnPages(() => known() > count);
      if (known() > count) return;
      throw new NotTested(`read-only, and the store is not known to hold more than ${count} animals`);
    }
    const stock = await this.stockStatus();
    // What bursts lose is seen as long as a page can hold all animals of the status.
    const room = stock ? Math.min(fullPage - 1 - knownPets.countKnown(stock), count + 1 - known()) : 0;
    if (stock && count >= fullPage && room > 0) {
      await this.burst(room);
      await this.retryUntil(
        () => this.#longestPage(this.api('stock'), stock),
        ({ animals = [] }) => animals.length >= knownPets.countKnown(stock),
      );
    }
    for (let round = 0; round < 3 && known() <= count && count < this.#unreachableSize; round += 1)
      await this.burst(count + 1 - known());
    if (known() > count) return;
    this.#unreachableSize = Math.min(count, this.#unreachableSize);
    // Animals that share an identifier count once.
    const see = [...knownPets.created.keys()].some((id) => knownPets.isAmbiguous(id))
      ? 'CREATE-04'
      : 'CREATE-01';
    throw new Inconclusive(`the store could not be filled to more than ${count} animals`, see);
  }

  /** The longest pages of each status show more of a store than one page does: those that most is known of first. */
  async #learnPages(isEnough: () => boolean): Promise<void> {
    const api = this.api('survey');
    for (const status of (await this.#byRarity()).toReversed()) {
      if (isEnough()) return;
      await this.once(`page of ${status}`, async () => this.#longestPage(api, status));
    }
  }

  async #longestPage(api: Api, status: PetStatus): Promise<Exchange> {
    return api.listPets([
      ['status', status],
      ['limit', fullPage],
    ]);
  }

  /** Whether creates have been sent at the same moment in this run. */
  get hasBurst(): boolean {
    return this.#hasBurst;
  }

  /** Adds `count` animals of the stock, several at the same moment. The first two bodies of the run's first are equal. */
  async burst(count: number): Promise<void> {
    const { categoryId } = (await this.accepted()).body;
    const status = await this.stockStatus();
    const bodies = Array.from({ length: count }, () => ({
      name: this.#options.name('stock'),
      categoryId,
      ...(status !== undefined && { status }),
    }));
    const [first] = bodies;
    if (!this.#hasBurst && first && count > 1) bodies[1] = first;
    const api = this.api('stock');
    for (let sent = 0; sent < count; sent += burstSize)
      await api.createTogether(bodies.slice(sent, sent + burstSize));
    this.#hasBurst ||= count > 1;
  }
}
