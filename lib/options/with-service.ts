import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { createTransport } from '../http/connection/transport.js';
import { makeRunFolder, serviceLog } from '../evidence/record/run-files.js';
import { printable } from '../explain/printable.js';
import { UsageProblem } from '../explain/usage-problem.js';
import type { Settings } from '../run/settings.js';
import { redactionOfProgram } from './command-redaction.js';
import type { OptionValues } from './option.js';
import type { startOptions } from './run-options.js';

/** Milliseconds that a started service has to end by itself. */
const endsWithin = 5_000;
/** Milliseconds between two attempts to reach it, and for one. */
const attemptEvery = 50;
const attemptMs = 2_000;
/** Lines that are kept for a message. */
const linesKept = 10;

interface Service
  extends
    Pick<Settings, 'target' | 'clock' | 'overwrite'>,
    Omit<OptionValues<typeof startOptions>, 'target'> {
  /** The folder of the run takes what the service prints. */
  readonly directory: string;
  /** Tells the user why the target may not be there. */
  readonly complain: (message: string) => unknown;
  readonly signal: AbortSignal;
}

/**
 * Starts the service under test if there is a command, waits for it, and ends it whatever comes of the use. A target that does
 * not respond in time is used all the same.
 * @throws UsageProblem if something else responds there already, or the command ends before; the signal's reason
 */
export async function withService<Result>(service: Service, use: () => Promise<Result>): Promise<Result> {
  const { target, directory, start, complain } = service;
  const wait = service.wait ?? 30_000;
  const silence = `nothing responded at ${target.baseUrl} within ${wait / 1_000} s (--wait)`;
  if (start === undefined) {
    if (service.wait !== undefined && !(await responds(service, wait))) complain(silence);
    return use();
  }
  if (await responds(service, 0))
    throw new UsageProblem(
      `something responds at ${target.baseUrl} before --start: end it, or leave out --start`,
    );
  makeRunFolder(directory, service.overwrite);
  const started = startService(start, join(directory, serviceLog));
  try {
    const signal = AbortSignal.any([service.signal, started.over]);
    if (!(await responds({ ...service, signal }, wait))) complain(started.told(silence));
    const result = await use();
    const how: unknown = started.over.reason;
    if (how instanceof UsageProblem) complain(how.message);
    return result;
  } finally {
    await started.end();
  }
}

/**
 * Requests the base address, without a key, until a response of any kind comes, or for so many milliseconds; at least once.
 * Returns whether one came. Rejects with the signal's reason.
 */
async function responds(service: Service, forMs: number): Promise<boolean> {
  const { target, clock, signal } = service;
  const { origin, pathname } = new URL(target.baseUrl);
  const transport = createTransport({ ...target, origin, deadlineMs: attemptMs, clock, signal });
  const until = clock.now() + forMs;
  try {
    for (;;) {
      const { status } = await transport.send({ method: 'GET', path: pathname, headers: [] });
      if (status !== null) return true;
      signal.throwIfAborted();
      const left = until - clock.now();
      if (left <= 0) return false;
      await clock.sleep(Math.min(attemptEvery, left), signal);
    }
  } finally {
    await transport.close();
  }
}

/**
 * Runs the command in `$1`, with one stream for all that it prints. Beside it waits a process that ends the whole group once
 * the pipe of descriptor 3 closes: nothing else learns of it if this process is ended by SIGKILL.
 */
const guarded = '{ read -r _ <&3; kill -s KILL -- -$$; } >/dev/null 2>&1 & exec /bin/sh -c "$1" 2>&1 3<&-';

/**
 * Starts a command of the shell, in a process group of its own, so that all that it starts can be ended with it. It is over
 * when no process of it holds its output any more.
 * @param log the file that takes what it prints, without the keys
 */
function startService(command: string, log: string) {
  const redact = redactionOfProgram().received;
  const stdio = ['ignore', 'pipe', 'inherit', 'pipe'] as const;
  const child = spawn('/bin/sh', ['-c', guarded, 'sh', command], { detached: true, stdio: [...stdio] });
  const lines: string[] = [];
  const output = createInterface({ input: child.stdout ?? Readable.from([]) }).on('line', (line) => {
    const text = redact(line);
    lines.push(printable(text));
    if (lines.length > linesKept) lines.shift();
    try {
      appendFileSync(log, `${text}\n`);
    } catch {
      // A log that can't be written ends no run.
    }
  });
  const told = (sentence: string): string =>
    `${sentence}; it printed ${lines.length === 0 ? 'nothing' : ['last:', ...lines].join('\n  ')}`;
  const over = new AbortController();
  const ended = Promise.all([once(child, 'exit'), once(output, 'close')])
    .then(([[code, signal]]) => {
      const how = code === null ? `was ended by ${signal}` : `ended with exit code ${code}`;
      return new UsageProblem(told(`the service of --start ${how}`));
    })
    // There was no process to start.
    .catch((error: unknown) => error)
    .then((reason) => over.abort(reason));
  const toAll = (signal: NodeJS.Signals): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal);
    } catch {
      // There is no process of the group any more.
    }
  };
  return {
    /** Aborts when the command ends by itself, with a UsageProblem that tells how. */
    over: over.signal,
    /** A sentence with what the service printed last: it says more than its exit code. */
    told,
    /** Ends the command and all that it started: SIGTERM, and after five seconds SIGKILL. */
    async end(): Promise<void> {
      toAll('SIGTERM');
      await Promise.race([ended, delay(endsWithin, undefined, { ref: false })]);
      toAll('SIGKILL');
      child.stdout?.destroy();
    },
  };
}
