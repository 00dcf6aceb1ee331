import { defaultPage, fullPage } from '../specification/page-size.js';
import type { Pet, Pets } from './pets.js';
import type { Page } from './requests.js';

export type Presence = ReturnType<typeof presenceIn>;
export type Omission = Presence['omissions'][number];

/** Whether and when the pages of a run show the animals that it created, within the consistency time or later. */
export function presenceIn({ own }: Pets, pages: readonly Page[], consistencyMs: number) {
  /** Animals of the run that listings have shown, each with the moment at which the first was complete. */
  const shown = new Map(own.flatMap((pet) => pet.listed.slice(0, 1).map(({ by }) => [pet, by.endedAt])));
  /** Pages with room that omit animals, though the consistency time had passed, and how many they had to show. */
  const omissions: { page: Page; missing: Pet[]; expected: number }[] = [];
  const delays = new Map<Pet, number>();
  const gone = new Map<Pet, Page>();
  for (const page of pages.filter((one) => hasRoom(one, pages))) {
    const { sentAt, filter } = page;
    const listed = new Set(page.animals.map(({ id }) => id));
    const before = own.filter((pet) => pet.creation.endedAt <= sentAt && belongs(pet, filter));
    const omitted = before.filter(({ id }) => !listed.has(id));
    for (const pet of omitted)
      if ((shown.get(pet) ?? Infinity) > sentAt) delays.set(pet, sentAt - pet.creation.endedAt);
      else if (!gone.has(pet)) gone.set(pet, page);
    const isDue = ({ creation }: Pet): boolean => creation.endedAt + consistencyMs <= sentAt;
    const missing = omitted.filter(isDue);
    if (missing.length > 0) omissions.push({ page, missing, expected: before.filter(isDue).length });
  }
  return {
    shown,
    omissions,
    /** Animals that were listed before the response to their creation was complete. */
    early: [...shown].filter(([{ creation }, since]) => since < creation.endedAt).length,
    /** Milliseconds after its creation at which the last page omitted an animal that a later listing shows. */
    delays: [...shown.keys()].flatMap((pet) => delays.get(pet) ?? []),
    /** The first page that omitted an animal after a listing had shown it. */
    gone,
  };
}

/** Whether a filter must show an animal: under the status that was sent and returned, if no listing shows another. */
export function belongs({ animal, creation, listed }: Pet, filter: string | undefined): boolean {
  if (filter === undefined) return true;
  const { status } = animal.shown;
  const isRestated = listed.some(
    ({ animal: { shown } }) => shown.status !== undefined && shown.status !== status,
  );
  return status === filter && (creation.members.status ?? status) === status && !isRestated;
}

/**
 * Whether a short page has room for more, and no limit of the target's own: pages of no greater limit have held more, or its
 * length looks like that of a whole store: not round, and not that of another filter.
 */
function hasRoom({ limit, filter, length }: Page, pages: readonly Page[]): boolean {
  if (length >= (limit ?? defaultPage)) return false;
  // Beside a filter a target may have another default.
  const isAlike = (other: Page): boolean =>
    limit === undefined
      ? other.limit === undefined && other.filter === filter
      : other.limit !== undefined && other.limit <= limit;
  if (pages.some((other) => other.length > length && isAlike(other))) return true;
  const isOfOther = (other: Page): boolean =>
    other.limit === limit && other.filter !== filter && other.length === length;
  const isShared = length > defaultPage && pages.some(isOfOther);
  const isWhole = length === 0 || (length % 5 !== 0 && !isShared);
  return isWhole && (limit === undefined || limit === fullPage);
}
