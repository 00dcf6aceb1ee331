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
  // Of a load and a day a sample was kept, and what was under way when a run was killed is missing.
  const isWhole = run.complete && !load && run.limits !== 'day';
  const begin = Date.parse(run.startedAt) - rounding;
  const end = run.complete ? Date.parse(run.finishedAt) + rounding : Infinity;
  // The times of what others recorded are theirs, and its bodies are decoded.
  const isOurs = !run.traffic;
  const problems: readonly (readonly [what: string, isWrong: (one: Exchange, index: number) => boolean])[] = [
    ['Not numbered one after the other', ({ id }, index) => isWhole && id !== `e${index + 1}`],
    ["Not sent to the target's address", ({ request }) => !request.url.startsWith(`${target.baseUrl}/`)],
    [
      'Times that contradict the run, or each other',
      ({ sentAt, endedAt, timing: { wait, firstByte = 0, total } }) =>
        isOurs &&
        (sentAt < begin || endedAt > end || wait < 0 || firstByte < 0 || firstByte > total + rounding),
    ],
    ['A body of another size than was received', (one) => isOurs && !hasItsSize(one)],
  ];
  const numberOf = ({ id }: Exchange): number => Number(id.slice(1)) || 0;
  const bySending = exchanges.toSorted((one, other) => numberOf(one) - numberOf(other));
  return problems.flatMap(([what, isWrong]) => {
    const ids = bySending.filter(isWrong).map(({ id }) => id);
    const more = ids.length > mostNamed ? ` and ${ids.length - mostNamed} more` : '';
    return ids.length === 0 ? [] : `${what}: ${ids.slice(0, mostNamed).join(', ')}${more}.`;
  });
}

/** Whether the size is that of the body, if it was recorded as it came. */
function hasItsSize(exchange: Exchange): boolean {
  const { text, bytes = 0, truncated = false } = exchange.response?.body ?? {};
  const isAsItCame = text !== undefined && !truncated && !/API_KEY|\[part of/u.test(text);
  const isCoded = exchange.headers('Content-Encoding').length > 0;
  return !isAsItCame || isCoded || Buffer.byteLength(text) === bytes;
}

/** How a record differs from the one that its exchanges give: the members that do, those of objects by their paths. */
export function recordDifferences(recorded: RunRecord, given: RunRecord) {
  // As it would be read from a file.
  return differencesOf(byName(recorded), byName(JSON.parse(recordText(given)) as RunRecord), []);
}

/** The rows of a record by their ids, beside its members. */
function byName({ requirements, ...members }: RunRecord): object {
  const rows = requirements.map((row) => [row.id, row] as const);
  return { ...Object.fromEntries(rows), 'order of the requirements': rows.map(([id]) => id), ...members };
}

/** The subject of a difference is its first member: the id of a requirement, or a member of the record. */
function differencesOf(
  recorded: unknown,
  again: unknown,
  path: readonly string[],
): { readonly subject: string; readonly text: string }[] {
  if (isDeepStrictEqual(recorded, again)) return [];
  if (isObject(recorded) && isObject(again))
    return [...new Set([...Object.keys(recorded), ...Object.keys(again)])].flatMap((name) =>
      differencesOf(recorded[name], again[name], [...path, name]),
    );
  const [was, is] = [recorded, again].map((value) => clip(JSON.stringify(value) ?? 'nothing', 160));
  return [{ subject: path[0] ?? '', text: `${path.join('.')} recorded as ${was}, judged again ${is}` }];
}
