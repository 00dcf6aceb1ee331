import { z } from 'zod';
import { isRequirementId, requirementIds } from '../../lib/specification/catalogue.js';

/** A miss that its owner knows of and answers for, until a day. */
export const waiverSchema = z.strictObject({
  /** The requirement that is missed. */
  id: z
    .string()
    .refine(isRequirementId, { error: ({ input }) => `there is no requirement ${String(input)}` }),
  /** The name or the base address of the target that it holds for; absent: for every target. */
  target: z.string().min(1).optional(),
  reason: z.string().trim().min(1, 'say why the miss is accepted'),
  owner: z.string().trim().min(1, 'say who answers for it'),
  /** The last day on which it holds, by UTC. */
  until: z.iso.date('a day such as 2026-04-30'),
});
export type Waiver = z.infer<typeof waiverSchema>;

export const waiverFields = Object.keys(waiverSchema.shape);
export const waivableIds: readonly string[] = requirementIds;
