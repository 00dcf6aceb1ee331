import { z } from 'zod';

/** What a test asks of the run: the verdict of a requirement. */
export interface Question {
  readonly ask: string;
}
export const questionSchema = z.object({ ask: z.string() });

/** How a requirement went, as far as Vitest has a word for it. */
export const answerSchema = z.object({
  id: z.string(),
  outcome: z.enum(['passed', 'failed', 'skipped']),
  message: z.string(),
});
export type Answer = z.infer<typeof answerSchema>;

/** What the tests are made of; has to survive being cloned into Vitest's worker. */
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

/** The channel between the run and Vitest's worker, one a run. */
export function channelName(run: string): string {
  return `petstore-conformance ${run}`;
}
