import { z } from 'zod';
import { catalogue, isRequirementId } from '../../lib/specification/catalogue.js';

/** What is only observed can't be missed. */
export const waivableIds: readonly string[] = catalogue
  .filter(({ level }) => level !== 'OBSERVE')
  .map(({ id }) => id);

/** A miss that its owner knows of and answers for, until a day. */
export const waiverSchema = z.strictObject({
  /** The requirement that is missed. */
  id: z
    .string('name the requirement that is missed')
    .refine(isRequirementId, {
      error: ({ input }) => `there is no requirement ${String(input)}`,
      abort: true,
    })
    .refine((id) => waivableIds.includes(id), {
      error: ({ input }) => `${String(input)} is observed and never fails: there is nothing to waive`,
    }),
  /** The name or the base address of the target that it holds for; absent: for every target. */
  target: z.string().min(1).optional(),
  reason: z.string('say why the miss is accepted').trim().min(1, 'say why the miss is accepted'),
  owner: z.string('say who answers for it').trim().min(1, 'say who answers for it'),
  /** The last day on which it holds, by UTC. */
  until: z.iso.date('a day such as 2026-04-30'),
});
export type Waiver = z.infer<typeof waiverSchema>;

export const waiverFields = Object.keys(waiverSchema.shape);
