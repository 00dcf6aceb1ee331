import { z } from 'zod';
import { Inconclusive, NotTested } from '../verdict/outcome.js';
import { petStatuses, type PetStatus } from '../specification/body-schema.js';
import type { ApiResponse } from '../verdict/api-response.js';
import { animalsOf, type Animal } from './animal.js';
import { createdAnimal } from './creation.js';
import type { Api } from './api.js';
import type { RetryUntil } from './retry-until.js';
import type { KnownPets } from './known-pets.js';

/** Why a read-only run leaves a requirement out. */
export const createsNothing = 'read-only: nothing is sent that could create';

/** A body that the target took in this run, with the animal that it made of it: the positive control of refusals. */
export interface Accepted {
  readonly body: { readonly name: string; readonly categoryId: bigint; readonly status: PetStatus };
  readonly animal: Animal;
  readonly response: ApiResponse;
}

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

/** Animals on a page where no limit is given (section 4.1). */
export const defaultPage = 20;

/** Creates that go out at the same moment. */
const atOnce = 12;

/** Categories of listed animals that are tried: one of them may be given up by now. */
const mostLearnt = 4;
const integer = z.union([z.int(), z.bigint()]).transform(BigInt);

/** Categories tried, one after the other, where the target refuses one that it does not know. */
const triedCategories = [1n, 2n, 3n, 0n, 10n, 100n, 1000n];
/** Of them, those that are tried again with each other status. */
const mostRetried = 3;

/**
 * The target's store as the probes prepare and know it. Every preparation happens once in a run, when the first probe
 * asks for it.
 */
export class Store {
  readonly #options: StoreOptions;
  #survey: Promise<ApiResponse> | undefined;
  #accepted: Promise<Accepted> | undefined;
  #stocking: Promise<unknown> = Promise.resolve();
  #hasBurst = false;
  /** More animals than this could not be had: it is not tried again. */
  #unfillable = Number.POSITIVE_INFINITY;
  /** How many animals of each status the survey saw on a page. */
  readonly #pageLengths = new Map<PetStatus, number>();
  #lastControl: ApiResponse | undefined;
  readonly #memo = new Map<string, Promise<unknown>>();

  constructor(options: StoreOptions) {
    this.#options = options;
  }

  get knownPets(): KnownPets {
    return this.#options.knownPets;
  }

  /** Patience with what is shown late. */
  get retryUntil(): RetryUntil {
    return this.#options.retryUntil;
  }

  /** The operations, asked for a preparation of this name. */
  api(purpose: string): Api {
    return this.#options.api.for(purpose);
  }

  get readOnly(): boolean {
    return this.#options.readOnly;
  }

  /** The first request of a run: what is there, and whether the key is accepted. */
  async survey(): Promise<ApiResponse> {
    this.#survey ??= this.#ask();
    return this.#survey;
  }

  async #ask(): Promise<ApiResponse> {
    const api = this.api('survey');
    const response = await api.listPets();
    const animals = [...(animalsOf(response.json) ?? [])];
    // A first page that may be full: what a probe creates has to be seen beside what is there already.
    if (animals.length >= defaultPage && !this.#options.readOnly) {
      for (const status of petStatuses) {
        const page = await this.#longestPage(api, status);
        const shown = page.status === 200 ? animalsOf(page.json) : undefined;
        this.#pageLengths.set(status, shown?.length ?? 100);
        animals.push(...(shown ?? []));
      }
    } else {
      for (const status of petStatuses) {
        this.#pageLengths.set(status, animals.filter(({ shown }) => shown.status === status).length);
      }
    }
    const names = animals.map(({ shown }) => shown.name);
    this.#options.chooseMarker(names.filter((name) => typeof name === 'string'));
    return response;
  }

  /** How many animals of a status the survey saw on a page. */
  surveyed(status: PetStatus): number {
    return this.#pageLengths.get(status) ?? 0;
  }

  /**
   * The status that the store holds the least animals of, as far as the survey shows: what is created under it is the
   * likeliest to be seen on a page of a large store.
   */
  async rarestStatus(): Promise<PetStatus> {
    await this.survey();
    return [...petStatuses].sort((a, b) => this.surveyed(a) - this.surveyed(b))[0] ?? 'pending';
  }

  /** Does something once in a run, whoever asks first; all get its result. */
  async once<Result>(what: string, make: () => Promise<Result>): Promise<Result> {
    const known = this.#memo.get(what) as Promise<Result> | undefined;
    const made = known ?? make();
    this.#memo.set(what, made);
    return made;
  }

  /**
   * A NewPet that the target has taken in this run. Where it refuses categories that it does not know, a known one is
   * learnt: configured, else from a listed animal, else by trying.
   * @throws Inconclusive where none was taken; NotTested in a read-only run.
   */
  async accepted(): Promise<Accepted> {
    this.requireWrites();
    this.#accepted ??= this.#createAccepted();
    return this.#accepted;
  }

  async #createAccepted(): Promise<Accepted> {
    const survey = await this.survey();
    const status = await this.rarestStatus();
    const listed = (animalsOf(survey.json) ?? []).map(({ shown }) => shown.categoryId);
    const learnt = listed.flatMap((value) => integer.safeParse(value).data ?? []);
    const { categoryId } = this.#options;
    const candidates = [categoryId, ...[...new Set(learnt)].slice(0, mostLearnt), ...triedCategories];
    const distinct = [...new Set(candidates.filter((value) => value !== undefined))];
    // Where no category will do, it may be the status that is refused, which is CREATE-03's to say.
    const others = petStatuses.filter((other) => other !== status);
    const tried = [
      ...distinct.map((candidate) => ({ categoryId: candidate, status })),
      ...others.flatMap((other) =>
        distinct.slice(0, mostRetried).map((candidate) => ({ categoryId: candidate, status: other })),
      ),
    ];
    let last: ApiResponse | undefined;
    for (const fields of tried) {
      const body = { name: this.#options.name('control'), ...fields };
      last = await this.#options.api.for('control').createPet(body);
      this.#lastControl = last;
      const animal = createdAnimal(last);
      if (animal) return { body: { ...body, name: nameOf(last, body.name) }, animal, response: last };
      if (last.status !== 400) break;
    }
    throw new Inconclusive(
      last?.status === 400
        ? `the target took no valid body as a control: it refused every category and status tried (last answer: ${last.toString()}); name a known one with NAME_CATEGORY_ID`
        : `the target took no valid body as a control (answer: ${last?.toString() ?? 'none'}; see CREATE-01)`,
    );
  }

  /** The last answer to a valid body that was to become the control. */
  get lastControl(): ApiResponse | undefined {
    return this.#lastControl;
  }

  /** An animal that is there: the control's, or in a read-only run one that the survey shows. */
  async animal(): Promise<Animal> {
    if (!this.#options.readOnly) return (await this.accepted()).animal;
    const [animal] = animalsOf((await this.survey()).json) ?? [];
    if (!animal) throw new NotTested('read-only, and the store shows no animal to ask for');
    return animal;
  }

  /** `getPet` of that animal with the valid key: the positive control of refusals on this operation. */
  async got(): Promise<ApiResponse> {
    return this.once('got', async () => {
      const { id } = await this.animal();
      const api = this.api('control');
      return this.#options.retryUntil(
        () => api.getPet(id),
        ({ status }) => status !== 404,
      );
    });
  }

  /**
   * A listing with the valid key: the positive control of refusals on this operation. Where an empty store gives none,
   * one that holds an animal may.
   */
  async listing(): Promise<ApiResponse> {
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

  /** A body like the accepted one under a name of its own. */
  async freshBody(purpose: string): Promise<Accepted['body']> {
    const { body } = await this.accepted();
    return { ...body, name: this.#options.name(purpose) };
  }

  /** The same under a status that is not the quiet one: for what need not be seen on a page of a large store. */
  async plainBody(purpose: string): Promise<Accepted['body']> {
    const body = await this.freshBody(purpose);
    return { ...body, status: petStatuses.find((status) => status !== body.status) ?? body.status };
  }

  /** @throws NotTested in a read-only run. */
  requireWrites(): void {
    if (this.#options.readOnly) throw new NotTested(createsNothing);
  }

  /**
   * Sees to it that the store holds more than `count` animals, adding what is missing.
   * @throws NotTested where it is too small and the run may not write; Inconclusive where creations fail.
   */
  async holdsMoreThan(count: number): Promise<void> {
    const turn = this.#stocking.then(() => this.#stock(count));
    this.#stocking = turn.catch(() => undefined);
    await turn;
  }

  async #stock(count: number): Promise<void> {
    await this.survey();
    const { knownPets } = this.#options;
    if (knownPets.known > count) return;
    if (this.#options.readOnly) {
      await this.#learnPages();
      if (knownPets.known > count) return;
      throw new NotTested(`read-only, and the store is not known to hold more than ${count} animals`);
    }
    const tooMany = new Inconclusive(`the store could not be filled to more than ${count} animals`);
    if (count >= this.#unfillable) throw tooMany;
    for (let round = 0; round < 3 && knownPets.known <= count; round += 1)
      await this.burst(count + 1 - knownPets.known);
    if (knownPets.known > count) return;
    this.#unfillable = count;
    throw tooMany;
  }

  /** The longest pages of each status show more of a store than one page does. */
  async #learnPages(): Promise<void> {
    await this.once('pages', async () =>
      Promise.all(petStatuses.map(async (status) => this.#longestPage(this.api('survey'), status))),
    );
  }

  async #longestPage(api: Api, status: PetStatus): Promise<ApiResponse> {
    return api.listPets([
      ['status', status],
      ['limit', 100],
    ]);
  }

  /** Whether creates have gone out at the same moment in this run. */
  get hasBurst(): boolean {
    return this.#hasBurst;
  }

  /**
   * Adds `count` animals, several at the same moment. None of them has the quiet status, so that what probes create
   * under that is seen.
   */
  async burst(count: number): Promise<void> {
    const { body } = await this.accepted();
    const statuses = petStatuses.filter((status) => status !== body.status);
    const bodies = Array.from({ length: count }, (_, index) => ({
      name: this.#options.name('stock'),
      categoryId: body.categoryId,
      status: statuses[index % statuses.length] ?? body.status,
    }));
    const api = this.api('stock');
    for (let sent = 0; sent < count; sent += atOnce)
      await api.createTogether(bodies.slice(sent, sent + atOnce));
    this.#hasBurst ||= count > 1;
  }
}

function nameOf(response: ApiResponse, otherwise: string): string {
  const { sent } = response;
  return typeof sent === 'object' && sent !== null && 'name' in sent && typeof sent.name === 'string'
    ? sent.name
    : otherwise;
}
