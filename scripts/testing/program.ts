import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** How a started program ended, and all that it said. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Started {
  readonly process: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Ended>;
}

const published = fileURLToPath(new URL('../../dist/scripts/petstore-conformance.js', import.meta.url));

/** What npm, Vitest and a CI tell the processes that they start; a person's shell knows nothing of it. */
const ofOurCaller = /^(npm_|INIT_CWD|VITEST|NODE_ENV|NODE_OPTIONS|GITHUB_|PETSTORE_|NO_COLOR|FORCE_COLOR)/;

/** Starts a command in a folder of its own, as it is published: that takes half the time that `npm run` does. */
export function start(
  command: 'conformance' | 'load' | 'report',
  args: readonly string[],
  { folder, environment = {} }: { folder: string; environment?: Readonly<Record<string, string>> },
): Started {
  const inherited = Object.entries(process.env).filter(([name]) => !ofOurCaller.test(name));
  const given = command === 'conformance' ? args : [command, ...args];
  const child = spawn(process.execPath, [published, ...given], {
    cwd: folder,
    env: { ...Object.fromEntries(inherited), ...environment },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
  return { process: child, ended };
}
