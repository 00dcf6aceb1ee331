import { BroadcastChannel } from 'node:worker_threads';
import { describe, inject, test } from 'vitest';
import { channelName, outcomeSchema, type Outcome } from './vitest-message.js';

/**
 * The suite as Vitest sees it: a test for each selected requirement. The judging is done in the run itself; a test
 * requests its outcome and waits. Vitest decides which are requested (`-t`), when to stop (`--bail`) and how they are
 * reported (`--reporter`).
 */
const { run, stages } = inject('conformance');
const channel = new BroadcastChannel(channelName(run));
channel.unref();
const waiting = new Map<string, (outcome: Outcome) => void>();
channel.addEventListener('message', (event: unknown) => {
  const outcome = outcomeSchema.parse((event as MessageEvent).data);
  waiting.get(outcome.id)?.(outcome);
});

async function outcomeOf(id: string): Promise<Outcome> {
  const outcome = new Promise<Outcome>((resolve) => waiting.set(id, resolve));
  channel.postMessage({ judge: id });
  return outcome;
}

for (const { phase, tests } of stages) {
  // One phase after the other; the tests of one at the same time.
  describe(phase, () => {
    for (const { id, title } of tests) {
      test.concurrent(`${id} ${title}`, async ({ skip }) => {
        const { outcome, message } = await outcomeOf(id);
        if (outcome === 'skipped') skip(message);
        if (outcome === 'failed') {
          const failure = new Error(message);
          // The place in this file is of no use to anyone.
          failure.stack = failure.message;
          throw failure;
        }
      });
    }
  });
}
