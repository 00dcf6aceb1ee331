import type { Clock } from '../http/clock/clock.js';
import type { Ledger, LedgerEntry } from './ledger.js';
import type { PlannedRequest } from '../http/exchange/planned-request.js';

type Failure = NonNullable<LedgerEntry['failure']>;

const nothing = new Uint8Array();

/** An entry while its request is under way, and afterwards: one object, as little work as possible for each request. */
export class OpenEntry implements LedgerEntry {
  at = Number.NaN;
  status: number | null = null;
  failure: Failure | undefined;
  connection: string | undefined;
  /** Names and values in turn, a line each: one string is less to keep than many. */
  head = '';
  /** Each byte a character. A string of its own: a part of a socket's buffer would keep the whole buffer in memory. */
  bytes = '';
  #pairs: [string, string][] | undefined;

  constructor(
    readonly request: PlannedRequest,
    readonly sentAt: number,
    readonly index: number,
  ) {}

  /** Joined only if somebody reads them. */
  get headers(): readonly (readonly [string, string])[] {
    if (this.#pairs) return this.#pairs;
    const raw = this.head === '' ? [] : this.head.split('\n');
    const pairs: [string, string][] = [];
    for (let index = 0; index + 1 < raw.length; index += 2)
      pairs.push([raw[index] ?? '', raw[index + 1] ?? '']);
    this.#pairs = pairs;
    return pairs;
  }

  get body(): Uint8Array {
    return this.bytes === '' ? nothing : Buffer.from(this.bytes, 'latin1');
  }
}

/** Writes the ledger of one volley. In the path of every request: it keeps references, and copies nothing. */
export class LedgerWriter {
  readonly #entries: OpenEntry[] = [];
  readonly #notes = new Set<string>();
  readonly #startedAt: number;
  /** What turns `performance.now()` into the clock's time: without the steps of a clock that is being set. */
  readonly #ahead: number;

  constructor(
    readonly connections: number,
    readonly planned: number,
    clock: Clock,
  ) {
    this.#startedAt = clock.now();
    this.#ahead = this.#startedAt - performance.now();
  }

  /** The clock's time, with fractions of a millisecond. */
  now(): number {
    return performance.now() + this.#ahead;
  }

  /** A request is about to be written. */
  open(request: PlannedRequest): OpenEntry {
    const entry = new OpenEntry(request, this.now(), this.#entries.length);
    this.#entries.push(entry);
    return entry;
  }

  /** The head of its answer came; `headers` are names and values in turn. */
  answer(entry: OpenEntry, status: number, headers: readonly string[]): void {
    entry.at = this.now();
    entry.status = status;
    entry.head = headers.join('\n');
  }

  body(entry: OpenEntry, chunk: Buffer): void {
    entry.bytes += chunk.toString('latin1');
  }

  /** No answer came, or only a part of one: then the answer is kept, and the failure beside it. The first one stays. */
  fail(entry: OpenEntry, failure: Failure): void {
    if (Number.isNaN(entry.at)) entry.at = this.now();
    entry.failure ??= failure;
  }

  note(text: string): void {
    this.#notes.add(text);
  }

  /** Ends the ledger. What has no answer by now has none. */
  close(): Ledger {
    const endedAt = this.now();
    const answered = this.#entries.filter(({ status }) => status !== null);
    const lost = this.#entries.filter(({ status }) => status === null);
    for (const entry of lost) {
      this.fail(entry, { kind: 'aborted', message: 'the sender ended before an answer came' });
    }
    const [first] = lost;
    const inexact =
      first &&
      `${lost.length} of ${this.#entries.length} requests got no response (${first.failure?.message ?? 'none'})`;
    return {
      connections: this.connections,
      connectionsServed: new Set(answered.map(({ connection }) => connection)).size,
      planned: this.planned,
      entries: this.#entries,
      exact: inexact === undefined,
      ...(inexact === undefined ? {} : { inexact }),
      startedAt: this.#startedAt,
      endedAt,
      notes: [...this.#notes],
    };
  }
}
