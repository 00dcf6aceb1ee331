import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';

/**
 * What a day's counting has seen, a line each, written before and after every request: a run that is cut off anywhere
 * goes on from it, and counts nothing twice. `s` is a request about to be sent, `a` its answer. Times are epoch
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
    /** Nothing of this day was used up before: its limit was seen to reset, or Remaining showed all of it. */
    fresh: z.boolean(),
  }),
  z.object({ kind: z.literal('s'), at: z.number() }),
  z.object({ kind: z.literal('a'), status: z.int().nullable() }),
  /** The day's limit was reached; it resets then, as far as the target says. */
  z.object({ kind: z.literal('end'), at: z.number(), resetsAt: z.number().nullable() }),
]);
export type JournalLine = z.infer<typeof lineSchema>;

/** What has been counted of a day. */
export interface DayCount {
  readonly begun: Extract<JournalLine, { kind: 'begin' }> | undefined;
  readonly sent: number;
  readonly answered: number;
  readonly admitted: number;
  readonly refused: number;
  /** Answered with an error that is neither: nobody knows whether they used the day up. */
  readonly failed: number;
  /** When the first request of this day was sent. */
  readonly firstSentAt: number | undefined;
  readonly end: Extract<JournalLine, { kind: 'end' }> | undefined;
}

export const nothingCounted: DayCount = {
  begun: undefined,
  sent: 0,
  answered: 0,
  admitted: 0,
  refused: 0,
  failed: 0,
  firstSentAt: undefined,
  end: undefined,
};

/** A journal can't be gone on with: it is of another plan or target, or is none. */
export class UnusableJournal extends Error {
  override readonly name = 'UnusableJournal';
}

export function countLine(count: DayCount, line: JournalLine): DayCount {
  switch (line.kind) {
    case 'begin':
      return { ...nothingCounted, begun: line };
    case 's':
      return { ...count, sent: count.sent + 1, firstSentAt: count.firstSentAt ?? line.at };
    case 'a': {
      const admitted = line.status !== null && line.status < 400;
      return {
        ...count,
        answered: count.answered + 1,
        admitted: count.admitted + (admitted ? 1 : 0),
        refused: count.refused + (line.status === 429 ? 1 : 0),
        failed: count.failed + (admitted || line.status === 429 ? 0 : 1),
      };
    }
    case 'end':
      return { ...count, end: line };
    default:
      return line satisfies never;
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
  if (!existsSync(path)) throw new UnusableJournal(`${path} is not there: nothing to go on with`);
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return lines.reduce<DayCount>((count, text, index) => {
    const parsed = lineSchema.safeParse(parseLine(text));
    if (parsed.success) return countLine(count, parsed.data);
    if (index === lines.length - 1) return count;
    throw new UnusableJournal(`${path}: line ${index + 1} is no line of a day's journal`);
  }, nothingCounted);
}

function parseLine(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
