import { z } from 'zod';
import { requirementIds } from '../specification/catalogue.js';

/**
 * All that is said of one requirement: what the specification says, how it is judged, what a right and a wrong exchange look
 * like, and how to meet it. `explain --json` prints it; the pages in `docs/requirements` are made from it.
 */
export const pageSchema = z.object({
  id: z.enum(requirementIds),
  level: z.enum(['MUST', 'SHOULD', 'OBSERVE']),
  class: z.enum(['functional', 'limits', 'description']),
  /** The sections of the specification, or the RFC. Empty for what careful readers expect. */
  section: z.string(),
  title: z.string(),
  /** The specification's own words, clause by clause, in Markdown. */
  specification: z.array(z.object({ clause: z.string(), title: z.string(), text: z.string() })),
  /** The RFC's own words. */
  rfc: z.string().optional(),
  judged: z.string(),
  /** An exchange with the reference service, as HTTP. */
  conforming: z.string().optional(),
  /** What a fault of the reference service leads to. */
  failing: z
    .object({
      fault: z.string(),
      finding: z.object({
        message: z.string(),
        expected: z.string().optional(),
        received: z.string().optional(),
        reproduce: z.string().optional(),
      }),
      exchange: z.string().optional(),
    })
    .optional(),
  bugs: z.array(z.string()),
  fix: z.string(),
});

export type Page = z.infer<typeof pageSchema>;
