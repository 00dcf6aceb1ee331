import { everySpelling } from '../draw/json-spelling.js';
import { petStatuses, type PetStatus } from '../specification/body-schema.js';
import { Inconclusive } from '../verdict/outcome.js';
import type { Animal } from '../evidence/animal.js';
import type { Api } from './api.js';
import { createdAnimal, type Exchange } from '../evidence/exchange.js';

/** A body that a service has no reason to refuse. Without `status` if the target refuses every one that is given. */
export type NewPet = Readonly<{ name: string; categoryId: bigint; status?: PetStatus }>;
type Candidate = Omit<NewPet, 'name'>;

/** A body that the target accepted in this run, and the animal that it created: the positive control of refusals. */
export interface Accepted {
  readonly body: NewPet;
  readonly animal: Animal;
  readonly response: Exchange;
}

export interface ControlOptions {
  readonly api: Api;
  /** A category that the target is known to accept, configured by the user. */
  readonly categoryId: bigint | undefined;
  /** A name that no other animal has. */
  readonly name: (purpose: string) => string;
}

/** Categories of listed animals that are tried: some may no longer be valid. */
const mostLearnt = 4;
/** Categories that are tried, one after the other, if the target refuses unknown ones. */
const triedCategories = [1n, 2n, 3n, 0n, 10n, 100n, 1000n];
/** Of them, those that are tried again with each other status. */
const mostRetried = 3;

/**
 * Looks for a body that the target accepts. If the target refuses unknown categories, a known one is learnt: configured,
 * otherwise from a listed animal, otherwise by trying.
 */
export class ControlSearch {
  readonly #options: ControlOptions;
  #last: Exchange | undefined;

  constructor(options: ControlOptions) {
    this.#options = options;
  }

  /** The last response to a valid body that was to become the control. */
  get last(): Exchange | undefined {
    return this.#last;
  }

  /**
   * Sends bodies until one is accepted.
   * @param status the one that is tried first
   * @param listed categories that the target shows
   * @throws Inconclusive if none is accepted.
   */
  async find(status: PetStatus, listed: readonly bigint[]): Promise<Accepted> {
    const [plain, ...others] = this.#candidates(status, listed);
    const { categoryId } = plain;
    // In another spelling first: if it is accepted, that costs no request.
    const spelled = await this.#try([plain], everySpelling);
    if (spelled) return spelled;
    if (!this.#isUnjudged) {
      const compact = await this.#try([plain]);
      if (compact) return compact;
    }
    // If a body is refused with a status and accepted without, the status was the reason, and not the category.
    const accepted =
      (await this.#withAStatus(plain, async () => this.#try([{ categoryId }]))) ??
      (this.#last?.status === 400 ? await this.#try(others) : undefined);
    if (accepted) return accepted;
    const last = this.#last;
    throw last?.status === 400
      ? new Inconclusive(
          `the target accepted no valid body as a control: it refused every category and status that was tried (last response: ${last.toString()}). Give a known category with NAME_CATEGORY_ID`,
          'CREATE-01',
        )
      : new Inconclusive(
          `the target accepted no valid body as a control (response: ${last?.toString() ?? 'none'})`,
          'CREATE-01',
        );
  }

  /** Whether the last body was not even looked at: no response came, or the key was refused. */
  get #isUnjudged(): boolean {
    return (this.#last?.status ?? 401) === 401;
  }

  /** The first of these bodies that the target accepts. A response that is neither 201 nor 400 ends the search. */
  async #try(candidates: readonly Candidate[], write?: typeof everySpelling): Promise<Accepted | undefined> {
    for (const fields of candidates) {
      const body = { name: this.#options.name('control'), ...fields };
      const response = await this.#options.api.createPet(body, write ? { write } : {});
      this.#last = response;
      const animal = createdAnimal(response);
      // A body that was sent again has another name.
      if (animal) return { body: response.members as unknown as NewPet, animal, response };
      if (response.status !== 400) return undefined;
    }
    return undefined;
  }

  /** If a body is accepted without a status, another status than the refused one may be accepted, too. */
  async #withAStatus(
    { categoryId, status }: Candidate,
    tryWithout: () => Promise<Accepted | undefined>,
  ): Promise<Accepted | undefined> {
    if (this.#isUnjudged) return undefined;
    const without = await tryWithout();
    const others = petStatuses.filter((other) => other !== status);
    return without && ((await this.#try(others.map((other) => ({ categoryId, status: other })))) ?? without);
  }

  /** Bodies that are tried one after the other. */
  #candidates(status: PetStatus, listed: readonly bigint[]): [Candidate, ...Candidate[]] {
    const configured = this.#options.categoryId;
    const categories = [
      ...new Set([
        ...(configured === undefined ? [] : [configured]),
        ...listed.slice(0, mostLearnt),
        ...triedCategories,
      ]),
    ];
    const [categoryId = 1n, ...further] = categories;
    // If no category is accepted, the status may be what is refused.
    const others = [...petStatuses.filter((other) => other !== status), undefined];
    return [
      { categoryId, status },
      ...further.map((category) => ({ categoryId: category, status })),
      ...others.flatMap((other) =>
        categories
          .slice(0, mostRetried)
          .map((category) => ({ categoryId: category, ...(other !== undefined && { status: other }) })),
      ),
    ];
  }
}
