import { SkippingClock } from '../http/clock/skipping-clock.js';
import {
  described,
  randomLimiter,
  type RandomLimiter,
} from '../limits/testing/random-limiter/random-limiter.js';
import { serveRandomLimiter } from '../limits/testing/random-limiter/service.js';
import type { RunRecord } from '../evidence/record/record.js';
import { plans } from '../specification/plan.js';
import { runOrJudgeAgain } from './kept-evidence.js';
import { limitSettings, proveAgainst, suiteErrorsIn } from './prove.js';

/** A conforming limiter that was drawn, and what the suite made of it. */
export interface RandomCase {
  readonly seed: number;
  readonly description: string;
  /** The rows of the limits that failed, with their first finding, and errors of the suite. Empty as it should be. */
  readonly accusations: readonly string[];
  /** The rows that were tried and not judged. */
  readonly open: readonly string[];
}

/** A full minute in which every window of this table begins anew. */
const fullMinute = Date.UTC(2026, 0, 5, 12);

/** Milliseconds that each look at the clock takes. Nothing else passes beside sleeps, so that a seed shows the same again. */
const lookMs = 0.1;

/** Judges the limiter of a seed. @param evidence keeps the evidence of each run in a folder, or judges what it keeps */
export async function judgeRandomLimiter(seed: number, evidence?: string): Promise<RandomCase> {
  const limiter = randomLimiter(seed);
  const name = `random-${seed}`;
  const run = (directory?: string): Promise<RunRecord> => runAgainst(limiter, directory);
  const record = await (evidence === undefined
    ? run()
    : runOrJudgeAgain({ name, run: (_, directory) => run(directory) }, 'standard', evidence));
  const rows = record.requirements.filter(({ id }) => id.startsWith('LIMIT-') || id === 'RATE-05');
  const failed = rows.filter(({ verdict }) => verdict === 'fail');
  return {
    seed,
    description: described(limiter),
    accusations: [
      ...failed.map(({ id, findings }) => `${id}: ${findings[0]?.message ?? 'no finding'}`),
      ...suiteErrorsIn(record),
    ],
    open: rows.filter(({ verdict }) => verdict === 'inconclusive').map(({ id }) => id),
  };
}

function runAgainst(limiter: RandomLimiter, directory: string | undefined): Promise<RunRecord> {
  let looks = 0;
  const clock = new SkippingClock(fullMinute + limiter.begin, () => {
    looks += 1;
    return looks * lookMs;
  });
  const plan =
    limiter.limit === plans.free.perMinute
      ? plans.free
      : ({ name: 'enterprise', perMinute: limiter.limit, perDay: 10_000 } as const);
  return proveAgainst(
    {},
    {
      settings: { ...limitSettings.settings, clock, directory },
      target: { ...limitSettings.target, plan },
      serve: ({ keys = [] }) => serveRandomLimiter(limiter, keys, clock),
    },
  );
}
