import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { jsonOf } from '../../record/record-text.js';
import type { PlanMeasurement } from '../../record/record.js';

/**
 * What the counting of a day has seen, a line each, written before and after every request: a run that is cut off
 * anywhere goes on from it, and counts nothing twice. `s` is a request about to be sent, `a` its response. Times are epoch
 * milliseconds by our clock.
 */
const lineSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('begin'),
    perMinute: z.int(),
    perDay: z.int(),
    /** When the day before had been reset; 0 on the first day. */
    since: z.number(),
    /** Nothing of this day was used before. */
    fresh: z.boolean(),
  }),
  z.object({ kind: z.literal('s'), at: z.number() }),
  /** `remaining` is that of the day, if the response tells it. */
  z.object({ kind: z.literal('a'), status: z.int().nullable(), remaining: z.int().optional() }),
  /** The day's limit was reached; it resets then, as far as the target says, and is whole then, however it comes back. */
  z.object({
    kind: z.literal('end'),
    at: z.number(),
    resetsAt: z.number().nullable(),
    wholeAt: z.number(),
  }),
]);
export type JournalLine = z.infer<typeof lineSchema>;
type LineOf<Kind extends JournalLine['kind']> = Extract<JournalLine, { kind: Kind }>;

/** Appends a line to a journal. */
export type Journal = (line: JournalLine) => void;

/** Milliseconds that are counted together. */
const stretchMs = 60_000;

export type Stretch = NonNullable<PlanMeasurement['day']>['stretches'][number];

/** A journal can't be gone on with: it is of another plan or target, or is none. */
export class UnusableJournal extends Error {
  override readonly name = 'UnusableJournal';
}

/** What has been counted of a day. */
export class DayCount {
  begun: LineOf<'begin'> | undefined;
  end: LineOf<'end'> | undefined;
  sent = 0;
  stretches: Stretch[] = [];

  total(outcome: 'admitted' | 'rejected' | 'uncertain'): number {
    return this.stretches.reduce((sum, stretch) => sum + stretch[outcome], 0);
  }

  /** Whether Remaining shows that nothing of the day had been used but what the run has sent. @param before what it sent first */
  seesWhole(perDay: number, before: number): boolean {
    const { remaining, admitted = 0, uncertain = 0 } = this.stretches[0] ?? {};
    return remaining !== undefined && remaining >= perDay - before - admitted - uncertain;
  }

  /** Whether what was counted belongs to a day that still lasts. Midnight ends the day of some limiters, 24 hours that of others. */
  goesOn(now: number, dayMs: number): boolean {
    if (!this.begun) return false;
    if (this.end) return now < (this.end.resetsAt ?? this.end.at + dayMs);
    const first = this.stretches[0]?.from ?? now;
    return Math.floor(first / dayMs) === Math.floor(now / dayMs);
  }

  add(line: JournalLine): void {
    if (line.kind === 'begin') Object.assign(this, { begun: line, end: undefined, sent: 0, stretches: [] });
    else if (line.kind === 'end') this.end = line;
    else if (line.kind === 's') this.#send(line.at);
    else this.#answer(line);
  }

  #send(at: number): void {
    const last = this.stretches.at(-1);
    this.sent += 1;
    // What is sent after a rejection is counted by itself.
    if (!last || at - last.from >= stretchMs || last.rejected > 0)
      this.stretches.push({ from: at, to: at, admitted: 0, rejected: 0, uncertain: 1 });
    else Object.assign(last, { to: at, uncertain: last.uncertain + 1 });
  }

  /** Which request it answers does not matter: what counts is the sum. */
  #answer({ status, remaining }: LineOf<'a'>): void {
    const stretch = this.stretches.findLast(({ uncertain }) => uncertain > 0);
    if (!stretch) return;
    const isAdmitted = status !== null && status < 400;
    // What a 429 tells is known without it.
    if (remaining !== undefined && isAdmitted) stretch.remaining = remaining;
    if (!isAdmitted && status !== 429) return;
    stretch.uncertain -= 1;
    stretch[isAdmitted ? 'admitted' : 'rejected'] += 1;
  }
}

/** Appends to a file, each line at once; without a file nothing is kept. */
export function journalFile(path: string | undefined): Journal {
  return (line) => path !== undefined && appendFileSync(path, `${JSON.stringify(line)}\n`);
}

/**
 * What a journal counts since its last beginning. The last line may be cut off in the middle; it is then left out.
 * @throws UnusableJournal
 */
export function readJournal(path: string): DayCount {
  if (!existsSync(path)) throw new UnusableJournal(`${path} does not exist: there is nothing to resume`);
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  const count = new DayCount();
  for (const [index, text] of lines.entries()) {
    const parsed = lineSchema.safeParse(jsonOf(text));
    if (parsed.success) count.add(parsed.data);
    else if (index < lines.length - 1)
      throw new UnusableJournal(`${path}: line ${index + 1} is not a line of a day's journal`);
  }
  return count;
}
