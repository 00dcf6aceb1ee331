/** What the service keeps of an animal (section 2). Written apart from the judge's schemas on purpose: see serve.ts. */

export const petStatuses = ['available', 'pending', 'sold'] as const;
export type PetStatus = (typeof petStatuses)[number];

export interface NewPet {
  readonly name: string;
  /** Exact over the whole of int64. */
  readonly categoryId: bigint;
  readonly status?: PetStatus;
  /** Additional properties of the body, if a behaviour keeps them. */
  readonly additional?: Readonly<Record<string, unknown>>;
}

export interface Animal extends NewPet {
  readonly id: bigint;
  /** Epoch milliseconds by the service's clock. */
  readonly createdAt: number;
}

export function isPetStatus(value: unknown): value is PetStatus {
  return petStatuses.some((status) => status === value);
}
