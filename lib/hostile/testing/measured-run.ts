import { exitCode } from '../../verdict/exit-code.js';
import { idsWith, runAgainst } from '../conformance-run.js';

/** What a whole run in a process of its own took; the last line of its output. */
export interface Measured {
  readonly exit: number;
  readonly failing: readonly string[];
  /** The most that the process ever held in memory, of which a part is Node's and the loader's. */
  readonly megabytes: number;
  readonly seconds: number;
}

// Started as a program: `measured-run.ts BASE_URL [PROFILE]`.
const [, , baseUrl = '', profile = 'quick'] = process.argv;
const { record, milliseconds } = await runAgainst(
  { baseUrl, close: () => Promise.resolve() },
  {
    profile: profile === 'standard' || profile === 'thorough' ? profile : 'quick',
    target: { deadlineMs: 5_000 },
  },
);
const measured: Measured = {
  exit: exitCode(record),
  failing: idsWith(record, 'fail'),
  megabytes: Math.round(process.resourceUsage().maxRSS / 1024),
  seconds: Math.round(milliseconds / 100) / 10,
};
process.stdout.write(`${JSON.stringify(measured)}\n`);
