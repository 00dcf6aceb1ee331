import type { ConnectOptions } from '../http/connection/connector.js';
import type { Destination } from '../http/exchange/planned-request.js';

/** Where a load goes, and how connections to it are opened. */
export interface LoadTarget extends Destination, ConnectOptions {
  /** Milliseconds for one request, from sending to the last byte. */
  readonly timeoutMs: number;
}
