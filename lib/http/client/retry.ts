import { isNoConnection, type Exchange } from '../exchange/exchange.js';

/** Why a request is sent again. */
export interface Repeat {
  /**
   * `limited`: the limiter refused it. `unreachable`: no connection came about. `broken`: the network, or a gateway in
   * it, may have kept the answer back.
   */
  readonly cause: 'limited' | 'unreachable' | 'broken';
  readonly reason: string;
}

/** Statuses that a proxy in between answers for a target that it could not reach (RFC 9110 15.6.3 to 15.6.5). */
const gatewayStatuses: ReadonlySet<number> = new Set([502, 503, 504]);

/** Asked twice, they have the effect of once (RFC 9110 9.2.2). */
const idempotentMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

/**
 * The policy on repeats. Every repeat is an exchange of its own that names the one it repeats, counts against the
 * budget, and stands with its reason in the record (`requests.repeated`).
 *
 * - **A 429** that no check asked for is no answer: the request goes again after the wait that it asks for, one request
 *   ahead of all others, and at most six times. Then the run ends, incomplete.
 * - **No connection** (refused, unresolved, unreachable, TLS): nothing was sent, so any request may go again. A target
 *   that has answered before gets some seconds to come back; one request tries, the others wait. Then the run ends.
 * - **A broken connection, a missed deadline, a gateway's 502, 503 or 504**: an idempotent request goes again, once. A
 *   create never goes again as it was, because its first try may have had its effect: where it is a probe's, another
 *   body is sent under another name, once (`createPet` of the session's Api); where it has to be refused, the same body.
 *   POST and PATCH that the specification does not list are not repeated.
 * - **An answer that is longer than the suite reads**, and any whole answer, is never asked for again.
 *
 * What the repeat was answered decides. Broken exchanges are held against the target by ROBUST-01 alone: where the
 * repeat broke too, or where more requests broke off than a network explains. Where few of them were answered when sent
 * again and one broke twice, network and target can't be told apart, and ROBUST-01 says so instead of failing.
 *
 * @param repeated whether the request has gone again after a broken exchange already
 */
export function repeatAfter(exchange: Exchange, repeated: boolean): Repeat | undefined {
  const { response, failure, request } = exchange;
  if (response?.status === 429) return { cause: 'limited', reason: 'the limiter answered 429' };
  if (failure && isNoConnection(failure.kind)) return { cause: 'unreachable', reason: failure.message };
  const reason = brokenReason(exchange);
  if (reason === undefined || repeated || !idempotentMethods.has(request.method)) return undefined;
  return { cause: 'broken', reason };
}

/** Broken requests in a row after which what restarts has had its time. */
const longestRestart = 12;

/**
 * Milliseconds to wait before a broken request goes again: none after a single loss, and longer the more requests in a
 * row broke, so that what restarts is given time. What answers, though not in order, does not restart; nor does what
 * has been given time before.
 */
export function delayOfRepeat({ response }: Exchange, brokenInARow: number): number {
  const away = response === undefined || gatewayStatuses.has(response.status);
  if (!away || brokenInARow <= 1 || brokenInARow > longestRestart) return 0;
  return 100 * 2 ** Math.min(brokenInARow - 1, 4);
}

/** Why an exchange may be the network's doing rather than the target's; undefined where it is a whole answer. */
export function brokenReason({ response, failure }: Exchange): string | undefined {
  if (failure)
    return failure.kind === 'too-large' || failure.kind === 'aborted' ? undefined : failure.message;
  if (response && gatewayStatuses.has(response.status)) return `a gateway answered ${response.status}`;
  return undefined;
}

/** Whether the target has answered: neither with a 429, which is never an answer to a probe, nor broken off. */
export function isAnswer(exchange: Exchange): boolean {
  return exchange.response?.status !== 429 && brokenReason(exchange) === undefined;
}
