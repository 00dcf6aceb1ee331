import { BroadcastChannel } from 'node:worker_threads';
import { describe, inject, test } from 'vitest';
import { answerSchema, channelName, type Question } from './vitest-message.js';

/**
 * The suite as Vitest sees it: a test for each selected requirement. The run itself judges, in the process that started it; a
 * test asks for its verdict and waits. Vitest decides which are asked for (`-t`), when to stop (`--bail`) and how it is
 * told (`--reporter`).
 */
const { run, stages } = inject('conformance');
const channel = new BroadcastChannel(channelName(run));
channel.unref();
const waiting = new Map<string, (answer: unknown) => void>();
channel.addEventListener('message', (event: unknown) => {
  const answer = answerSchema.parse((event as MessageEvent).data);
  waiting.get(answer.id)?.(answer);
});

async function verdictOf(id: string): Promise<ReturnType<typeof answerSchema.parse>> {
  const answer = new Promise<unknown>((resolve) => waiting.set(id, resolve));
  channel.postMessage({ ask: id } satisfies Question);
  return answerSchema.parse(await answer);
}

for (const { phase, tests } of stages) {
  // One phase after the other; the tests of one at the same time.
  describe(phase, () => {
    for (const { id, title } of tests) {
      test.concurrent(`${id} ${title}`, async ({ skip }) => {
        const answer = await verdictOf(id);
        if (answer.outcome === 'skipped') skip(answer.message);
        if (answer.outcome === 'failed') {
          const failure = new Error(answer.message);
          // The place in this file is of no use to anyone.
          failure.stack = failure.message;
          throw failure;
        }
      });
    }
  });
}
