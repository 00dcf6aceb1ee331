import type { ApiResponse } from '../verdict/api-response.js';
import { valueText, type Animal } from './animal.js';

/** An animal in a line, for a finding: its identifier, and what a listing is judged by. */
export function describeListing({ id, shown }: Animal): string {
  return `id ${id}, name ${valueText(shown.name)}, status ${valueText(shown.status)}`;
}

/** How many items a listing has; undefined where the answer is no array. */
export function lengthOf(response: ApiResponse): number | undefined {
  return Array.isArray(response.json) ? response.json.length : undefined;
}

/** What a limit allows, in the words of a finding. */
export function atMost(limit: number): string {
  return `at most ${limit} ${limit === 1 ? 'animal' : 'animals'}`;
}
