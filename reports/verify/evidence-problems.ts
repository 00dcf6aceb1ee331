import { isDeepStrictEqual } from 'node:util';
import type { Exchange } from '../../lib/evidence/exchange.js';
import { recordText } from '../../lib/evidence/record/regular-file.js';
import type { RunRecord } from '../../lib/evidence/record/record.js';
import { clip } from '../../lib/explain/clip.js';
import { isObject } from '../../lib/specification/json-value.js';

/** Milliseconds by which times may differ: they are rounded to microseconds, and the dates of a run to milliseconds. */
const rounding = 1.01;
const mostNamed = 5;

/** What is wrong with the exchanges of a run in themselves, a sentence each. What their record says of them is compared elsewhere. */
export function evidenceProblems(record: RunRecord, exchanges: readonly Exchange[]): string[] {
  const { run, load, target } = record;
  const numberOf = ({ id }: Exchange): number => Number(id.slice(1)) || 0;
  // Of a load and a day a sample was kept, and what was under way when a run was killed is missing.
  const isWhole = run.complete && !load && run.limits !== 'day';
  const ofAny: [isWrong: (one: Exchange, index: number) => boolean, what: string][] = [
    [(one, index) => isWhole && one.id !== `e${index + 1}`, 'Not numbered one after the other'],
    [({ request }) => !request.url.startsWith(`${target.baseUrl}/`), "Not sent to the target's address"],
  ];
  const ofRun: typeof ofAny = [
    [(one) => !hasPossibleTimes(one, record), 'Times that contradict the run, or each other'],
    [(one) => !hasItsSize(one), 'A body of another size than was received'],
  ];
  const bySending = exchanges.toSorted((one, other) => numberOf(one) - numberOf(other));
  // The times of what others recorded are theirs, and its bodies are decoded.
  return (run.traffic ? ofAny : [...ofAny, ...ofRun]).flatMap(([isWrong, what]) => {
    const ids = bySending.filter(isWrong).map(({ id }) => id);
    const more = ids.length > mostNamed ? ` and ${ids.length - mostNamed} more` : '';
    return ids.length === 0 ? [] : [`${what}: ${ids.slice(0, mostNamed).join(', ')}${more}.`];
  });
}

function hasPossibleTimes({ sentAt, endedAt, timing }: Exchange, { run }: RunRecord): boolean {
  const { wait, firstByte = 0, total } = timing;
  const isWithin =
    sentAt >= Date.parse(run.startedAt) - rounding &&
    (!run.complete || endedAt <= Date.parse(run.finishedAt) + rounding);
  return isWithin && wait >= 0 && firstByte >= 0 && firstByte <= total + rounding;
}

/** Whether the size is that of the body, if it was recorded as it came. */
function hasItsSize(exchange: Exchange): boolean {
  const { text, bytes = 0, truncated = false } = exchange.response?.body ?? {};
  const isAsItCame = text !== undefined && !truncated && !/API_KEY|\[part of/u.test(text);
  const isCoded = exchange.headers('Content-Encoding').length > 0;
  return !isAsItCame || isCoded || Buffer.byteLength(text) === bytes;
}

/** How a record differs from the one that its exchanges give. */
export function recordDifferences(recorded: RunRecord, given: RunRecord) {
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
function differencesOf(
  recorded: unknown,
  again: unknown,
  path: readonly string[],
): { subject: string; text: string }[] {
  if (isDeepStrictEqual(recorded, again)) return [];
  if (isObject(recorded) && isObject(again))
    return [...new Set([...Object.keys(recorded), ...Object.keys(again)])].flatMap((name) =>
      differencesOf(recorded[name], again[name], [...path, name]),
    );
  const text = `${path.join('.')} recorded as ${shown(recorded)}, judged again ${shown(again)}`;
  // Its first member: the id of a requirement, or a member of the record.
  return [{ subject: path[0] ?? '', text }];
}

function shown(value: unknown): string {
  return clip(JSON.stringify(value) ?? 'nothing', 160);
}
