import { valueText } from './animal.js';
import { isAccepted, type Exchange } from './exchange.js';
import type { Fault, Unspecified, Unusual } from './request-facts.js';

/** Creations by what was sent and what came. Each fits one selection: requirements that read several stay independent. */
export class Creations {
  /** Those without a fault that created an animal: what controls are looked up in. */
  readonly accepted: readonly Exchange[];
  readonly #categories: ReadonlySet<string>;
  /** Categories that are not unusual on this target, whatever their size. */
  readonly #usualCategories: ReadonlySet<string | undefined>;
  readonly #statuses: ReadonlySet<string>;
  #plain: readonly Exchange[] | undefined;
  #success: readonly number[] | undefined;

  /**
   * @param all with the valid key, whole or broken
   * @param knownCategory one that the user says the target knows
   */
  constructor(
    readonly all: readonly Exchange[],
    knownCategory: bigint | undefined,
  ) {
    this.accepted = all.filter((one) => {
      const isCreated = one.created ?? one.response?.body.truncated;
      return one.faults.length === 0 && isAccepted(one.status) && isCreated;
    });
    const members = this.accepted.map(({ members }) => members);
    const configured = knownCategory === undefined ? [] : [valueText(knownCategory)];
    const categories = members.map(({ categoryId }) => valueText(categoryId));
    this.#categories = new Set([...categories, ...configured]);
    this.#usualCategories = new Set([mostFrequent(categories), ...configured]);
    this.#statuses = new Set(members.map(({ status }) => valueText(status)));
  }

  /** Bodies that no reader of the specification could refuse, with a status. */
  get plain(): readonly Exchange[] {
    return (this.#plain ??= this.#valid([]).filter((one) => one.members.status !== undefined));
  }

  /** The same without one. */
  get withoutStatus(): readonly Exchange[] {
    return this.#valid([]).filter((one) => one.members.status === undefined);
  }

  /** Valid bodies that are unusual in one respect alone. */
  unusual(what: Unusual): readonly Exchange[] {
    return this.#valid([what]);
  }

  /** Names beyond a length that many services allow, in bodies that are plain otherwise. */
  get longNames(): readonly Exchange[] {
    return this.#valid(['name'], ['long name']);
  }

  /** Bodies without a fault on which the specification is silent for this one reason. */
  unspecifiedOnlyBy(what: Unspecified): readonly Exchange[] {
    return this.all.filter((one) => one.faults.length === 0 && one.unspecified.join() === what);
  }

  /** Whether the target refuses a plain body for a category that it never accepted: categories may be foreign keys. */
  get checksCategories(): boolean {
    return this.#valid([]).some((one) => one.status === 400 && !this.hasKnownCategory(one));
  }

  #valid(unusual: readonly Unusual[], unspecified: readonly Unspecified[] = []): Exchange[] {
    return this.all.filter((one) => {
      const isValid = one.faults.length === 0 && one.unspecified.join() === unspecified.join();
      const category = valueText(one.members.categoryId);
      const found = one.unusual.filter(
        (what) => what !== 'categoryId' || !this.#usualCategories.has(category),
      );
      return isValid && found.join() === unusual.join();
    });
  }

  /** Bodies that the specification refuses for this one reason. */
  faultyOnlyBy(fault: Fault): readonly Exchange[] {
    return this.all.filter((one) => one.unspecified.length === 0 && one.faults.join() === fault);
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

  /** Whether a body with a status was accepted. */
  get acceptsStatus(): boolean {
    return [...this.#statuses].some((status) => status !== 'absent');
  }

  /** 201, or what plain bodies get on this target: that it is not 201 is CREATE-01's finding alone. */
  get success(): readonly number[] {
    return (this.#success ??= [
      ...new Set([201, ...this.plain.flatMap(({ status = 0 }) => (isAccepted(status) ? status : []))]),
    ]);
  }
}

function mostFrequent(values: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0];
}
