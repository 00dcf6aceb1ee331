import { valueText } from './animal.js';
import { isAccepted, type Exchange } from './exchange.js';
import type { Unspecified, Unusual } from './request-facts.js';
import { Requests } from './requests.js';

/** Creations by what was sent and what came. Each fits one selection: requirements that read several stay independent. */
export class Creations extends Requests {
  /** Those without a fault that created an animal: what controls are looked up in. */
  readonly accepted: readonly Exchange[];
  /** Bodies that no reader of the specification could refuse, with a status. */
  readonly plain: readonly Exchange[];
  /** The same without one. */
  readonly withoutStatus: readonly Exchange[];
  /** Names beyond a length that many services allow, in bodies that are plain otherwise. */
  readonly longNames: readonly Exchange[];
  /** Whether the target refuses a plain body for a category that it never accepted: categories may be foreign keys. */
  readonly checksCategories: boolean;
  /** Whether a body with a status was accepted. */
  readonly acceptsStatus: boolean;
  /** 201, or what plain bodies get on this target: that it is not 201 is CREATE-01's finding alone. */
  readonly success: readonly number[];
  readonly #categories: ReadonlySet<string>;
  /** Categories that are not unusual on this target, whatever their size. */
  readonly #usualCategories: ReadonlySet<string>;
  readonly #statuses: ReadonlySet<string>;

  /**
   * @param all with the valid key, whole or broken
   * @param knownCategory one that the user says the target knows
   */
  constructor(all: readonly Exchange[], knownCategory: bigint | undefined) {
    super(all);
    this.accepted = all.filter((one) => {
      const isCreated = one.created ?? one.response?.body.truncated;
      return one.faults.length === 0 && isAccepted(one.status) && isCreated;
    });
    const configured = knownCategory === undefined ? [] : [valueText(knownCategory)];
    const categories = this.accepted.map(({ members }) => valueText(members.categoryId));
    this.#categories = new Set([...categories, ...configured]);
    // The first one is that of the control.
    this.#usualCategories = new Set([...categories.slice(0, 1), ...configured]);
    this.#statuses = new Set(this.accepted.map(({ members }) => valueText(members.status)));
    this.acceptsStatus = [...this.#statuses].some((status) => status !== 'absent');
    const valid = this.unusual('');
    this.plain = valid.filter(({ members }) => members.status !== undefined);
    this.withoutStatus = valid.filter(({ members }) => members.status === undefined);
    this.longNames = this.unusual('name', 'long name');
    this.checksCategories = valid.some((one) => one.status === 400 && !this.hasKnownCategory(one));
    const successes = this.plain.flatMap(({ status }) => (isAccepted(status) ? (status ?? []) : []));
    this.success = [...new Set([201, ...successes])];
  }

  /** Valid bodies that are unusual in this one respect alone; in none, if it is empty. */
  unusual(what: Unusual | '', unspecified: Unspecified | '' = ''): Exchange[] {
    return this.unspecifiedOnlyBy(unspecified).filter((one) => {
      const category = valueText(one.members.categoryId);
      const isUsual = this.#usualCategories.has(category);
      return one.unusual.filter((respect) => respect !== 'categoryId' || !isUsual).join() === what;
    });
  }

  /** Whether the target is known to take the category of a body: a service may refuse those that it does not know. */
  hasKnownCategory({ members }: Exchange): boolean {
    return this.#categories.has(valueText(members.categoryId));
  }

  /** Whether every member of a body but the faulty one was accepted in another creation, so that the fault is the only reason. */
  isControlled(one: Exchange): boolean {
    const { faults, members } = one;
    if (this.accepted.length === 0) return false;
    if (faults.includes('not an object')) return true;
    const isFaulty = (member: string): boolean => faults.some((fault) => fault.endsWith(member));
    if (!isFaulty('categoryId') && !this.hasKnownCategory(one)) return false;
    return isFaulty('status') ? this.acceptsStatus : this.#statuses.has(valueText(members.status));
  }
}
