import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Milliseconds between two looks. */
const lookEvery = 250;

interface ProcessFacts {
  readonly parent: number;
  /** The name of its program. */
  readonly name: string;
}

/** Read at once: npm may be gone before the run begins. */
const shell = process.ppid;

/**
 * Calls back once npm, if it started this process, has ended. npm passes SIGTERM on to a shell alone, which dies of it, and
 * SIGHUP to nobody: without a look at them the process would go on by itself.
 */
export function whenNpmEnds(callBack: () => void): void {
  if (process.env['npm_command'] === undefined) return;
  // Some shells give their process to the command that they start.
  const { name = '', parent } = factsOf(shell) ?? {};
  const npm = /^(?:ba|da|z|k)?sh$/.test(name) ? parent : undefined;
  // npm was gone before this process could read who started it. In a container, npm itself may be the first process.
  const isOrphan = shell === 1 && !/^(?:npm|npx|node)/.test(factsOf(1)?.name ?? 'npm');
  const timer = setInterval(() => {
    if (process.ppid === shell && !isOrphan && (npm === undefined || factsOf(shell)?.parent === npm)) return;
    clearInterval(timer);
    callBack();
  }, lookEvery);
  timer.unref();
}

/** Undefined if there is no such process, or the system does not tell. */
function factsOf(pid: number): ProcessFacts | undefined {
  try {
    if (process.platform === 'linux') {
      // proc(5): the name stands in parentheses and may hold some itself; its state and its parent follow.
      const [, name = '', parent = ''] =
        /\((.*)\) \S (\d+) /s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
      return { parent: Number(parent), name };
    }
    const line = execFileSync('ps', ['-o', 'ppid=,comm=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    const [, parent = '', name = ''] = /^(\d+)\s+(?:.*\/)?-?(\S+)$/.exec(line) ?? [];
    return { parent: Number(parent), name };
  } catch {
    return undefined;
  }
}
