import { isDeepStrictEqual } from 'node:util';
import { Exchange } from '../../lib/evidence/exchange.js';
import { wasKilled } from '../../lib/evidence/record/cut-off.js';
import { recordText } from '../../lib/evidence/record/record-text.js';
import { NotRegular } from '../../lib/evidence/record/regular-file.js';
import type { RunRecord } from '../../lib/evidence/record/record.js';
import { shellWord } from '../../lib/options/command-text.js';
import type { JudgedAgain, RecordedRun } from '../../lib/run/judge-again.js';
import { readFinishedRun, UnreadableRun, type FinishedRun } from '../finished-run.js';
import { groupBy } from '../text/group-by.js';
import { count } from '../text/quantity.js';
import { requirementRanges } from '../text/requirement-id.js';
import { recordDifferences, type Difference } from './compare-records.js';
import { evidenceProblems } from './evidence-problems.js';
import { checkFiles, checkReports, checkWitnesses, noManifest, type Witnesses } from './file-checks.js';
import { codeOf, contradicted, fine, note, notWhole, type Remark, type VerificationCode } from './remark.js';

/** The suites that judge a run again. */
export interface Suites {
  readonly name: string;
  readonly version: string;
  /** What their rules make of a recorded run. */
  readonly judgeAgain: (run: RecordedRun, rules?: string) => Promise<JudgedAgain>;
}

/** What came of judging a run again. */
interface Outcome {
  /** What was checked, and what was not looked at. */
  readonly remarks: readonly Remark[];
  /** Requirements whose results came out of the exchanges again. */
  readonly confirmed: readonly string[];
  /** What of the record came out otherwise. */
  readonly differences: readonly Difference[];
}

export interface Verification extends Outcome {
  readonly code: VerificationCode;
}

const onlyRemarks = (...remarks: readonly Remark[]): Outcome => ({ remarks, confirmed: [], differences: [] });

/**
 * Proves a run's folder: no file was changed since its manifest, its record follows from its exchanges, and its reports
 * from both.
 * @throws UnreadableRun if there is neither a manifest nor a record that can be read: that is not a run's folder.
 */
export async function verifyRun(
  directory: string,
  suites: Suites,
  witnesses: Witnesses = {},
): Promise<Verification> {
  const files = await checkFiles(directory);
  let again: Outcome;
  let record: RunRecord | undefined;
  try {
    const run = await readFinishedRun(directory);
    record = run.record;
    again = await outcomeOf(run, suites, witnesses.rules);
  } catch (error) {
    const unreadable = error instanceof UnreadableRun || error instanceof NotRegular;
    if (!unreadable || files.includes(noManifest)) throw error;
    again = onlyRemarks(contradicted(error.message));
  }
  const remarks = [...files, ...(await checkWitnesses(directory, record, witnesses)), ...again.remarks];
  return { ...again, remarks, code: codeOf(remarks) };
}

/** What the record, the exchanges and the reports say of each other. */
async function outcomeOf(run: FinishedRun, suites: Suites, rules: string | undefined): Promise<Outcome> {
  const { record, directory } = run;
  const { suite } = record;
  const command = `npx ${suite.name}@${suite.version} report verify ${shellWord(directory)}`;
  if (suite.version !== suites.version) {
    const text = `The run was made by version ${suite.version}, and this is ${suites.version}, which may judge otherwise; the exchanges and the reports were not looked at: run ${command}`;
    return onlyRemarks(notWhole(text));
  }
  const exchanges: Exchange[] = [];
  for await (const exchange of run.exchanges()) exchanges.push(new Exchange(exchange));
  const inItself = [
    ...(isAsWritten(run) ? [] : [contradicted('report.json is not as the suite writes it.')]),
    ...evidenceProblems(record, exchanges).map(contradicted),
    ...(await checkReports(run)),
    ...notLookedAt(record),
  ];
  const reason = whyNotJudged(record, exchanges);
  if (reason !== undefined)
    return onlyRemarks(...inItself, notWhole(`The exchanges can't be judged again: ${reason}.`));
  const recorded = { record, exchanges, directory };
  const outcome = compared(recorded, await suites.judgeAgain(recorded, rules));
  return { ...outcome, remarks: [...outcome.remarks, ...inItself] };
}

/** What stands in no exchange of the run. */
function notLookedAt({ requirements, previous }: RunRecord): Remark[] {
  const waived = requirements.filter((row) => row.waived).map(({ id }) => id);
  return [
    ...(waived.length > 0 ? [`whether waivers were given for ${requirementRanges(waived)}`] : []),
    ...(previous ? ['what changed since the run before'] : []),
  ].map((what) => note(`Not looked at: ${what}.`));
}

/** Why a run can't be judged again. */
function whyNotJudged({ run, target }: RunRecord, exchanges: readonly Exchange[]): string | undefined {
  if (run.options === undefined) return 'the record does not say with which options it was made';
  if (run.options.resumed) return 'its day was interrupted and continued with --resume';
  if (exchanges.length === 0 && run.complete) return 'there are none';
  if (target.keyMayBeWord === true && exchanges.some(hidesWords))
    return 'the key is a word that other texts hold, and these were not recorded as they were';
  return undefined;
}

function hidesWords({ request, response }: Exchange): boolean {
  const headers = request.headers.filter(([name]) => name !== 'Authorization');
  return /API_KEY|\[part of/u.test(JSON.stringify([request.url, request.body, headers, response]));
}

/** Whether the text of a record is what the suite writes: nothing twice, and nothing that it does not know. */
function isAsWritten({ record, text }: FinishedRun): boolean {
  const raw = JSON.parse(text) as RunRecord;
  return recordText(raw) === text && isDeepStrictEqual(raw, record);
}

/** What was recorded, compared with what the rules make of it. */
function compared({ record, exchanges }: RecordedRun, { leftOut, record: again }: JudgedAgain): Outcome {
  // The record of a killed run was written a moment before: its evidence may show more.
  const found = recordDifferences(record, again);
  const differences = wasKilled(record) ? [] : found;
  const differing = new Set(found.map(({ subject }) => subject));
  const judged = record.requirements.filter(({ verdict }) => verdict !== 'not-tested').map(({ id }) => id);
  const confirmed = judged.filter((id) => !leftOut.has(id) && !differing.has(id));
  const text = record.load
    ? 'A load judges no requirement: its figures were not counted again.'
    : `${count(exchanges.length, 'exchange')} judged again: ${confirmed.length} of ${count(judged.length, 'judged requirement')} came out again with the same findings.`;
  const isProved = differences.length === 0 && confirmed.length > 0;
  const left = groupBy(
    judged.filter((id) => leftOut.has(id)),
    (id) => leftOut.get(id) ?? '',
  );
  const { complete, stopped = 'it was cut off' } = record.run;
  const unfinished = `The run did not finish (${stopped}): what it had not judged until then is not proved.`;
  return {
    confirmed,
    differences,
    remarks: [
      isProved ? fine(text) : note(text),
      ...[...left].map(([why, ids]) => notWhole(`${requirementRanges(ids)} can't be judged again: ${why}.`)),
      ...differences.map((one) => contradicted(one.text)),
      ...(complete ? [] : [notWhole(unfinished)]),
    ],
  };
}
