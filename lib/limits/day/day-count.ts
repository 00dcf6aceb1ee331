import { readLedger, type LedgerLine } from '../../load/ledger-file.js';
import type { PlanMeasurement } from '../../evidence/record/plan-measurement.js';
import type { PlanName } from '../../specification/plan.js';

/** As the record keeps it. A day that did not get to its end can be resumed. */
export type CountedDay = NonNullable<PlanMeasurement['day']>;
export type Stretch = CountedDay['stretches'][number];

export const dayMilliseconds = 86_400_000;
/** Milliseconds that are counted together. */
const stretchMs = 60_000;

/** What a ledger has of a plan's days. */
export interface LedgerOfDays {
  /** In the order of sending. */
  readonly lines: readonly LedgerLine[];
  /** How often a day was counted on: a volley each. */
  readonly volleys: number;
  /** The last of these volleys was cut off: what was under way stands nowhere. */
  readonly wasCutOff: boolean;
}

/** The name of a plan's days in the ledger; a run that goes on adds a number. */
export function dayVolley(plan: PlanName, number = 1): string {
  return number === 1 ? `day ${plan}` : `day ${plan} ${number}`;
}

/**
 * What the ledger in a run's folder has of the days of a plan.
 * @throws UnusableLedger
 */
export async function readDays(directory: string, plan: PlanName): Promise<LedgerOfDays> {
  const lines: LedgerLine[] = [];
  const volleys = new Set<string>();
  let counted = 0;
  for await (const line of readLedger(directory)) {
    if (line.volley !== dayVolley(plan) && !line.volley.startsWith(`${dayVolley(plan)} `)) continue;
    volleys.add(line.volley);
    if ('autocannon' in line) counted += 1;
    else lines.push(line);
  }
  return { lines, volleys: volleys.size, wasCutOff: counted < volleys.size };
}

/** From when on requests belong to the day that lasts now: its 429 tells, or it is that of the calendar in UTC. */
export function dayBegins(now: number, dayMs: number, day: CountedDay | undefined): number {
  const resets = day && resetOf(day);
  if (resets === undefined) return Math.floor(now / dayMs) * dayMs;
  return now >= resets ? resets : (day?.stretches[0]?.from ?? 0);
}

/** When a day whose limit was reached resets, in epoch milliseconds; undefined if it was not reached. */
export function resetOf({
  dayMs = dayMilliseconds,
  began,
  wholeAt,
  stretches,
}: CountedDay): number | undefined {
  return wholeAt === undefined ? undefined : (began ?? stretches.at(-1)?.to ?? 0) + dayMs;
}

/** What has been counted of a day. */
export class DayCount {
  sent = 0;
  readonly stretches: Stretch[] = [];

  total(outcome: 'admitted' | 'rejected' | 'uncertain'): number {
    return this.stretches.reduce((sum, stretch) => sum + stretch[outcome], 0);
  }

  /** Whether Remaining shows that nothing of the day had been used but what the run has sent. @param before what it sent first */
  seesWhole(perDay: number, before: number): boolean {
    const { remaining, admitted = 0, uncertain = 0 } = this.stretches[0] ?? {};
    return remaining !== undefined && remaining >= perDay - before - admitted - uncertain;
  }

  /** Counts a request. What gets no response, or an error, may have counted. */
  add({
    sent = 0,
    status,
    reason,
    remaining,
  }: Pick<LedgerLine, 'sent' | 'status' | 'reason' | 'remaining'>): void {
    this.sent += 1;
    const last = this.stretches.at(-1);
    // What is sent after a rejection is counted by itself.
    const isLonger = last && sent - last.from < stretchMs && last.rejected === 0;
    const stretch = isLonger ? last : { from: sent, to: sent, admitted: 0, rejected: 0, uncertain: 0 };
    if (!isLonger) this.stretches.push(stretch);
    const isAdmitted = status !== undefined && status < 400 && reason === undefined;
    stretch.to = sent;
    stretch[isAdmitted ? 'admitted' : status === 429 ? 'rejected' : 'uncertain'] += 1;
    // What a 429 tells is known without it.
    if (remaining !== undefined && isAdmitted) stretch.remaining = remaining;
  }
}

/** Counts the lines from a moment on. */
export function countedSince(lines: readonly LedgerLine[], begin: number): DayCount {
  const count = new DayCount();
  for (const line of lines) if ((line.sent ?? 0) >= begin) count.add(line);
  return count;
}
