import { readFileSync } from 'node:fs';
import { exitCode } from '../../verdict/exit-status.js';
import { runAgainst } from '../conformance-run.js';

/** What a whole run took, in a process that does nothing else; a line of its output. */
export interface Measured {
  readonly name: string;
  readonly exit: number;
  /** The most that the process ever held in memory, of which a part is Node's and the loader's. */
  readonly megabytes: number;
  /** Of CPU: how long it took besides is the machine's. */
  readonly seconds: number;
}

/**
 * The peak of this process alone. `maxRSS` begins, on Linux, with that of the process which started it: it would tell of
 * Vitest's memory and not of the run's. Elsewhere it is all there is.
 */
function peakMegabytes(): number {
  const own = process.platform === 'linux' ? readFileSync('/proc/self/status', 'utf8') : '';
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(own)?.[1] ?? process.resourceUsage().maxRSS;
  return Math.round(Number(kilobytes) / 1024);
}

// Started as a program, with NAME=BASE_URL.
for (const argument of process.argv.slice(2)) {
  const [, name = '', baseUrl = ''] = /^([^=]*)=(.*)$/u.exec(argument) ?? [];
  const { record } = await runAgainst(
    { baseUrl, close: () => Promise.resolve() },
    { profile: 'standard', target: { deadlineMs: 5_000 } },
  );
  const { user, system } = process.cpuUsage();
  const measured: Measured = {
    name,
    exit: exitCode(record),
    megabytes: peakMegabytes(),
    seconds: Math.round((user + system) / 100_000) / 10,
  };
  process.stdout.write(`${JSON.stringify(measured)}\n`);
}
