import type { Exchange } from '../evidence/recorded-exchange.js';
import type { Animal } from '../evidence/animal.js';
import type { Api } from './api.js';
import type { ApiResponse } from '../evidence/exchange.js';
import type { RetryUntil } from './retry.js';

/**
 * Whether a creation was accepted. Section 4.2 has 201 for it. Another success is a fault, but that one fault must not
 * keep everything else from being judged.
 */
export function isAccepted(status: number | null | undefined): boolean {
  return typeof status === 'number' && status >= 200 && status < 300;
}

/** The animal that a creation made; undefined if it was refused, or if the response shows none. */
export function createdAnimal(response: ApiResponse): Animal | undefined {
  return isAccepted(response.status) ? response.animal : undefined;
}

/** Whether an exchange is a creation that was accepted. */
export function isCreation({ operation, response }: Exchange): boolean {
  return operation === 'createPet' && isAccepted(response?.status);
}

/** `getPet` for an animal that was created: a 404 is retried until it is gone, or the consistency time is over. */
export async function getCreated(
  { api, retryUntil }: { readonly api: Api; readonly retryUntil: RetryUntil },
  id: string,
): Promise<ApiResponse> {
  return retryUntil(
    () => api.getPet(id),
    ({ status }) => status !== 404,
  );
}
