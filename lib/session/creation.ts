import type { Exchange } from '../http/exchange/exchange.js';
import type { ApiResponse } from '../verdict/api-response.js';
import { animalOf, type Animal } from './animal.js';

/**
 * Whether a creation was taken. Section 4.2 answers it with 201. Another success is wrong, which CREATE-01 and ROBUST-01
 * find; that one mistake must not keep every other row from being judged.
 */
export function isTaken(status: number | null | undefined): boolean {
  return typeof status === 'number' && status >= 200 && status < 300;
}

/** The animal that a creation made; undefined where it was refused, or where the answer shows none. */
export function createdAnimal(response: ApiResponse): Animal | undefined {
  return isTaken(response.status) ? animalOf(response.json) : undefined;
}

/** Whether an exchange is a creation that was taken. */
export function isCreation({ operation, response }: Exchange): boolean {
  return operation === 'createPet' && isTaken(response?.status);
}

/** What a valid body is answered with: 201, or what the target answers a plain one with, which is not said twice. */
export function successStatuses(control: ApiResponse): readonly number[] {
  return [...new Set([201, control.status ?? 201])];
}
