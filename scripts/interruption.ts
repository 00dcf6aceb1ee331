import { Interrupted } from '../lib/http/client/run-end.js';

/** Milliseconds after which a second Ctrl-C ends the process at once; npm passes the first one on a moment later. */
const secondAfter = 750;

/** Aborted by Ctrl-C or SIGTERM, which prints a message. A second one, some time later, ends the process. */
export function interruption(message: string): AbortSignal {
  const controller = new AbortController();
  let first = 0;
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (controller.signal.aborted && performance.now() - first > secondAfter) process.exit(130);
      if (controller.signal.aborted) return;
      first = performance.now();
      process.stderr.write(`\n${message}\n`);
      controller.abort(new Interrupted());
    });
  }
  return controller.signal;
}
