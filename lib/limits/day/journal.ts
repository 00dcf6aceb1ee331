import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import type { DayStretch } from '../rows/day.js';
import { jsonOf } from '../../record/record-text.js';

/**
 * What the counting of a day has seen, a line each, written before and after every request: a run that is cut off
 * anywhere goes on from it, and counts nothing twice. `s` is a request about to be sent, `a` its response. Times are epoch
 * milliseconds by our clock.
 */
const lineSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('begin'),
    plan: z.string(),
    perMinute: z.int(),
    perDay: z.int(),
    baseUrl: z.string(),
    at: z.number(),
    /** Nothing of this day was used before: its limit was seen to reset. */
    fresh: z.boolean(),
  }),
  z.object({ kind: z.literal('s'), at: z.number() }),
  /** `remaining` is that of the day, if the response tells it. */
  z.object({ kind: z.literal('a'), status: z.int().nullable(), remaining: z.int().optional() }),
  /** The day's limit was reached; it resets then, as far as the target says. */
  z.object({ kind: z.literal('end'), at: z.number(), resetsAt: z.number().nullable() }),
]);
export type JournalLine = z.infer<typeof lineSchema>;
type LineOf<Kind extends JournalLine['kind']> = Extract<JournalLine, { kind: Kind }>;

/** Milliseconds that are counted together. */
const stretchMs = 60_000;

/** A journal can't be gone on with: it is of another plan or target, or is none. */
export class UnusableJournal extends Error {
  override readonly name = 'UnusableJournal';
}

/** What became of the requests of some stretches. */
export function totalsOf(
  stretches: readonly DayStretch[],
): Pick<DayStretch, 'admitted' | 'rejected' | 'uncertain'> {
  const sum = (name: 'admitted' | 'rejected' | 'uncertain'): number =>
    stretches.reduce((total, stretch) => total + stretch[name], 0);
  return { admitted: sum('admitted'), rejected: sum('rejected'), uncertain: sum('uncertain') };
}

/** What has been counted of a day. */
export class DayCount {
  begun: LineOf<'begin'> | undefined;
  end: LineOf<'end'> | undefined;
  sent = 0;
  stretches: Array<{ -readonly [Key in keyof DayStretch]: DayStretch[Key] }> = [];
  /** What remained of the day by the first response that tells it, and the requests sent until then. */
  #remaining: { readonly first: number; readonly sent: number } | undefined;

  get firstSentAt(): number | undefined {
    return this.stretches[0]?.from;
  }

  /** Whether Remaining shows that nothing of the day had been used before. */
  seesWhole(perDay: number): boolean {
    const { first = 0, sent = 0 } = this.#remaining ?? {};
    return first > 0 && first >= perDay - sent;
  }

  /** Whether what was counted belongs to a day that still lasts. Midnight ends the day of some limiters, 24 hours that of others. */
  goesOn(now: number, dayMs: number): boolean {
    if (!this.begun) return false;
    if (this.end) return now < (this.end.resetsAt ?? this.end.at + dayMs);
    const dayOf = (moment: number): number => Math.floor(moment / dayMs);
    return this.firstSentAt === undefined || dayOf(this.firstSentAt) === dayOf(now);
  }

  add(line: JournalLine): void {
    const last = this.stretches.at(-1);
    switch (line.kind) {
      case 'begin':
        Object.assign(this, { begun: line, end: undefined, sent: 0, stretches: [] });
        this.#remaining = undefined;
        return;
      case 'end':
        this.end = line;
        return;
      case 's':
        this.sent += 1;
        if (!last || line.at - last.from >= stretchMs)
          this.stretches.push({ from: line.at, to: line.at, admitted: 0, rejected: 0, uncertain: 1 });
        else Object.assign(last, { to: line.at, uncertain: last.uncertain + 1 });
        return;
      case 'a':
        this.#answer(line);
        return;
      default:
        line satisfies never;
    }
  }

  /** Which request it answers does not matter: what counts is the sum. */
  #answer({ status, remaining }: LineOf<'a'>): void {
    if (remaining !== undefined) this.#remaining ??= { first: remaining, sent: this.sent };
    const stretch = this.stretches.findLast(({ uncertain }) => uncertain > 0);
    if (!stretch) return;
    if (remaining !== undefined) stretch.remaining = remaining;
    const isAdmitted = status !== null && status < 400;
    if (!isAdmitted && status !== 429) return;
    stretch.uncertain -= 1;
    if (isAdmitted) stretch.admitted += 1;
    else stretch.rejected += 1;
  }
}

export interface Journal {
  write(line: JournalLine): void;
}

/** Appends to a file, each line at once. */
export function journalFile(path: string): Journal {
  return { write: (line) => appendFileSync(path, `${JSON.stringify(line)}\n`) };
}

/** Keeps nothing: for runs without files. */
export const noJournal: Journal = { write: () => undefined };

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
