import { Interrupted } from '../lib/http/client/run-end.js';
import { OutputProblem } from '../lib/evidence/record/run-files.js';
import { UsageProblem } from '../lib/explain/usage-problem.js';

const typedKey = /^--(?:(?:other-)?api-key|observe-ban)(?:=|$)/;

/**
 * Runs a command; its result is the exit code. A mistake of the user's is one line without keys, and exit code 2.
 * @param name What the line begins with.
 */
export async function runCommand(
  name: string,
  main: (argv: readonly string[]) => Promise<number>,
): Promise<void> {
  // Whoever reads the output may have read enough (`| head`), or the terminal may be gone: the exit code counts.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
    });
  const argv = process.argv.slice(2);
  // npm prints the command that it runs, and keeps it in its logs.
  if (process.env['npm_lifecycle_event'] !== undefined && argv.some((word) => typedKey.test(word)))
    process.stderr.write(
      `${name}: npm has printed and logged the key on the command line: use PETSTORE_API_KEY or --api-key-file\n`,
    );
  try {
    process.exitCode = await main(argv);
  } catch (error) {
    if (error instanceof Interrupted) {
      process.exitCode = 130;
      return;
    }
    const isMistake = error instanceof UsageProblem || error instanceof OutputProblem;
    const crash = error instanceof Error ? error.stack : String(error);
    await complain(name, isMistake ? error.message : `an error of the suite itself: ${crash}`);
    process.exitCode = isMistake ? 2 : 3;
  }
}

/** Prints a text; gives the exit code of a command that does nothing else. */
export function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

/** Prints a line on stderr, without the keys of the command line and the environment. */
export async function complain(name: string, message: string): Promise<void> {
  const { redactionOfProgram } = await import('../lib/options/command-redaction.js');
  process.stderr.write(`${name}: ${redactionOfProgram(process)(message)}\n`);
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
    process.stderr.write(`\n${message}\n`);
    controller.abort(new Interrupted());
  };
  if (process.env['npm_command'] !== undefined)
    setInterval(() => process.ppid !== shell && end(), 250).unref();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (controller.signal.aborted && performance.now() - first > secondAfter) process.exit(130);
      end();
    });
  }
  return controller.signal;
}
