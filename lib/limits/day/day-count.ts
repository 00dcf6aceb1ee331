import type { PlanMeasurement } from '../../evidence/record/plan-measurement.js';
import { readLedger, type LedgerLine } from '../../load/ledger-file.js';
import type { PlanName } from '../../specification/plan.js';
import { minuteMs } from '../tolerances.js';

/** As the record keeps it. A day that did not get to its end can be resumed. */
export type CountedDay = NonNullable<PlanMeasurement['day']>;
export type Stretch = CountedDay['stretches'][number];

export const dayMs = 86_400_000;

/**
 * What the ledger in a run's folder has of the days of a plan.
 * @throws UnreadableRun
 */
export async function readDays(directory: string, plan: PlanName): Promise<LedgerLine[]> {
  return (await readLedger(directory)).filter(({ volley }) => volley.startsWith(`day ${plan}`));
}

/** Adds a request to what was counted, a minute or so each. What gets no response, or an error, may have counted. */
export function addTo(
  stretches: Stretch[],
  { sent = 0, status, reason, remaining }: Pick<LedgerLine, 'sent' | 'status' | 'reason' | 'remaining'>,
): void {
  const last = stretches.at(-1);
  // What is sent after a rejection is counted by itself.
  const isLonger = last && sent - last.from < minuteMs && last.rejected === 0;
  const stretch = isLonger ? last : { from: sent, to: sent, admitted: 0, rejected: 0, uncertain: 0 };
  if (!isLonger) stretches.push(stretch);
  const isAdmitted = status !== undefined && status < 400 && reason === undefined;
  stretch.to = sent;
  stretch[isAdmitted ? 'admitted' : status === 429 ? 'rejected' : 'uncertain'] += 1;
  // What a 429 tells is known without it.
  if (remaining !== undefined && isAdmitted) stretch.remaining = remaining;
}

/** Counts the lines from a moment on. */
export function countedSince(lines: readonly LedgerLine[], begin: number): Stretch[] {
  const stretches: Stretch[] = [];
  for (const line of lines) if ((line.sent ?? 0) >= begin) addTo(stretches, line);
  return stretches;
}

/** What the stretches come to: requests, and how many a bucket gives back meanwhile. */
export function totalsOf(stretches: readonly Stretch[], perDay: number) {
  const sum = (outcome: 'admitted' | 'uncertain'): number =>
    stretches.reduce((total, one) => total + one[outcome], 0);
  const spanMs = (stretches.at(-1)?.to ?? 0) - (stretches[0]?.from ?? 0);
  return {
    admitted: sum('admitted'),
    uncertain: sum('uncertain'),
    refilled: Math.floor((perDay * spanMs) / dayMs),
  };
}

/** Whether Remaining shows that all that was used of the day was the run's, and that no day ended meanwhile. */
export function isOwnDay(stretches: readonly Stretch[], perDay: number): boolean {
  const last = stretches.findLastIndex(({ remaining }) => remaining !== undefined);
  const used = perDay - (stretches[last]?.remaining ?? perDay);
  const { admitted, uncertain, refilled } = totalsOf(stretches.slice(0, last + 1), perDay);
  return last >= 0 && used >= admitted - refilled - 1 && used <= admitted + uncertain;
}
