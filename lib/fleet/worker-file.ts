import { join } from 'node:path';
import { UsageProblem } from '../usage/usage-problem.js';
import { runWorker } from './worker.js';

/** `worker.cjs`: started by itself as `node worker.cjs [PLAN]`, or called by an engine as a function. */

/** A virtual user's variables in Artillery. */
interface Context {
  readonly vars?: Readonly<Record<string, unknown>>;
}

declare const __dirname: string;

/** Artillery calls this once for each virtual user: one of them is one worker. */
export async function petstoreWorker(context: Context): Promise<void> {
  const worker = context.vars?.['worker'];
  const environment = process.env;
  await runWorker({
    planFile: join(__dirname, 'plan.json'),
    worker: worker === undefined || worker === '' ? undefined : Number(worker),
    environment,
    signal: new AbortController().signal,
  });
}

if (process.argv[1]?.endsWith('worker.cjs')) {
  const interruption = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => interruption.abort());
  const [planFile = join(__dirname, 'plan.json')] = process.argv.slice(2);
  runWorker({ planFile, environment: process.env, signal: interruption.signal }).catch((error: unknown) => {
    const text = error instanceof UsageProblem ? error.message : String(error);
    process.stderr.write(`petstore-worker: ${text}\n`);
    process.exitCode = error instanceof UsageProblem ? 2 : 3;
  });
}
