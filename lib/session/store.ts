import type { Animal } from '../evidence/animal.js';
import type { Exchange } from '../evidence/exchange.js';
import type { Pets } from '../evidence/pets.js';
import { seedFor } from '../draw/seeded.js';
import { petStatuses, type PetStatus } from '../specification/body-schema.js';
import { defaultPage, fullPage } from '../specification/page-size.js';
import { NotTested } from '../verdict/outcome.js';
import type { Client } from '../http/client/client.js';
import type { Credentials } from '../http/exchange/credential.js';
import type { Clock } from '../http/clock/clock.js';
import { Api } from './api.js';
import { categoriesIn, findControl, type NewPet } from './control-search.js';
import { retryWithin, type RetryUntil } from './retry.js';

/** Why a read-only run does not try a requirement. */
export const createsNothing = 'read-only: nothing is sent that could create';

/** A full store holds more animals than this, of one status: several more than a page shows, in case some are cut off. */
export const fullStore = fullPage + 2;
/** Creations that are sent at the same moment, and how often what is missing is sent again. */
const burstSize = 10;
const mostRounds = 3;
/** Categories of listed animals that are tried: some may no longer be valid. */
const mostLearnt = 4;

/** The target's store as the probes prepare it. Every preparation happens once in a run, when a probe first needs it. */
export class Store {
  /** What the names of the run's animals begin with, of which no two are equal; undefined before the survey. */
  marker: string | undefined;
  /** Whether creations have been sent at the same moment in this run. */
  hasBurst = false;
  readonly retryUntil: RetryUntil;
  readonly #named = new Map<string, number>();
  readonly #memo = new Map<string, Promise<unknown>>();
  /** The statuses by how many animals the survey saw of each, the fewest first. A service that has a default status most likely has the last. */
  readonly #byRarity: PetStatus[] = ['sold', 'pending', 'available'];

  /** @param pets what the exchanges so far show of the animals in the store */
  constructor(
    readonly pets: Pets,
    private readonly client: Client,
    private readonly credentials: () => Credentials,
    readonly settings: {
      readonly seed: number;
      readonly clock: Clock;
      readonly target: {
        readonly readOnly: boolean;
        readonly consistencyMs: number;
        readonly categoryId?: bigint | undefined;
      };
    },
  ) {
    const { clock, target } = settings;
    this.retryUntil = retryWithin(target.consistencyMs, clock, client.signal);
  }

  /** The operations, requested for a requirement, by its id, or for a preparation. */
  api(purpose: string): Api {
    return new Api(this.client, this.credentials, purpose);
  }

  get readOnly(): boolean {
    return this.settings.target.readOnly;
  }

  /** Does something once in a run, whoever needs it first; all get its result. */
  async once<Result>(what: string, make: () => Promise<Result>): Promise<Result> {
    const known = this.#memo.get(what) as Promise<Result> | undefined;
    const made = known ?? make();
    this.#memo.set(what, made);
    return made;
  }

  /** The first request of a run: what is there, and whether the key is accepted. */
  async survey(): Promise<Exchange> {
    return this.once('survey', async () => {
      const api = this.api('survey');
      const response = await api.listPets();
      // A first page that may be full: what a probe creates must be distinguishable from what is there already.
      if ((response.animals?.length ?? 0) >= defaultPage)
        for (const status of petStatuses) await api.listPets({ status, limit: fullPage });
      this.#byRarity.sort((one, other) => this.pets.count(one) - this.pets.count(other));
      // The seed decides the marker; if another run has used it already, the next one is taken.
      const inUse = this.pets.listed.map(({ animal }) => String(animal.shown.name));
      for (let salt = 0; this.marker === undefined; salt += 1) {
        const marker = `pc${(seedFor(this.settings.seed, `marker ${salt}`) >>> 0).toString(36)}`;
        if (!inUse.some((name) => name.startsWith(marker))) this.marker = marker;
      }
      return response;
    });
  }

  /** A name that no other animal of the run has. */
  name(purpose: string): string {
    if (this.marker === undefined) throw new Error('names are made after the survey');
    const number = (this.#named.get(purpose) ?? 0) + 1;
    this.#named.set(purpose, number);
    return `${this.marker} ${purpose} ${number}`;
  }

  /**
   * The status that the store holds the fewest animals of, as far as the survey shows. It is kept for what probes must
   * see: a page of a store that has grown for years shows no more than 100 of a status, perhaps the oldest.
   */
  async rarestStatus(): Promise<PetStatus> {
    await this.survey();
    return this.#byRarity[0] ?? 'sold';
  }

  /** If the target refuses unknown categories, a known one is learnt: configured, of a listed animal, otherwise by trying. */
  async #control(): ReturnType<typeof findControl> {
    if (this.readOnly) throw new NotTested(createsNothing);
    return this.once('control', async () => {
      const { categoryId } = this.settings.target;
      const known = categoriesIn(await this.survey()).slice(0, mostLearnt);
      return findControl(this, categoryId === undefined ? known : [categoryId, ...known]);
    });
  }

  /**
   * A NewPet that the target has accepted in this run.
   * @throws Inconclusive if none was accepted; NotTested in a read-only run.
   */
  async accepted(): Promise<NewPet> {
    return (await this.#control()).body;
  }

  /** An animal that exists: the control's, or in a read-only run one that the survey shows. */
  async animal(): Promise<Animal> {
    if (!this.readOnly) return (await this.#control()).animal;
    const [animal] = (await this.survey()).animals ?? [];
    if (!animal) throw new NotTested('read-only, and no listing shows an animal');
    return animal;
  }

  /** `getPet` of that animal with the valid key: the positive control of refusals on this operation. */
  async got(): Promise<Exchange> {
    return this.once('got', async () => {
      const { id } = await this.animal();
      return this.for('control').getCreated(id);
    });
  }

  /** What is sent and created for one purpose: a requirement, by its id, or a preparation. */
  for(purpose: string) {
    const api = this.api(purpose);
    const newPet = async (): Promise<NewPet> => ({ ...(await this.accepted()), name: this.name(purpose) });
    return {
      api,
      /** A name that no other animal of the run has. */
      name: (label?: string) => this.name(label === undefined ? purpose : `${purpose} ${label}`),
      /** A body like one that the target accepted in this run, under a name that no other animal has. */
      newPet,
      /** The same with the status of the stock, for an animal that need not be seen on a page of a large store. */
      newPetOfOtherStatus: async (): Promise<NewPet> => {
        const status = await this.stockStatus();
        return { ...(await newPet()), ...(status !== undefined && { status }) };
      },
      /** `getPet` for an animal that was created: a 404 is retried until it is gone, or the consistency time is over. */
      getCreated: (id: string) =>
        this.retryUntil(
          () => api.getPet(id),
          ({ status }) => status !== 404,
        ),
    };
  }

  /**
   * The status of everything else that the run creates: of those that are not kept and that the target accepts, the one
   * with the most animals. Undefined if the target accepts no status.
   */
  async stockStatus(): Promise<PetStatus | undefined> {
    return this.once('stock status', async () => {
      const { status: kept } = await this.accepted();
      if (kept === undefined) return undefined;
      for (const status of this.#byRarity.toReversed()) {
        if (status === kept) continue;
        const { api, newPet } = this.for('stock');
        if ((await api.createPet({ ...(await newPet()), status })).created) return status;
      }
      return kept;
    });
  }

  /**
   * Adds what is missing until the store holds more than `count` animals, and more than a full page of one status, as far
   * as the target allows it.
   * @throws NotTested if the run may not write, and the store is not known to hold more.
   */
  async fill(count: number): Promise<void> {
    if (!this.readOnly) await this.once(`more than ${count}`, () => this.#fill(count));
    else if (this.pets.count() <= count)
      throw new NotTested(`read-only, and the store is not known to hold more than ${count} animals`);
  }

  async #fill(count: number): Promise<void> {
    const stock = await this.stockStatus();
    const ofStock = count >= fullPage ? stock : undefined;
    const known = (): number => (ofStock ? this.pets.count(ofStock) : this.pets.count());
    const room = fullPage - 1 - known();
    if (ofStock && room > 0) {
      // What bursts lose is seen as long as a page can hold all animals of the status.
      await this.burst(room);
      await this.retryUntil(
        () => this.api('stock').listPets({ status: ofStock, limit: fullPage }),
        ({ animals = [] }) => animals.length >= known(),
      );
    }
    for (let round = 0; round < mostRounds && known() <= count; round += 1)
      await this.burst(count + 1 - known());
  }

  /** Adds animals of the stock, several at the same moment. The first two bodies are equal. */
  async burst(count: number): Promise<void> {
    const { name: _name, ...stock } = await this.for('stock').newPetOfOtherStatus();
    const names = Array.from({ length: count }, () => this.name('stock'));
    const bodies = names.map((name, index) => ({ ...stock, name: names[index === 1 ? 0 : index] ?? name }));
    for (let sent = 0; sent < count; sent += burstSize)
      await this.api('stock').together(bodies.slice(sent, sent + burstSize));
    this.hasBurst ||= count > 1;
  }
}
