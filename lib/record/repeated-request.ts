import { z } from 'zod';
import { exchangeSchema } from '../http/exchange/exchange.js';
import { petStatuses } from '../specification/body-schema.js';

/** A request of an earlier run that a run repeats, because a finding shows it. */
export const repeatedRequestSchema = z.object({
  /** The requirements whose findings show it. */
  of: z.array(z.string()),
  /** Whether the run sends it as it was; otherwise a probe does so, with what belongs to it. */
  asItWas: z.boolean(),
  ...exchangeSchema.pick({ purpose: true, operation: true, credential: true, input: true }).shape,
  method: z.string(),
  /** After the base address: `/pets?limit=1`. */
  path: z.string(),
  /** As the record shows it: without the key. */
  authorization: z.string().optional(),
  /** Those that not every request carries. */
  headers: z.array(z.tuple([z.string(), z.string()])).optional(),
  body: z.string().optional(),
  latin1: z.boolean().optional(),
  /** The status that it got. */
  status: z.int().optional(),
  /** How many animals it showed, if it was a listing. */
  length: z.int().optional(),
  /** The identifier of the animal that it created: it stands in the paths of others. */
  created: z.string().optional(),
  /** It was under way at the same time as the one before. */
  besidePrevious: z.boolean().optional(),
});
export type RepeatedRequest = z.infer<typeof repeatedRequestSchema>;

/** What a run that repeats another one knows of it beside the requests. */
export const roundSchema = z.object({
  /** Two rounds of one run give their animals different names. */
  name: z.string(),
  /** The status of the animals that listings have to show: the store held the fewest of it. */
  status: z.enum(petStatuses).optional(),
  /** How many findings there were: those of `repeated` stand for them. */
  findings: z.int(),
});
export type Round = z.infer<typeof roundSchema>;
