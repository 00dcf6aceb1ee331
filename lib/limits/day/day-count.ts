import type { PlanMeasurement } from '../../evidence/record/plan-measurement.js';
import { readLedger, type LedgerLine } from '../../load/ledger-file.js';
import type { PlanName } from '../../specification/plan.js';
import { minuteMs } from '../tolerances.js';

/** As the record keeps it. A day that did not get to its end can be resumed. */
export type CountedDay = NonNullable<PlanMeasurement['day']>;
export type Stretch = CountedDay['stretches'][number];

export const dayMs = 86_400_000;

/** The name of a plan's days in the ledger; a run that goes on adds a number. */
export function dayVolley(plan: PlanName, number = 1): string {
  return number === 1 ? `day ${plan}` : `day ${plan} ${number}`;
}

/** What a ledger has of a plan's days. */
export interface LedgerOfDays {
  readonly lines: readonly LedgerLine[];
  /** How often a day was counted on: a volley each. */
  readonly volleys: number;
}

/**
 * What the ledger in a run's folder has of the days of a plan.
 * @throws UnusableLedger
 */
export async function readDays(directory: string, plan: PlanName): Promise<LedgerOfDays> {
  const lines: LedgerLine[] = [];
  const volleys = new Set<string>();
  for await (const line of readLedger(directory)) {
    if (line.volley !== dayVolley(plan) && !line.volley.startsWith(`${dayVolley(plan)} `)) continue;
    volleys.add(line.volley);
    if (!('autocannon' in line)) lines.push(line);
  }
  return { lines, volleys: volleys.size };
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

/** The figures of the counting, as the record has them of each part of the probes. */
export function phaseOfDay({ stretches }: CountedDay): PlanMeasurement['phases'][number] {
  const sum = (of: (one: Stretch) => number): number => stretches.reduce((total, one) => total + of(one), 0);
  const sentIn = ({ admitted, rejected, uncertain }: Stretch): number => admitted + rejected + uncertain;
  const first = stretches.findIndex(({ rejected }) => rejected > 0);
  const [from, to] = [stretches[0]?.from ?? 0, stretches.at(-1)?.to ?? 0];
  return {
    name: 'day',
    startedAt: new Date(from).toISOString(),
    durationMs: Math.round(to - from),
    sent: sum(sentIn),
    admitted: sum(({ admitted }) => admitted),
    refused: sum(({ rejected }) => rejected),
    failed: sum(({ uncertain }) => uncertain),
    sentAfterFirst429: sum((one) => (first >= 0 && stretches.indexOf(one) > first ? sentIn(one) : 0)),
    sender: 'autocannon',
    exact: sum(({ uncertain }) => uncertain) === 0,
  };
}
