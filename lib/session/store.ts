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
import { apiOf, type Api } from './api.js';
import { findControl, type NewPet } from './control-search.js';

/** Why a read-only run does not try a requirement. */
export const createsNothing = 'read-only: nothing is sent that could create';

/** A full store holds more animals than this, of one status: several more than a page shows, in case some are cut off. */
export const fullStore = fullPage + 2;
/** Creations that are sent at the same moment, and how often what is missing is sent again. */
const burstSize = 10;
const mostRounds = 3;
/** Milliseconds before the first repeat, and how many times as long each further one waits: a quick run has few requests. */
const firstPause = 250;
const factor = 3;

/** The target's store as the probes prepare it. Every preparation happens once in a run, when a probe first needs it. */
export class Store {
  /** What the names of the run's animals begin with, of which no two are equal; undefined before the survey. */
  marker: string | undefined;
  /** Whether creations have been sent at the same moment in this run. */
  hasBurst = false;
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
  ) {}

  get readOnly(): boolean {
    return this.settings.target.readOnly;
  }

  /** The operations, requested for a requirement, by its id, or for a preparation. */
  api(purpose: string): Api {
    return apiOf(this.client, this.credentials, purpose);
  }

  /** What is sent and created for one purpose. */
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
      /** A listing, until it shows all of its status that the run has created, or has no room for more. */
      listUntilShown: (status: PetStatus | undefined, limit: number | undefined = fullPage) => {
        const isOf = ({ shown }: Animal): boolean => status === undefined || shown.status === status;
        const expected = this.pets.own.filter(({ animal }) => isOf(animal));
        return this.retryUntil(
          () => api.listPets({ status, limit }),
          ({ animals, length = 0 }) => {
            const listed = new Set(animals?.map(({ id }) => id));
            return !animals || length >= (limit ?? defaultPage) || expected.every(({ id }) => listed.has(id));
          },
        );
      },
    };
  }

  /** Does something once in a run, whoever needs it first; all get its result. */
  async once<Result>(what: string, make: () => Promise<Result>): Promise<Result> {
    const known = this.#memo.get(what) as Promise<Result> | undefined;
    const made = known ?? make();
    this.#memo.set(what, made);
    return made;
  }

  /**
   * Patience with a target that shows with a delay what was created: repeats a request, ever more seldom, until the result
   * is settled, or the consistency time since the first one is over. Returns the last result.
   */
  readonly retryUntil = async <Result>(
    request: () => Promise<Result>,
    settled: (result: Result) => boolean,
  ): Promise<Result> => {
    const { clock, target } = this.settings;
    let result = await request();
    const until = clock.now() + target.consistencyMs;
    for (let pause = firstPause; !settled(result) && clock.now() < until; pause *= factor) {
      await clock.sleep(Math.min(pause, Math.max(1, until - clock.now())), this.client.signal);
      result = await request();
    }
    return result;
  };

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

  async #control(): ReturnType<typeof findControl> {
    if (this.readOnly) throw new NotTested(createsNothing);
    return this.once('control', () => findControl(this));
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
    return this.once('got', async () => this.for('control').getCreated((await this.animal()).id));
  }

  /**
   * The status of everything else that the run creates: of those that are not kept and that the target accepts, the one
   * with the most animals. Undefined if the target accepts no status.
   */
  async stockStatus(): Promise<PetStatus | undefined> {
    return this.once('stock status', async () => {
      const { status: kept } = await this.accepted();
      if (kept === undefined) return undefined;
      for (const status of this.#byRarity.filter((one) => one !== kept).toReversed()) {
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
    const status = count >= fullPage ? await this.stockStatus() : undefined;
    const known = (): number => this.pets.count(status);
    const room = fullPage - 1 - known();
    if (status && room > 0) {
      // What bursts lose is seen as long as a page can hold all animals of the status.
      await this.burst(room);
      await this.for('stock').listUntilShown(status);
    }
    for (let round = 0; round < mostRounds && known() <= count; round += 1)
      await this.burst(count + 1 - known());
  }

  /** Adds animals of the stock, several at the same moment. The first two bodies are equal. */
  async burst(count: number): Promise<void> {
    const { api, name, newPetOfOtherStatus } = this.for('stock');
    const first = await newPetOfOtherStatus();
    const bodies = Array.from({ length: count }, (_, index) =>
      index < 2 ? first : { ...first, name: name() },
    );
    for (let sent = 0; sent < count; sent += burstSize)
      await api.together(bodies.slice(sent, sent + burstSize));
    this.hasBurst ||= count > 1;
  }
}
