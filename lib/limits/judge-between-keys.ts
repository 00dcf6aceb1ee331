import type { RequirementResult } from '../record/record.js';
import { resultOf } from '../verdict/requirement-result.js';
import { Judgement } from '../verdict/judgement.js';
import type { MinuteRun } from './minute-run.js';
import { admitted, answerOf, refused, type Seen } from './seen.js';

/**
 * LIMIT-08 where no second key was given for it, but the keys of several plans were used up side by side: one is told to
 * wait, and another is served meanwhile. A counter that both share would show that, too, as long as it is not used up:
 * so it says something only of two keys that were each admitted their plan's figure.
 */
export function comparedBetweenKeys(runs: readonly MinuteRun[]): MinuteRun[] {
  return runs.map((run) => {
    if (rowIn(run, 'LIMIT-08')?.verdict !== 'not-tested') return run;
    const row = runs.map((other) => servedBeside(run, other) ?? servedBeside(other, run)).find(Boolean);
    return row ? withRow(run, row) : run;
  });
}

function rowIn({ measurement }: MinuteRun, id: string): RequirementResult | undefined {
  return measurement.requirements.find((row) => row.id === id);
}

function withRow(run: MinuteRun, row: RequirementResult): MinuteRun {
  const requirements = run.measurement.requirements.map((one) => (one.id === row.id ? row : one));
  return { ...run, measurement: { ...run.measurement, requirements } };
}

/** The row, where the first key was used up while the second was served. */
function servedBeside(first: MinuteRun, second: MinuteRun): RequirementResult | undefined {
  const whole = [first, second].every((run) => rowIn(run, 'LIMIT-01')?.verdict === 'pass');
  if (first === second || !whole) return undefined;
  const refusal = first.inSequence.find(refused);
  if (!refusal) return undefined;
  const until = refusedUntil(refusal, first.inSequence);
  const served = second.inSequence.find(
    (one) => admitted(one) && one.sentAt >= refusal.at && one.at <= until,
  );
  if (!served) return undefined;
  const judgement = new Judgement('LIMIT-08');
  judgement.check(true, { message: 'served' }, answerOf(refusal), answerOf(served));
  judgement.note(
    `The key of ${second.measurement.plan} was served while that of ${first.measurement.plan} was told to wait, and each was admitted its figure.`,
  );
  return resultOf(judgement);
}

/** Until when (epoch milliseconds, our clock) the key was told to wait, or until it was next tried. */
function refusedUntil(refusal: Seen, requests: readonly Seen[]): number {
  const { retryAfter } = refusal.told;
  if (retryAfter?.form !== 'seconds') return refusal.at;
  const next = requests.find(({ sentAt }) => sentAt > refusal.at)?.sentAt ?? Number.POSITIVE_INFINITY;
  return Math.min(refusal.at + retryAfter.seconds * 1000, next);
}
