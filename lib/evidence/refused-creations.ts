import { isNameOfSuite, valueText } from './animal.js';
import type { Exchange } from './exchange.js';

/** A creation that was refused, by what tells an animal that it added from all others. */
export interface RefusedCreation {
  readonly creation: Exchange;
  readonly name: string | undefined;
  readonly category: string | undefined;
}

/** A category from here on that one animal alone has tells that animal: services number categories from 1. */
const leastTelling = 2 ** 30;
/** A number in place of a name, long enough to be recognised if it is stored as text. */
const longNumber = /^\d{8,}$/;

/** The creations of a run that the target refused, folded in the order of completion. */
export class RefusedCreations {
  readonly #invalid: Exchange[] = [];
  readonly #unauthenticated: Exchange[] = [];
  /**
   * Names of animals that were created, and those in creations that broke off, with the moment at which the first was
   * sent: from then on they tell nothing of a refused one.
   */
  readonly #uncertain = new Map<string, number>();
  readonly #countsByCategory = new Map<string, number>();

  /** @param one any creation: one that was accepted makes its name useless for telling another */
  see(one: Exchange): void {
    const { credential, status, members, broken, nameSent: name, created } = one;
    if (name !== undefined && (created || broken !== undefined))
      this.#uncertain.set(name, Math.min(one.sentAt, this.uncertainSince(name)));
    const isRefusal = status !== undefined && status >= 400 && status < 500;
    if (isRefusal && status !== 401 && status !== 429) this.#invalid.push(one);
    if (status === 401 || credential === 'missing') this.#unauthenticated.push(one);
    if (!created) return;
    const category = valueText(members.categoryId);
    this.#countsByCategory.set(category, (this.#countsByCategory.get(category) ?? 0) + 1);
  }

  /** When an animal may have got a name for the first time: milliseconds since the Unix epoch. */
  uncertainSince(name: string): number {
    return this.#uncertain.get(name) ?? Infinity;
  }

  /** Those that were refused for another reason than the key, if an animal that they added can be told. */
  get invalid(): readonly RefusedCreation[] {
    return this.#invalid.flatMap((creation) => this.#traceable(creation));
  }

  /** The same of those that were refused for the key, and of those without one, whatever came of them. */
  get unauthenticated(): readonly RefusedCreation[] {
    return this.#unauthenticated.flatMap((creation) => {
      const name = creation.nameSent;
      if (creation.status === 401 || !isNameOfSuite(name)) return this.#traceable(creation);
      return [{ creation, name, category: undefined }];
    });
  }

  #traceable(creation: Exchange): RefusedCreation[] {
    const { members, nameSent: sent } = creation;
    const isTelling = isNameOfSuite(sent) || longNumber.test(sent ?? '');
    const name = isTelling && !this.#uncertain.has(sent ?? '') ? sent : undefined;
    const text = valueText(members.categoryId);
    const isRare = this.#countsByCategory.get(text) === 1 && Number(members.categoryId) >= leastTelling;
    const category = isRare ? text : undefined;
    const isEmpty = sent === undefined && members.categoryId === undefined;
    return isEmpty || name !== undefined || category !== undefined ? [{ creation, name, category }] : [];
  }
}
