import { valueText } from './animal.js';
import type { ApiResponse } from './exchange.js';
import { createdAnimal, isAccepted } from './exchange.js';
import type { Fault, Unspecified, Unusual } from './request-facts.js';

/** Creations by what was sent and what came. Each fits one selection: requirements that read several stay independent. */
export class Creations {
  /** Those without a fault that created an animal: what controls are looked up in. */
  readonly accepted: readonly ApiResponse[];
  readonly #categories: ReadonlySet<string>;
  /** Categories that are not unusual on this target, whatever their size. */
  readonly #usualCategories: ReadonlySet<string | undefined>;
  readonly #statuses: ReadonlySet<string>;
  #plain: readonly ApiResponse[] | undefined;
  #success: readonly number[] | undefined;

  /**
   * @param all with the valid key, whole or broken
   * @param knownCategory one that the user says the target knows
   */
  constructor(
    readonly all: readonly ApiResponse[],
    knownCategory: bigint | undefined,
  ) {
    this.accepted = all.filter((one) => {
      const isCreated = createdAnimal(one) ?? one.exchange.response?.body.truncated;
      return one.request.faults.length === 0 && isAccepted(one.status) && isCreated;
    });
    const members = this.accepted.map(({ request }) => request.members);
    const configured = knownCategory === undefined ? [] : [valueText(knownCategory)];
    const categories = members.map(({ categoryId }) => valueText(categoryId));
    this.#categories = new Set([...categories, ...configured]);
    this.#usualCategories = new Set([mostFrequent(categories), ...configured]);
    this.#statuses = new Set(members.map(({ status }) => valueText(status)));
  }

  /** Bodies that no reader of the specification could refuse, with a status. */
  get plain(): readonly ApiResponse[] {
    return (this.#plain ??= this.#valid([]).filter(({ request }) => request.members.status !== undefined));
  }

  /** The same without one. */
  get withoutStatus(): readonly ApiResponse[] {
    return this.#valid([]).filter(({ request }) => request.members.status === undefined);
  }

  /** Valid bodies that are unusual in one respect alone. */
  unusual(what: Unusual): readonly ApiResponse[] {
    return this.#valid([what]);
  }

  /** Names beyond a length that many services allow, in bodies that are plain otherwise. */
  get longNames(): readonly ApiResponse[] {
    return this.#valid(['name'], ['long name']);
  }

  /** Bodies without a fault on which the specification is silent for this one reason. */
  unspecifiedOnlyBy(what: Unspecified): readonly ApiResponse[] {
    return this.all.filter(
      ({ request }) => request.faults.length === 0 && request.unspecified.join() === what,
    );
  }

  /** Whether the target refuses a plain body for a category that it never accepted: categories may be foreign keys. */
  get checksCategories(): boolean {
    return this.#valid([]).some((one) => one.status === 400 && !this.hasKnownCategory(one));
  }

  #valid(unusual: readonly Unusual[], unspecified: readonly Unspecified[] = []): ApiResponse[] {
    return this.all.filter(({ request }) => {
      const isValid = request.faults.length === 0 && request.unspecified.join() === unspecified.join();
      const category = valueText(request.members.categoryId);
      const found = request.unusual.filter(
        (what) => what !== 'categoryId' || !this.#usualCategories.has(category),
      );
      return isValid && found.join() === unusual.join();
    });
  }

  /** Bodies that the specification refuses for this one reason. */
  faultyOnlyBy(fault: Fault): readonly ApiResponse[] {
    return this.all.filter(
      ({ request }) => request.unspecified.length === 0 && request.faults.join() === fault,
    );
  }

  /** Whether the target is known to take the category of a body: a service may refuse those that it does not know. */
  hasKnownCategory({ request: { members } }: ApiResponse): boolean {
    return this.#categories.has(valueText(members.categoryId));
  }

  /** Whether every member of a body but the faulty one was accepted in another creation, so that the fault is the only reason. */
  isControlled(one: ApiResponse): boolean {
    const { faults, members } = one.request;
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
