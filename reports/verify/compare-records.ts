import { isDeepStrictEqual } from 'node:util';
import { recordText } from '../../lib/evidence/record/record-text.js';
import type { RunRecord } from '../../lib/evidence/record/record.js';
import type { RequirementResult } from '../../lib/evidence/record/requirement-result.js';

/** A part of a record that does not come out of its exchanges. */
export interface Difference {
  /** A requirement's id, or the path of a member: `LIST-02`, `requests.sent`. */
  readonly subject: string;
  /** What is recorded, and what came instead. */
  readonly text: string;
}

/** A recorded run beside the record that its exchanges give. */
export interface Comparison {
  readonly differences: readonly Difference[];
  /** Requirements that the run judged, and whose results came out the same. */
  readonly confirmed: readonly string[];
}

/** Compares a record with the one that its exchanges give. */
export function compareRecords(recorded: RunRecord, given: RunRecord): Comparison {
  // As it would be read from a file.
  const again = JSON.parse(recordText(given)) as RunRecord;
  const rows = again.requirements.map((row, index) => {
    const own = recorded.requirements[index];
    return { row, text: own?.id === row.id ? differenceOf(own, row) : 'has no row in its place' };
  });
  const more = recorded.requirements.slice(again.requirements.length);
  return {
    differences: [
      ...rows.flatMap(({ row, text }) => (text === undefined ? [] : [{ subject: row.id, text }])),
      ...more.map(({ id }) => ({ subject: id, text: 'has a row that is not of the catalogue' })),
      ...membersThatDiffer(rest(recorded), rest(again)),
    ],
    confirmed: rows.flatMap(({ row, text }) =>
      text === undefined && row.verdict !== 'not-tested' ? row.id : [],
    ),
  };
}

function differenceOf(recorded: RequirementResult, again: RequirementResult): string | undefined {
  if (recorded.verdict !== again.verdict) {
    const because = again.reason ?? again.findings[0]?.message;
    return `recorded ${recorded.verdict}, judged again ${again.verdict}${because === undefined ? '' : `: ${because}`}`;
  }
  const [difference] = membersThatDiffer({ ...recorded }, { ...again });
  return difference && `${difference.subject} ${difference.text}`;
}

type Members = Readonly<Record<string, unknown>>;

/** All but the rows. The results of single plans are told without their waivers, which follow from those of the rows. */
function rest(record: RunRecord): Members {
  const plans = record.plans?.map((plan) => ({
    ...plan,
    requirements: plan.requirements.map((row) => ({ ...row, waived: undefined })),
  }));
  return { ...record, requirements: undefined, plans };
}

/** The members that differ, those of objects by their paths. */
function membersThatDiffer(recorded: Members, again: Members, path = ''): Difference[] {
  const names = new Set([...Object.keys(recorded), ...Object.keys(again)]);
  return [...names].flatMap((name): Difference[] => {
    const [one, other] = [recorded[name], again[name]];
    if (isDeepStrictEqual(one, other)) return [];
    const subject = `${path}${name}`;
    if (isMembers(one) && isMembers(other)) return membersThatDiffer(one, other, `${subject}.`);
    return [{ subject, text: `recorded as ${shown(one)}, judged again ${shown(other)}` }];
  });
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const longest = 160;

function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
