import { seedFor } from '../draw/seeded.js';
import type { Exchange } from '../evidence/exchange.js';
import { petStatuses, type PetStatus } from '../specification/body-schema.js';
import { Inconclusive } from '../verdict/outcome.js';
import type { Store } from './store.js';

/** A body that a service has no reason to refuse. Without `status` if the target refuses every one that is given. */
export type NewPet = Readonly<{ name: string; categoryId: bigint; status?: PetStatus }>;

/** The categories that a listing shows, each once. */
export function categoriesIn({ animals = [] }: Exchange): bigint[] {
  const shown = animals.map(({ shown }): unknown => shown.categoryId);
  const isInteger = (one: unknown): one is bigint | number =>
    typeof one === 'bigint' || Number.isInteger(one);
  return [...new Set(shown.filter(isInteger).map(BigInt))];
}

/** Categories of listed animals that are tried: some may no longer be valid. */
const mostLearnt = 4;
/** Categories that are tried, one after the other, if the target refuses unknown ones. */
const triedCategories = [1n, 2n, 3n, 0n, 10n, 100n, 1000n];

/**
 * Sends bodies until the target accepts one, and creates an animal: the positive control of refusals. The status may be what
 * is refused, or the category: a known one is configured, or that of a listed animal.
 * @throws Inconclusive if it accepts none.
 */
export async function findControl(store: Store) {
  const rarest = await store.rarestStatus();
  const { categoryId: configured } = store.settings.target;
  const listed = categoriesIn(await store.survey()).slice(0, mostLearnt);
  const known = configured === undefined ? listed : [configured, ...listed];
  const [likeliest = 1n, ...further] = new Set([...known, ...triedCategories]);
  const others = [...petStatuses.filter((status) => status !== rarest), undefined];
  const tried: ReadonlyArray<Omit<NewPet, 'name'>> = [
    ...[rarest, ...others].map((status) => ({ categoryId: likeliest, ...(status && { status }) })),
    ...further.map((categoryId) => ({ categoryId, status: rarest })),
  ];
  let last: Exchange | undefined;
  for (const fields of tried) {
    last = await store.api('control').createPet({ name: store.name('control'), ...fields });
    // A body that was sent again has another name.
    const body: NewPet = { ...fields, name: String(last.members.name) };
    if (last.created) return { body, animal: last.created };
    // Nothing was even looked at, or another body makes no difference.
    if (last.status !== 400) break;
  }
  // Only of a refusal the category may be the reason.
  const wayOut = last?.status === 400 ? '. Give a known category with NAME_CATEGORY_ID' : '';
  throw new Inconclusive(
    `the target accepted no valid body as a control (last response: ${last?.toString() ?? 'none'})${wayOut}`,
    'CREATE-01',
  );
}

/**
 * A creation, once in a run, with a small `categoryId` that a target that checks categories is unlikely to know, and that no
 * other animal has: if it is accepted, bodies that must be refused carry it, too, so that an animal that they add is found.
 */
export async function unknownCategory(
  store: Store,
): Promise<{ readonly categoryId: bigint; readonly isAccepted: boolean }> {
  return store.once('unknown category', async () => {
    const { api, newPetOfOtherStatus } = store.for('unknown category');
    const body = await newPetOfOtherStatus();
    const categoryId = BigInt((seedFor(0, body.name) >>> 2) + 2 ** 30);
    const { created, status } = await api.createPet({ ...body, categoryId });
    return { categoryId, isAccepted: created !== undefined || status === 201 };
  });
}
