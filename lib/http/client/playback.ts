import type { Exchange } from '../exchange/exchange.js';
import type { PlannedRequest } from '../exchange/planned-request.js';

/** The recorded exchanges of a run in the place of its target: a client with a playback sends nothing. */
export interface Playback {
  /**
   * Waits until the recorded run had sent these requests.
   * @param repeats the exchange that the request repeats, if it does
   */
  due(requests: readonly PlannedRequest[], repeats?: Exchange): Promise<void>;
  /** What came of a request that was due, once its response was there. */
  exchange(request: PlannedRequest): Promise<Exchange>;
}
