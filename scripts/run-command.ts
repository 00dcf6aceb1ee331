import { resolve } from 'node:path';
import { HelpAsked } from '../lib/options/command-line.js';
import { keysIn, redactionOfProgram } from '../lib/options/command-redaction.js';
import { errorCode, UsageProblem } from '../lib/explain/usage-problem.js';
import { Interrupted } from '../lib/http/client/run-end.js';
import { exitCode } from '../lib/verdict/class-verdict.js';
import { freeRunFolder, RecordLost } from '../lib/evidence/record/run-files.js';

const { stdout, stderr, env } = process;

/** How reports are laid out on standard output. Longer lines are hard to read. */
export const layout = {
  columns: Math.min(120, stdout.columns || 80),
  colour: stdout.isTTY && stdout.hasColors() && !env['NO_COLOR'],
};

/**
 * Runs a command; its result is the exit code. A mistake of the user's is one line without keys, and exit code 2. What the
 * system refuses, such as a file descriptor, is one line and exit code 3.
 */
export async function runCommand(
  main: (argv: readonly string[]) => Promise<number>,
  argv: readonly string[],
): Promise<void> {
  let lost = '';
  for (const stream of [stdout, stderr])
    stream.on('error', (error) => {
      // Whoever reads the output may have read enough (`| head`), or the terminal may be gone: the exit code counts.
      if (!/^(?:EPIPE|EIO)$/.test(errorCode(error))) lost = errorCode(error);
    });
  // npm prints the command that it runs, and keeps it in its logs.
  if (env['npm_lifecycle_event'] !== undefined && keysIn(argv).length > 0)
    complain('npm has printed and logged the key: use PETSTORE_API_KEY or --api-key-file');
  try {
    process.exitCode = await main(argv);
  } catch (error) {
    process.exitCode = await told(error);
  }
  process.once('exit', (code) => {
    if (lost === '') return;
    complain(`what it printed could not be written (${lost})`);
    if (code === 0) process.exitCode = 3;
  });
}

/** Tells why a command has ended; gives the exit code. */
async function told(error: unknown): Promise<number> {
  if (error instanceof HelpAsked) return print(error.message);
  if (error instanceof Interrupted) return 130;
  if (error instanceof UsageProblem) return complain(error.message, 2);
  if (error instanceof RecordLost) {
    // What was found is printed all the same; there is no file to send a reader to.
    const { renderTerminal } = await import('../reports/terminal/terminal-report.js');
    print(renderTerminal(error.record, layout));
    return complain(error.message, error.record.load ? 3 : exitCode(error.record) || 3);
  }
  const { message, stack, syscall }: NodeJS.ErrnoException =
    error instanceof Error ? error : new Error(String(error));
  if (syscall === 'uv_cwd') return complain('the working directory does not exist any more', 2);
  return complain(syscall === undefined ? `an error of the suite itself: ${stack}` : message, 3);
}

/** Prints a text, and ends its last line; gives the exit code of a command that does nothing else. */
export function print(text: string): number {
  stdout.write(text.endsWith('\n') ? text : `${text}\n`);
  return 0;
}

/** Prints a line on stderr, without the keys of the command line and the environment; gives the exit code. */
export function complain(message: string, code = 0): number {
  stderr.write(`petstore-conformance: ${redactionOfProgram()(message)}\n`);
  return code;
}

/** Where runs without `--output` are, in the folder that the process works in. */
export const runsFolder = (): string => resolve('reports', 'runs');

/**
 * The folder of a run: the one that was given, or a new one named by the time and the target,
 * `reports/runs/2026-11-21T08-30-05-staging`.
 * @throws OutputProblem if it can't be made.
 */
export function runFolder(given: string | undefined, name: string): string {
  if (given !== undefined) return given;
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  // The name of a target is the user's, and may hold what a path gives a meaning to.
  return freeRunFolder(resolve(runsFolder(), `${time}-${name.replaceAll(/[^\p{L}\p{N}_-]+/gu, '-')}`));
}

/** Milliseconds after which a second Ctrl-C ends the process at once; npm passes the first one on a moment later. */
const secondAfter = 750;

/** Read at once: npm's shell may be gone before the run begins. */
const shell = process.ppid;

/**
 * Aborted by Ctrl-C, SIGTERM or the end of the terminal, which prints a message. A second one, some time later, ends the
 * process. npm passes SIGTERM on to its shell alone, which dies of it.
 */
export function interruption(message: string): AbortSignal {
  const controller = new AbortController();
  let first = 0;
  const end = (): void => {
    if (controller.signal.aborted) return;
    first = performance.now();
    stderr.write(`\n${message}\n`);
    controller.abort(new Interrupted());
  };
  if (env['npm_command'] !== undefined) setInterval(() => process.ppid !== shell && end(), 250).unref();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => {
      if (controller.signal.aborted && performance.now() - first > secondAfter) process.exit(130);
      end();
    });
  return controller.signal;
}
