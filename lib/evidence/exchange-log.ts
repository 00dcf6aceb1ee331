import { ClockDifference } from '../http/clock/clock-difference.js';
import { Exchange } from './exchange.js';
import type { OperationName, RecordedExchange } from './recorded-exchange.js';

/** Characters of bodies that a run holds before further ones are cut short, and bytes of those. */
const maximumBodies = 128 * 1024 * 1024;
const shortBody = 64 * 1024;

/** Everything that a run has sent: counted, numbered, and kept when it is complete. */
export class ExchangeLog {
  readonly exchanges: Exchange[] = [];
  readonly repeated: Array<{ exchange: string; reason: string }> = [];
  readonly clockDifference = new ClockDifference();
  /** Those that the specification does not list are `unlisted`. */
  readonly byOperation: Record<string, number> = { listPets: 0, createPet: 0, getPet: 0 };
  sent = 0;
  #bodyLength = 0;

  constructor(private readonly onExchange: (exchange: Exchange) => void) {}

  /** Bytes of the next body that are read, if not all. */
  get maximumBytes(): number | undefined {
    return this.#bodyLength > maximumBodies ? shortBody : undefined;
  }

  /** Counts a request that is sent now, and numbers it. */
  nextId(): string {
    this.sent += 1;
    return `e${this.sent}`;
  }

  /** Keeps an exchange that is complete or has failed. @throws as `onExchange` does */
  keep(exchange: Exchange): void {
    this.clockDifference.see(exchange);
    this.#count(exchange.operation, 1);
    this.exchanges.push(exchange);
    const { text = '', base64 = '' } = exchange.response?.body ?? {};
    this.#bodyLength += text.length + base64.length;
    this.onExchange(exchange);
  }

  /** An exchange of another sender counts as sent, and is evidence like any other; of a day or a load only a sample is kept. */
  record(line: Omit<RecordedExchange, 'id'>, isKept = true): Exchange {
    const exchange = new Exchange({ id: isKept ? this.nextId() : '', ...line });
    if (isKept) this.keep(exchange);
    else this.countUnrecorded(line.operation, 1);
    return exchange;
  }

  countUnrecorded(operation: OperationName | null, requests: number): void {
    this.sent += requests;
    this.#count(operation, requests);
  }

  #count(operation: OperationName | null, requests: number): void {
    const name = operation ?? 'unlisted';
    this.byOperation[name] = (this.byOperation[name] ?? 0) + requests;
  }
}
