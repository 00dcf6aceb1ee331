import { endedAt, sentAt } from '../http/exchange/exchange.js';
import type { ApiResponse } from './api-response.js';
import { bodySent } from './compare-pets.js';
import { isCreation } from './creation.js';
import { changesAnimals } from './known-pets.js';
import { defaultPage, fullPage } from './store.js';

/** An animal that the run created. */
interface Created {
  readonly id: string;
  readonly response: ApiResponse;
  /** When the response was complete, in epoch milliseconds. */
  readonly until: number;
  /** The status under which listings must show it; undefined if sent and returned differ, or a listing shows another. */
  status: string | undefined;
  /** Two creations returned its identifier, or a probe tries to change it. */
  excluded: boolean;
  firstShown?: number;
  /** The last listing that omitted it before one showed it, and the first that did so afterwards. */
  omittedBefore?: Page;
  omittedAfter?: Page;
}

/** A listing that was shorter than its limit. */
interface Page {
  readonly response: ApiResponse;
  readonly limit: number | undefined;
  readonly status: string | null;
  readonly length: number;
}

/** A page with room that omits animals, though the consistency time had passed since their creation. */
export interface Omission {
  readonly page: ApiResponse;
  readonly missing: readonly Created[];
  /** How many animals the page had to show. */
  readonly expected: number;
}

/** How soon and how steadily listings show what was created. */
export interface Steadiness {
  /** How many animals of the run listings have shown. */
  readonly shown: number;
  /** How many of them were listed before the response to their creation was complete. */
  readonly early: number;
  /** How many of them a page with room omitted at first, and the longest time after the creation, in milliseconds. */
  readonly late: number;
  readonly longestDelay: number;
  /** How many of them a page with room omitted after a listing had shown them, and the first of those pages. */
  readonly gone: number;
  readonly goneFrom: readonly ApiResponse[];
}

/** Pages that lack something, and animals of others, that are kept: a run of a day has 100,000 exchanges. */
const mostPages = 500;
const mostOthers = 20_000;

/**
 * What the exchanges of a run show together of the animals in the store. It reads nothing but exchanges, in the order in
 * which they were complete.
 */
export class PetHistory {
  readonly #consistencyMs: number;
  readonly #created = new Map<string, Created>();
  /** The first listing that showed an animal which the run was not known to have created. */
  readonly #others = new Map<string, { readonly response: ApiResponse; readonly name: unknown }>();
  /** The longest page of each limit and status. */
  readonly #longest = new Map<number | undefined, Map<string | null, number>>();
  readonly #lacking: Array<{ page: Page; missing: Created[]; expected: Created[] }> = [];
  readonly #complete: Page[] = [];
  #listedEarly = 0;

  /** @param consistencyMs after the response to a creation, in which a listing need not show the animal yet */
  constructor(consistencyMs: number) {
    this.#consistencyMs = consistencyMs;
  }

  see(response: ApiResponse): void {
    const { operation, credential, input } = response.exchange;
    if (response.broken !== undefined) return;
    if (isCreation(response.exchange)) this.#seeCreation(response);
    if (operation === 'listPets' && credential === 'valid' && input === 'specified')
      this.#seeListing(response);
  }

  #seeCreation(response: ApiResponse): void {
    const { animal, exchange } = response;
    if (!animal) return;
    const { id, shown } = animal;
    const sent = bodySent(exchange);
    const known = this.#created.get(id);
    if (known) {
      known.excluded = true;
      return;
    }
    const from = sentAt(exchange);
    const earlier = this.#others.get(id);
    this.#others.delete(id);
    const { status } = shown;
    const created: Created = {
      id,
      response,
      until: endedAt(exchange),
      status: typeof status === 'string' && status === (sent.status ?? status) ? status : undefined,
      excluded: changesAnimals(exchange),
    };
    if (earlier && endedAt(earlier.response.exchange) <= from) {
      created.excluded = true;
    } else if (earlier) {
      this.#listedEarly += 1;
      created.firstShown = endedAt(earlier.response.exchange);
    }
    this.#created.set(id, created);
  }

  #seeListing(response: ApiResponse): void {
    const { animals, length, query, exchange } = response;
    if (!animals || length === undefined) return;
    const given = query.get('limit');
    const limit = given === null ? undefined : Number(given);
    const status = query.get('status');
    const page: Page = { response, limit, status, length };
    const longest = this.#longest.get(limit) ?? new Map<string | null, number>();
    this.#longest.set(limit, longest.set(status, Math.max(length, longest.get(status) ?? 0)));
    const listed = new Set<string>();
    for (const { id, shown } of animals) {
      listed.add(id);
      const created = this.#created.get(id);
      if (created) {
        created.firstShown ??= endedAt(exchange);
        if (shown.status !== undefined && shown.status !== created.status) created.status = undefined;
      } else if (!this.#others.has(id) && this.#others.size < mostOthers)
        this.#others.set(id, { response, name: shown.name });
    }
    if (length >= (limit ?? defaultPage)) return;
    const sent = sentAt(exchange);
    const before = [...this.#created.values()].filter(
      (one) => one.until <= sent && (status === null || one.status === status),
    );
    const due = before.filter(({ until }) => until + this.#consistencyMs <= sent);
    for (const one of before) {
      if (listed.has(one.id)) continue;
      if (one.firstShown === undefined) one.omittedBefore = page;
      else if (one.firstShown <= sent) one.omittedAfter ??= page;
    }
    const missing = due.filter(({ id }) => !listed.has(id));
    if (missing.length > 0 && this.#lacking.length < mostPages)
      this.#lacking.push({ page, missing, expected: due });
    else if (
      before.length > 0 &&
      before.every(({ id }) => listed.has(id)) &&
      this.#complete.length < mostPages
    )
      this.#complete.push(page);
  }

  /**
   * Whether a page that is shorter than its limit has room for more. The target may have a limit of its own, which is
   * another matter: room is certain if pages of no greater limit have held more. Otherwise the length must look like that
   * of a whole store: not round, and not that of another filter.
   */
  #hasRoom({ limit, status, length }: Page): boolean {
    const alike = [...this.#longest].filter(([other]) =>
      limit === undefined ? other === undefined : other !== undefined && other <= limit,
    );
    // Beside a filter a target may have another default.
    const most = (lengths: ReadonlyMap<string | null, number>): number =>
      limit === undefined ? (lengths.get(status) ?? 0) : Math.max(...lengths.values());
    if (alike.some(([, lengths]) => most(lengths) > length)) return true;
    const others = [...(this.#longest.get(limit) ?? [])].filter(([other]) => other !== status);
    const shared = length > defaultPage && others.some(([, other]) => other === length);
    const whole = length === 0 || (length % 5 !== 0 && !shared);
    return whole && (limit === undefined || limit === fullPage);
  }

  /** How many pages had to show animals of the run, had room for all of them, and showed them. */
  get complete(): number {
    return this.#complete.filter((page) => this.#hasRoom(page)).length;
  }

  get omissions(): Omission[] {
    return this.#lacking.flatMap(({ page, missing, expected }) => {
      // What was seen later may tell that an animal does not belong there.
      const belongs = ({ excluded, status }: Created): boolean =>
        !excluded && (page.status === null || page.status === status);
      const left = missing.filter(belongs);
      if (left.length === 0 || !this.#hasRoom(page)) return [];
      return [{ page: page.response, missing: left, expected: expected.filter(belongs).length }];
    });
  }

  get steadiness(): Steadiness {
    const shown = [...this.#created.values()].filter(
      ({ excluded, firstShown }) => !excluded && firstShown !== undefined,
    );
    const delays = shown.flatMap(({ omittedBefore: page, until }) =>
      page && this.#hasRoom(page) ? [sentAt(page.response.exchange) - until] : [],
    );
    const gone = shown.flatMap(({ omittedAfter: page }) =>
      page && this.#hasRoom(page) ? [page.response] : [],
    );
    return {
      shown: shown.length,
      early: this.#listedEarly,
      late: delays.length,
      longestDelay: Math.max(0, ...delays),
      gone: gone.length,
      goneFrom: [...new Set(gone)],
    };
  }
}
