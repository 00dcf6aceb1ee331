import { isDeepStrictEqual } from 'node:util';
import { recordText } from '../../lib/evidence/record/record-text.js';
import type { RunRecord } from '../../lib/evidence/record/record.js';

/** A part of a record that does not come out of its exchanges. */
export interface Difference {
  /** A requirement's id, or the path of a member: `LIST-02`, `requests.sent`. */
  readonly subject: string;
  /** What is recorded, and what came instead. */
  readonly text: string;
}

/** How a record differs from the one that its exchanges give; of each requirement, the first difference. */
export function recordDifferences(recorded: RunRecord, given: RunRecord): Difference[] {
  // As it would be read from a file.
  const again = JSON.parse(recordText(given)) as RunRecord;
  const rows = again.requirements.flatMap((row, index): Difference[] => {
    const own = recorded.requirements[index];
    if (own?.id !== row.id) return [{ subject: row.id, text: 'has no row in its place' }];
    const [first] = memberDifferences(own, row);
    return first ? [{ subject: row.id, text: `${first.subject} ${first.text}` }] : [];
  });
  const more = recorded.requirements.slice(again.requirements.length);
  return [
    ...rows,
    ...more.map(({ id }) => ({ subject: id, text: 'has a row that is not of the catalogue' })),
    ...memberDifferences({ ...recorded, requirements: undefined }, { ...again, requirements: undefined }),
  ];
}

/** The members that differ, those of objects by their paths. */
function memberDifferences(recorded: object, again: object, path = ''): Difference[] {
  const [one, other] = [new Map(Object.entries(recorded)), new Map(Object.entries(again))];
  return [...new Set([...one.keys(), ...other.keys()])].flatMap((name): Difference[] => {
    const [was, is]: unknown[] = [one.get(name), other.get(name)];
    if (isDeepStrictEqual(was, is)) return [];
    const subject = `${path}${name}`;
    if (isObject(was) && isObject(is)) return memberDifferences(was, is, `${subject}.`);
    return [{ subject, text: `recorded as ${shown(was)}, judged again ${shown(is)}` }];
  });
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const longest = 160;

function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
