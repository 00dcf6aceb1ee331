import { isNoConnection, type Exchange } from './exchange.js';

/** Why a request is sent again, and after how many milliseconds. */
export interface Repeat {
  readonly reason: string;
  readonly delay: number;
}

/** Statuses that a proxy in between answers for a target that it could not reach (RFC 9110 15.6.3 to 15.6.5). */
const gatewayStatuses: ReadonlySet<number> = new Set([502, 503, 504]);

/**
 * The policy on repeats.
 * - A 429 that no check asked for: again, as often as the client has patience, after the wait that it asks for.
 * - No connection at all: nothing was sent, so any request may go again; a target that has answered before gets a few
 *   seconds to come back. After that the run stops: what is not there is not judged.
 * - A broken connection, a missed deadline or a gateway's error: a request that only reads goes again, once. A create
 *   is never repeated here: its first try may have had its effect. The domain's `createPet` sends another body, under
 *   another name, and says so.
 */
export function repeatAfter(exchange: Exchange, attempt: number, answeredBefore: boolean): Repeat | undefined {
  const { response, failure, request } = exchange;
  if (response?.status === 429) return { reason: 'the limiter answered 429', delay: 0 };
  if (failure && isNoConnection(failure.kind)) {
    const most = answeredBefore ? 3 : 1;
    return attempt < most ? { reason: failure.message, delay: 500 * 2 ** attempt } : undefined;
  }
  if (attempt > 0 || request.method !== 'GET') return undefined;
  const reason = brokenReason(exchange);
  return reason === undefined ? undefined : { reason, delay: 100 };
}

/** Why an exchange may be the network's doing rather than the target's; undefined where it is a whole answer. */
export function brokenReason({ response, failure }: Exchange): string | undefined {
  if (failure) return failure.kind === 'too-large' || failure.kind === 'aborted' ? undefined : failure.message;
  if (response && gatewayStatuses.has(response.status)) return `a gateway answered ${response.status}`;
  return undefined;
}
