import type { Exchange } from '../http/exchange/exchange.js';
import type { RepeatedRequest } from '../record/repeated-request.js';
import { likeness, likenessOf } from './likeness.js';

/** How the reason of a requirement ends that a run which repeats another one can't judge. */
export const onlyTheWholeRun = 'only the whole run can tell';

/** Why a requirement that passes in a run that repeats another one is open. */
export const notTriedAgain = `a request that failed in the earlier run was not sent again: ${onlyTheWholeRun}`;

/** Whether a requirement is open because a run that repeats another one could not tell. */
export function isLeftToTheWholeRun({ reason = '' }: { readonly reason?: string | undefined }): boolean {
  return reason.endsWith(onlyTheWholeRun);
}

/** The requests of an earlier run that this one has not sent again. */
export function notSentAgain(
  requests: readonly RepeatedRequest[],
  exchanges: readonly Exchange[],
): RepeatedRequest[] {
  if (requests.length === 0) return [];
  const sent = new Set(exchanges.map(likenessOf));
  return requests.filter((request) => !sent.has(likeness(request)));
}
