import { z } from 'zod';

/** A test requests the outcome of a requirement from the run. */
export const outcomeRequestSchema = z.object({ judge: z.string() });

/** How a requirement went, as far as Vitest has a word for it. */
export const outcomeSchema = z.object({
  id: z.string(),
  outcome: z.enum(['passed', 'failed', 'skipped']),
  message: z.string(),
});
export type Outcome = z.infer<typeof outcomeSchema>;

/** What the tests are made of; must survive being cloned into Vitest's worker. */
export interface Provided {
  readonly run: string;
  readonly stages: ReadonlyArray<{
    readonly phase: string;
    readonly tests: ReadonlyArray<{ readonly id: string; readonly title: string }>;
  }>;
}

declare module 'vitest' {
  interface ProvidedContext {
    conformance: Provided;
  }
}

/** The channel between a run and Vitest's worker. */
export function channelName(run: string): string {
  return `petstore-conformance ${run}`;
}
