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
function differencesOf(recorded: unknown, again: unknown, path: readonly string[]): Difference[] {
  if (isDeepStrictEqual(recorded, again)) return [];
  if (isObject(recorded) && isObject(again))
    return [...new Set([...Object.keys(recorded), ...Object.keys(again)])].flatMap((name) =>
      differencesOf(recorded[name], again[name], [...path, name]),
    );
  const text = `${path.join('.')} recorded as ${shown(recorded)}, judged again ${shown(again)}`;
  return [{ subject: path[0] ?? '', text }];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shown(value: unknown): string {
  return clip(JSON.stringify(value) ?? 'nothing', 160);
}
