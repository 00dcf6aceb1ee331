import type { Clock } from '../http/clock.js';
import type { Ledger, LedgerEntry, Sender } from './ledger.js';
import type { PlannedRequest } from './request.js';

/** An entry whose request has been sent; it holds as little as possible until the volley is over. */
export interface OpenEntry {
  readonly request: PlannedRequest;
  readonly sentAt: number;
  readonly index: number;
  at?: number;
  status?: number;
  headers?: readonly string[];
  chunks?: Uint8Array[];
  failure?: NonNullable<LedgerEntry['failure']>;
}

const nothing = new Uint8Array();

/** Writes the ledger of one volley. In the path of every request: it keeps references and copies when it is closed. */
export class LedgerWriter {
  readonly #entries: OpenEntry[] = [];
  readonly #doubts = new Set<string>();
  readonly #notes = new Set<string>();
  readonly #startedAt: number;
  readonly #begun = performance.now();

  constructor(
    readonly sender: Sender,
    readonly connections: number,
    readonly planned: number,
    clock: Clock,
  ) {
    this.#startedAt = clock.now();
  }

  /** The clock's time with fractions of a millisecond, and without the steps of a clock that is being set. */
  #now(): number {
    return this.#startedAt + performance.now() - this.#begun;
  }

  /** A request is about to be written. */
  open(request: PlannedRequest): OpenEntry {
    const entry: OpenEntry = { request, sentAt: this.#now(), index: this.#entries.length };
    this.#entries.push(entry);
    return entry;
  }

  /** The head of its answer came; `headers` are names and values in turn. */
  answer(entry: OpenEntry, status: number, headers: readonly string[]): LedgerEntry {
    entry.at = this.#now();
    entry.status = status;
    entry.headers = headers;
    return new Entry(entry, entry.at);
  }

  body(entry: OpenEntry, chunk: Uint8Array): void {
    (entry.chunks ??= []).push(chunk);
  }

  /** No answer came, or only a part of one: then the answer is kept, and the failure beside it. The first one stays. */
  fail(entry: OpenEntry, failure: NonNullable<LedgerEntry['failure']>): LedgerEntry {
    entry.at ??= this.#now();
    entry.failure ??= failure;
    return new Entry(entry, entry.at);
  }

  /** The ledger can't be held for complete, and why. */
  doubt(reason: string): void {
    this.#doubts.add(reason);
  }

  note(text: string): void {
    this.#notes.add(text);
  }

  /** Ends the ledger. What has no answer by now has none. */
  close(): Ledger {
    const endedAt = this.#now();
    const entries = this.#entries.map((entry): LedgerEntry => {
      if (entry.at === undefined)
        entry.failure = { kind: 'aborted', message: 'the sender ended before an answer came' };
      return new Entry(entry, entry.at ?? endedAt);
    });
    const lost = entries.filter(({ status }) => status === null);
    const [first] = lost;
    if (first) {
      this.#doubts.add(
        `${lost.length} of ${entries.length} requests got no answer (${first.failure?.message ?? 'none'})`,
      );
    }
    const inexact = [...this.#doubts].join('; ');
    return {
      sender: this.sender,
      connections: this.connections,
      planned: this.planned,
      entries,
      exact: inexact === '',
      ...(inexact === '' ? {} : { inexact }),
      startedAt: this.#startedAt,
      endedAt,
      notes: [...this.#notes],
    };
  }
}

/** The finished view of an entry; headers and body are put together only where somebody reads them. */
class Entry implements LedgerEntry {
  readonly #open: OpenEntry;
  #headers: [string, string][] | undefined;

  constructor(
    open: OpenEntry,
    readonly at: number,
  ) {
    this.#open = open;
  }

  get index(): number {
    return this.#open.index;
  }
  get request(): PlannedRequest {
    return this.#open.request;
  }
  get sentAt(): number {
    return this.#open.sentAt;
  }
  get status(): number | null {
    return this.#open.status ?? null;
  }
  get headers(): readonly (readonly [string, string])[] {
    if (this.#headers) return this.#headers;
    const raw = this.#open.headers ?? [];
    const pairs: [string, string][] = [];
    for (let index = 0; index + 1 < raw.length; index += 2)
      pairs.push([raw[index] ?? '', raw[index + 1] ?? '']);
    this.#headers = pairs;
    return pairs;
  }
  get body(): Uint8Array {
    const { chunks } = this.#open;
    return chunks ? Buffer.concat(chunks) : nothing;
  }
  get failure(): LedgerEntry['failure'] {
    return this.#open.failure;
  }
}
