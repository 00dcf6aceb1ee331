import { readFileSync } from 'node:fs';
import { exitCode } from '../../verdict/exit-status.js';
import { runAgainst } from '../conformance-run.js';

/** The resources of a whole run, in a process that does nothing else; a line of its output. */
export interface Measured {
  readonly name: string;
  readonly exit: number;
  /** The peak memory of the process, that of Node and the loader included. */
  readonly megabytes: number;
  readonly seconds: number;
}

/**
 * The peak of this process alone. `maxRSS` begins, on Linux, with that of the process which started it: it would include
 * Vitest's memory. Other systems have nothing better.
 */
function peakMegabytes(): number {
  const own = process.platform === 'linux' ? readFileSync('/proc/self/status', 'utf8') : '';
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(own)?.[1] ?? process.resourceUsage().maxRSS;
  return Math.round(Number(kilobytes) / 1024);
}

// Started as a program: `measure-run.ts NAME=BASE_URL …`, in this order; a line for each. The peak is that of all so far.
for (const argument of process.argv.slice(2)) {
  const [, name = '', baseUrl = ''] = /^([^=]*)=(.*)$/u.exec(argument) ?? [];
  const { record, milliseconds } = await runAgainst(
    { baseUrl, close: () => Promise.resolve() },
    { profile: 'standard', target: { deadlineMs: 5_000 } },
  );
  const measured: Measured = {
    name,
    exit: exitCode(record),
    megabytes: peakMegabytes(),
    seconds: Math.round(milliseconds / 100) / 10,
  };
  process.stdout.write(`${JSON.stringify(measured)}\n`);
}
