import type { Exchange } from '../evidence/exchange.js';
import type { Api } from './api.js';
import type { RetryUntil } from './retry.js';

/** `getPet` for an animal that was created: a 404 is retried until it is gone, or the consistency time is over. */
export async function getCreated(
  { api, retryUntil }: { readonly api: Api; readonly retryUntil: RetryUntil },
  id: string,
): Promise<Exchange> {
  return retryUntil(
    () => api.getPet(id),
    ({ status }) => status !== 404,
  );
}
