import { valueText, type Animal } from './animal.js';
import { isAccepted, type Exchange } from './exchange.js';
import type { Fault, Unspecified, Unusual } from './request-facts.js';

/** A listing that succeeded. */
export type Page = Exchange & { readonly animals: readonly Animal[]; readonly length: number };

/** The requests of one operation with the valid key, none over the limit, by what was sent and what came. */
export function requestsIn(all: readonly Exchange[]) {
  /** Those without a fault on which the specification is silent for this one reason; for none, if it is empty. */
  const unspecifiedOnlyBy = (what: Unspecified | ''): readonly Exchange[] =>
    all.filter((one) => one.faults.length === 0 && one.unspecified.join() === what);
  const specified = unspecifiedOnlyBy('');
  const pages: readonly Page[] = specified.filter((one): one is Page => one.animals !== undefined);
  return {
    all,
    specified,
    unspecifiedOnlyBy,
    pages,

    /** Those that the specification refuses for this one reason. */
    faultyOnlyBy: (fault: Fault): readonly Exchange[] =>
      all.filter((one) => one.unspecified.length === 0 && one.faults.join() === fault),

    /** Whether a page that was requested later shows an animal, with a status if one is given. */
    isShownAfter: (id: string, { endedAt }: Exchange, status?: string): boolean =>
      pages.some(
        ({ sentAt, animals }) =>
          sentAt >= endedAt &&
          animals.some((one) => one.id === id && (status === undefined || one.shown.status === status)),
      ),
  };
}

export type Creations = ReturnType<typeof creationsIn>;

/** Creations by what was sent and what came. Each fits one selection: requirements that read several stay independent. */
export function creationsIn(all: readonly Exchange[], knownCategory: bigint | undefined) {
  const requests = requestsIn(all);
  const categoryOf = ({ members }: Exchange): string => valueText(members.categoryId);
  const statusOf = ({ members }: Exchange): string => valueText(members.status);
  const accepted = all.filter(({ faults, status, created, response }) => {
    return faults.length === 0 && isAccepted(status) && (created ?? response?.body.truncated);
  });
  const configured = knownCategory === undefined ? [] : [valueText(knownCategory)];
  const known = new Set([...accepted.map(categoryOf), ...configured]);
  /** Categories that are not unusual on this target, whatever their size: the first one is that of the control. */
  const usual = new Set([...accepted.slice(0, 1).map(categoryOf), ...configured]);
  const statuses = new Set(accepted.map(statusOf));
  const acceptsStatus = [...statuses].some((status) => status !== 'absent');

  /** Whether the target is known to take the category of a body: a service may refuse those that it does not know. */
  const hasKnownCategory = (one: Exchange): boolean => known.has(categoryOf(one));

  /** Valid bodies that are unusual in this one respect alone; in none, if it is empty. */
  const unusual = (what: Unusual | '', unspecified: Unspecified | '' = ''): Exchange[] =>
    requests.unspecifiedOnlyBy(unspecified).filter((one) => {
      const isUsual = usual.has(categoryOf(one));
      return one.unusual.filter((respect) => respect !== 'categoryId' || !isUsual).join() === what;
    });

  const valid = unusual('');
  const plain = valid.filter(({ members }) => members.status !== undefined);
  const successes = plain.flatMap(({ status }) => (isAccepted(status) ? (status ?? []) : []));
  return {
    ...requests,
    /** Those without a fault that created an animal: what controls are looked up in. */
    accepted,
    unusual,
    /** Bodies that no reader of the specification could refuse, with a status, and without one. */
    plain,
    withoutStatus: valid.filter(({ members }) => members.status === undefined),
    /** Names beyond a length that many services allow, in bodies that are plain otherwise. */
    longNames: unusual('name', 'long name'),
    /** Whether the target refuses a plain body for a category that it never accepted: categories may be foreign keys. */
    checksCategories: valid.some((one) => one.status === 400 && !hasKnownCategory(one)),
    acceptsStatus,
    /** 201, or what plain bodies get on this target: that it is not 201 is CREATE-01's finding alone. */
    success: [...new Set([201, ...successes])] as readonly number[],
    hasKnownCategory,

    /** Whether every member of a body but the faulty one was accepted in another creation, so that the fault is the only reason. */
    isControlled(one: Exchange): boolean {
      if (accepted.length === 0) return false;
      if (one.faults.includes('not an object')) return true;
      const isFaulty = (member: string): boolean => one.faults.some((fault) => fault.endsWith(member));
      if (!isFaulty('categoryId') && !hasKnownCategory(one)) return false;
      return isFaulty('status') ? acceptsStatus : statuses.has(statusOf(one));
    },
  };
}
