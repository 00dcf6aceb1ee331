import { isDeepStrictEqual } from 'node:util';
import type { RunRecord } from '../../lib/evidence/record/record.js';
import type { RequirementResult } from '../../lib/evidence/record/requirement-result.js';
import { wasCutOff } from '../../lib/evidence/record/cut-off.js';
import { recordText } from '../../lib/evidence/record/record-text.js';

/** A part of a record that does not come out of its exchanges. */
export interface Difference {
  /** A requirement's id, or the name of a member: `LIST-02`, `leftovers`. */
  readonly subject: string;
  /** What is recorded, and what came instead. */
  readonly text: string;
}

/** A recorded run beside the record that its exchanges give. */
export interface Comparison {
  readonly differences: readonly Difference[];
  /** Requirements that the run judged, and whose results came out the same. */
  readonly confirmed: readonly string[];
  /** Requirements that the run did not get to judge, with the verdicts that its exchanges give. */
  readonly judgedNow: readonly Pick<RequirementResult, 'id' | 'verdict'>[];
}

/** Members of a result, beside its verdict, that follow from the exchanges; a waiver is applied afterwards. */
const resultMembers = [
  'level',
  'section',
  'title',
  'reason',
  'checks',
  'findings',
  'observations',
  'notes',
  'selected',
] as const;

/** Members of a record that follow from the exchanges of a run that ended by itself. */
const recordMembers = ['causes', 'leftovers', 'plans', 'load'] as const;
const requestMembers = ['sent', 'byOperation', 'byOrigin', 'repeated'] as const;

/**
 * Compares a record with the one that its exchanges give.
 * @param leftOut requirements that can't be judged from exchanges
 */
export function compareRecords(
  recorded: RunRecord,
  given: RunRecord,
  leftOut: Pick<ReadonlySet<string>, 'has'> = new Set(),
): Comparison {
  // As it would be read from a file.
  const again = JSON.parse(recordText(given)) as RunRecord;
  const differences: Difference[] = [];
  const confirmed: string[] = [];
  const judgedNow: RequirementResult[] = [];
  const isCutOff = wasCutOff(recorded);
  for (const row of again.requirements.filter(({ id }) => !leftOut.has(id))) {
    const own = recorded.requirements.find(({ id }) => id === row.id);
    if (!own) continue;
    const notReached = own.verdict === 'not-tested' && own.selected === true && isCutOff;
    if (notReached && row.verdict !== 'not-tested') judgedNow.push(row);
    else if (notReached || isGivenUp(row, isCutOff)) continue;
    else {
      const text = differenceOf(own, row);
      if (text !== undefined) differences.push({ subject: row.id, text });
      else if (row.verdict !== 'not-tested') confirmed.push(row.id);
    }
  }
  if (!isCutOff) differences.push(...membersThatDiffer(recorded, again));
  return { differences, confirmed, judgedNow };
}

/** A replay of a run that was cut off ends with its record: what it had under way then is judged no further. */
function isGivenUp({ verdict, selected }: RequirementResult, isCutOff: boolean): boolean {
  return isCutOff && verdict === 'not-tested' && selected === true;
}

function differenceOf(recorded: RequirementResult, again: RequirementResult): string | undefined {
  if (recorded.verdict !== again.verdict) {
    const because = again.reason ?? again.findings[0]?.message;
    return `recorded ${recorded.verdict}, judged again ${again.verdict}${because === undefined ? '' : `: ${because}`}`;
  }
  const member = resultMembers.find((name) => !isDeepStrictEqual(recorded[name], again[name]));
  return member && `${member} recorded as ${shown(recorded[member])}, judged again ${shown(again[member])}`;
}

function membersThatDiffer(recorded: RunRecord, again: RunRecord): Difference[] {
  const pairs: Array<readonly [subject: string, recorded: unknown, again: unknown]> = [
    ...recordMembers.map((name) => [name, unwaived(recorded[name]), again[name]] as const),
    ...requestMembers.map(
      (name) => [`requests.${name}`, recorded.requests[name], again.requests[name]] as const,
    ),
    ['target', ofExchanges(recorded), ofExchanges(again)],
    ['run.stopped', recorded.run.stopped, again.run.stopped],
    ['classes', recorded.classes.map(({ id }) => id), again.classes.map(({ id }) => id)],
    // What was noted while the limits were probed does not stand in exchanges.
    ['notes', recorded.plans ? again.notes : notesOfExchanges(recorded), again.notes],
  ];
  return pairs
    .filter(([, one, other]) => !isDeepStrictEqual(one, other))
    .map(([subject, one, other]) => ({
      subject,
      text: `recorded as ${shown(one)}, comes out as ${shown(other)}`,
    }));
}

/** What is noted of the key is known of the key alone. */
function notesOfExchanges({ notes = [] }: RunRecord): readonly string[] | undefined {
  const others = notes.filter((note) => !note.startsWith('The key '));
  return others.length === 0 ? undefined : others;
}

/** Whether a key is a plain word is known of the key alone, and an address of the connection alone. */
function ofExchanges({ target }: RunRecord): unknown {
  return { ...target, keyMayBeWord: undefined, addresses: undefined };
}

/** The measurements of plans hold results, which a waiver may cover. */
function unwaived(value: unknown): unknown {
  return (
    JSON.parse(JSON.stringify(value ?? null), (name, member: unknown) =>
      name === 'waived' ? undefined : member,
    ) ?? undefined
  );
}

const longest = 160;

function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
