import type { OperationName } from '../evidence/recorded-exchange.js';

/** How often each operation is sent, relative to the others. */
export type Mix = Readonly<Partial<Record<OperationName, number>>>;

/** The mix of a load: most of what clients do. Nothing is created if the target is read-only, nothing fetched without an animal. */
export function mixOf(may: { readonly create: boolean; readonly get: boolean }): Mix {
  return { listPets: 8, ...(may.get && { getPet: 1 }), ...(may.create && { createPet: 1 }) };
}

/** The operation of each request of a load, from 0, evenly spread. The same mix gives the same order. */
export function operationAt(mix: Mix, place: number): OperationName {
  if (place % 10 === 4 && mix.createPet) return 'createPet';
  return place % 10 === 9 && mix.getPet ? 'getPet' : 'listPets';
}
