import { Interrupted } from '../lib/http/client/run-end.js';

/** Milliseconds from which on a second Ctrl-C ends the process at once; npm passes the same one on, a moment later. */
const secondAfter = 750;

/** Aborted by Ctrl-C, which is answered with what ends now, `the run`. A second one, some time later, ends the process. */
export function interruption(what: string): AbortSignal {
  const controller = new AbortController();
  let first = 0;
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (controller.signal.aborted && performance.now() - first > secondAfter) process.exit(130);
      if (controller.signal.aborted) return;
      first = performance.now();
      process.stderr.write(`\nending ${what}: its record is being written\n`);
      controller.abort(new Interrupted());
    });
  }
  return controller.signal;
}
