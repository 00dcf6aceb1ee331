import { Interrupted } from '../http/client/run-end.js';
import { endedAt, sentAt, type Exchange } from '../http/exchange/exchange.js';
import type { PlannedRequest } from '../http/exchange/planned-request.js';
import { recordExchange } from '../http/exchange/record-exchange.js';
import type { Playback } from '../http/client/client.js';
import { ReplayedTime } from './replayed-time.js';

/** A recorded exchange, and when its response was kept. */
interface Recorded {
  readonly exchange: Exchange;
  readonly keptAt: number;
}

export interface PlayerOptions {
  /** When the run began, in milliseconds since the Unix epoch. */
  readonly startedAt: number;
  readonly baseUrl: string;
  /** The run was interrupted or killed: it ends where its record ends. */
  readonly endsEarly: boolean;
}

/**
 * Plays the recorded exchanges of a run, in the order of its record: a request passes when the run had sent it, and its
 * response is there when the run had it. A request is matched by all that it is, and among equals by its place.
 */
export class Player implements Playback {
  readonly time: ReplayedTime;
  /** Requests that the record does not hold, as far as the run would have sent them. */
  readonly notHeld: string[] = [];
  readonly #options: PlayerOptions;
  readonly #interruption = new AbortController();
  /** What was not asked for yet, by what its request is. */
  readonly #left = new Map<string, Recorded[]>();
  readonly #due = new Map<PlannedRequest, Recorded[]>();
  /** Requests that are not in the record: they wait until the run had sent all others, or nothing else can go on. */
  readonly #waiting: Array<() => void> = [];
  /** Recorded requests that were not sent so far. */
  #unsent: number;

  /** @param exchanges those that the client sent itself, in the order of the record */
  constructor(exchanges: readonly Exchange[], options: PlayerOptions) {
    this.#options = options;
    this.#unsent = exchanges.length;
    this.time = new ReplayedTime(options.startedAt, () => this.#nothingLeft());
    let keptAt = options.startedAt;
    const recorded = exchanges.map((exchange): Recorded => {
      keptAt = Math.max(keptAt, endedAt(exchange));
      return { exchange, keptAt };
    });
    for (const one of recorded.toSorted((a, b) => numberOf(a.exchange) - numberOf(b.exchange))) {
      const key = keyOf(one.exchange, one.exchange.repeats);
      const alike = this.#left.get(key);
      if (alike) alike.push(one);
      else this.#left.set(key, [one]);
    }
  }

  /** Ends the replay where an interrupted run ended. */
  get signal(): AbortSignal {
    return this.#interruption.signal;
  }

  /** Exchanges that nothing asked for. */
  get unasked(): readonly Exchange[] {
    return [...this.#left.values()].flat().map(({ exchange }) => exchange);
  }

  async due(requests: readonly PlannedRequest[], repeats?: Exchange): Promise<void> {
    const found = requests.map((request) => this.#take(request, repeats));
    const times = found.flatMap((one) => (one ? [sentAt(one.exchange)] : []));
    if (times.length > 0) await this.time.reach(Math.min(...times));
    else await this.#wait();
    for (const [index, request] of requests.entries()) {
      const recorded = found[index];
      if (!recorded) continue;
      this.#due.set(request, [...(this.#due.get(request) ?? []), recorded]);
      this.#unsent -= 1;
    }
    // What was not sent in the run was refused after that: the budget was spent, or the run had ended.
    if (this.#allSent) for (const go of this.#waiting.splice(0)) go();
  }

  async exchange(request: PlannedRequest): Promise<Exchange> {
    const [recorded, ...others] = this.#due.get(request) ?? [];
    if (!recorded) return this.#nothing(request);
    this.#due.set(request, others);
    await this.time.reach(recorded.keptAt);
    if (this.#options.endsEarly && recorded.exchange.failure?.kind === 'aborted')
      this.#interruption.abort(new Interrupted());
    return recorded.exchange;
  }

  #take(request: PlannedRequest, repeats?: Exchange): Recorded | undefined {
    const key = keyOf(this.#sketch(request), repeats?.id);
    const [first, ...others] = this.#left.get(key) ?? [];
    if (others.length > 0) this.#left.set(key, others);
    else this.#left.delete(key);
    return first;
  }

  get #allSent(): boolean {
    return this.#unsent === 0 && !this.#options.endsEarly;
  }

  async #wait(): Promise<void> {
    if (this.#allSent) return;
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      this.time.watch();
    });
  }

  #nothingLeft(): void {
    const go = this.#waiting.shift();
    if (!go) return;
    if (this.#options.endsEarly && this.#left.size === 0) this.#interruption.abort(new Interrupted());
    go();
    this.time.watch();
  }

  /** The probe goes on as if it had given up: what it makes of that is another result than the recorded one. */
  #nothing(request: PlannedRequest): Exchange {
    const sketch = this.#sketch(request);
    if (!this.signal.aborted) this.notHeld.push(describeRequest(sketch));
    const failure = { kind: 'aborted', message: 'the record does not hold this request' } as const;
    return { id: 'e0', ...sketch, failure };
  }

  #sketch(request: PlannedRequest): Omit<Exchange, 'id'> {
    const { baseUrl } = this.#options;
    const outcome = { sentAt: this.time.now(), totalMs: 0 };
    return recordExchange(request, outcome, { baseUrl, userAgent: '' });
  }
}

/** All that a request is, but for who sent it: the version of the suite stands in its User-Agent. */
function keyOf(
  { purpose, operation, credential, caller, phase, input, request }: Omit<Exchange, 'id'>,
  repeats: string | undefined,
): string {
  const headers = request.headers.filter(([name]) => name !== 'User-Agent');
  const { method, url, body } = request;
  return JSON.stringify([
    purpose,
    operation,
    credential,
    caller,
    phase,
    input,
    method,
    url,
    headers,
    body,
    repeats,
  ]);
}

/** A request in a line. */
export function describeRequest({ purpose, request: { method, url } }: Omit<Exchange, 'id'>): string {
  return `${method} ${url} for ${purpose}`;
}

function numberOf({ id }: Exchange): number {
  return Number(id.slice(1));
}
