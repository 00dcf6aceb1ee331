import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from '../explain/error-code.js';
import { printable } from '../explain/printable.js';
import { redactionOfProgram } from './command-redaction.js';

/** Milliseconds that a service has to end by itself. */
const endsWithin = 5_000;
/** Lines that are kept for a message. */
const linesKept = 10;

/**
 * Runs the command in `$1`. Beside it waits a process that ends the whole group once the pipe of descriptor 3 closes:
 * nothing else learns of it if this process is ended by SIGKILL.
 */
const guarded = '{ read -r _ <&3; kill -s KILL -- -$$; } >/dev/null 2>&1 & exec /bin/sh -c "$1" 3<&-';

/**
 * Starts a command of the shell, in a process group of its own, so that all that it starts can be ended with it.
 * @param log the file that takes what it prints, without the keys
 */
export function startService(command: string, log: string) {
  const redact = redactionOfProgram(process).received;
  const child = spawn('/bin/sh', ['-c', guarded, 'sh', command], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const output = [child.stdout, child.stderr].filter((stream) => stream !== null);
  const lastLines: string[] = [];
  const keep = (line: string): void => {
    const text = redact(line);
    lastLines.push(printable(text));
    if (lastLines.length > linesKept) lastLines.shift();
    try {
      appendFileSync(log, `${text}\n`);
    } catch {
      // A log that can't be written ends no run.
    }
  };
  for (const input of output) createInterface({ input }).on('line', keep);
  /** How the command ended by itself: `ended with exit code 1`. It never rejects. */
  const ended = once(child, 'exit').then(
    async ([code, signal]) => {
      // What it printed last may still be under way.
      await delay(0);
      return code === null ? `was ended by ${signal}` : `ended with exit code ${code}`;
    },
    (error: unknown) => `can't be started (${errorCode(error)})`,
  );
  // It has ended, and so have all processes below it that hold its output.
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const toAll = (signal: NodeJS.Signals): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal);
    } catch {
      // There is no process of the group any more.
    }
  };
  return {
    ended,
    /** A sentence with what the service printed last: it says more than its exit code. */
    told(sentence: string): string {
      if (lastLines.length === 0) return `${sentence}; it printed nothing`;
      return `${sentence}; it printed last:\n${lastLines.map((line) => `  ${line}`).join('\n')}`;
    },
    /** Ends the command and all that it started: SIGTERM, and after five seconds SIGKILL. */
    async end(): Promise<void> {
      toAll('SIGTERM');
      await Promise.race([closed, delay(endsWithin, undefined, { ref: false })]);
      toAll('SIGKILL');
      for (const stream of output) stream.destroy();
    },
  };
}
