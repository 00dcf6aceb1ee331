import { isDeepStrictEqual } from 'node:util';
import { recordText } from '../../lib/evidence/record/record-text.js';
import type { RunRecord } from '../../lib/evidence/record/record.js';
import { clip } from '../../lib/explain/clip.js';

/** A part of a record that does not come out of its exchanges. */
interface Difference {
  /** A requirement's id, or a member of the record. */
  readonly subject: string;
  /** What is recorded, and what came instead: `LIST-02.verdict recorded as …, judged again …`. */
  readonly text: string;
}

/** How a record differs from the one that its exchanges give. */
export function recordDifferences(recorded: RunRecord, given: RunRecord): Difference[] {
  // As it would be read from a file.
  const again = JSON.parse(recordText(given)) as RunRecord;
  return differencesOf(byName(recorded), byName(again), []);
}

/** The rows of a record by their ids, beside its members. */
function byName({ requirements, ...members }: RunRecord): object {
  const rows = requirements.map((row) => [row.id, row] as const);
  return { ...Object.fromEntries(rows), 'order of the requirements': rows.map(([id]) => id), ...members };
}

/** The members that differ, those of objects by their paths. */
function differencesOf(recorded: object, again: object, path: readonly string[]): Difference[] {
  const [one, other] = [new Map(Object.entries(recorded)), new Map(Object.entries(again))];
  return [...new Set([...one.keys(), ...other.keys()])].flatMap((name): Difference[] => {
    const [was, is]: unknown[] = [one.get(name), other.get(name)];
    if (isDeepStrictEqual(was, is)) return [];
    const own = [...path, name];
    if (isObject(was) && isObject(is)) return differencesOf(was, is, own);
    const text = `${own.join('.')} recorded as ${shown(was)}, judged again ${shown(is)}`;
    return [{ subject: own[0] ?? name, text }];
  });
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : clip(JSON.stringify(value), 160);
}
