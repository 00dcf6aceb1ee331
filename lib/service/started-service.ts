import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Redact } from '../http/redaction/redaction.js';
import { printable } from '../usage/printable.js';

/** Milliseconds that a service has to end by itself, and between two looks. */
const endsWithin = 5_000;
const lookEvery = 20;
/** Lines that are kept for a message, and characters after which a line is broken. */
const linesKept = 10;
const longestLine = 8_000;

/** A service that a command of the user's runs. */
export interface StartedService {
  /** How the command ended by itself: `ended with exit code 1`. It never rejects. */
  readonly ended: Promise<string>;
  /** The last lines that it printed, without keys. */
  readonly lastLines: readonly string[];
  /** Ends the command and all that it started: SIGTERM, and after five seconds SIGKILL. */
  end(): Promise<void>;
}

export interface ServiceOptions {
  /** The file that takes what it prints. */
  readonly log: string;
  /** Takes the keys out of it. */
  readonly redact: Redact;
}

/** Starts a command of the shell, in a process group of its own, so that all that it starts can be ended with it. */
export function startService(command: string, { log, redact }: ServiceOptions): StartedService {
  const file = createWriteStream(log);
  // A log that can't be written ends no run.
  file.on('error', () => undefined);
  const lastLines: string[] = [];
  const keep = (line: string): void => {
    const text = redact(line);
    file.write(`${text}\n`);
    lastLines.push(printable(text));
    if (lastLines.length > linesKept) lastLines.shift();
  };
  const child = spawn(command, { shell: true, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr]) eachLine(stream.setEncoding('utf8'), keep);
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`can't be started (${error.message})`));
    child.once('exit', (code, signal) =>
      // What it printed last may still be under way.
      setImmediate(() => resolve(code === null ? `was ended by ${signal}` : `ended with exit code ${code}`)),
    );
  });
  // Nobody holds its output any more: what still has an id has ended, and is only not fetched by its parent.
  const output = { isClosed: false };
  child.once('close', () => (output.isClosed = true));
  /** Whether there was any process of the group to send the signal to. */
  const toAll = (signal: NodeJS.Signals | 0): boolean => {
    try {
      return child.pid !== undefined && process.kill(-child.pid, signal);
    } catch {
      return false;
    }
  };
  // Whatever ends this process, the service does not outlive it.
  const kill = (): void => void toAll('SIGKILL');
  process.once('exit', kill);
  return {
    ended,
    lastLines,
    async end() {
      toAll('SIGTERM');
      for (let waited = 0; waited < endsWithin && !output.isClosed && toAll(0); waited += lookEvery)
        await delay(lookEvery);
      kill();
      process.off('exit', kill);
      child.stdout.destroy();
      child.stderr.destroy();
      await new Promise<void>((resolve) => {
        file.end(resolve);
        file.once('error', () => resolve());
      });
    },
  };
}

/** Calls back with each line, the last one when the stream ends, and very long ones in parts. */
function eachLine(stream: NodeJS.ReadableStream, tell: (line: string) => void): void {
  let begun = '';
  stream.on('data', (text: string) => {
    const lines = (begun + text).split(/\r?\n/);
    begun = lines.pop() ?? '';
    for (const line of lines) tell(line);
    if (begun.length > longestLine) {
      tell(begun);
      begun = '';
    }
  });
  stream.once('end', () => begun !== '' && tell(begun));
}
