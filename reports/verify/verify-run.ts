import { isDeepStrictEqual } from 'node:util';
import { Exchange } from '../../lib/evidence/exchange.js';
import { shellWord } from '../../lib/options/command-text.js';
import { wasKilled } from '../../lib/evidence/record/cut-off.js';
import { recordText } from '../../lib/evidence/record/record-text.js';
import { NotRegular } from '../../lib/evidence/record/regular-file.js';
import type { RunRecord } from '../../lib/evidence/record/record.js';
import { compareRecords, type Difference } from './compare-records.js';
import type { JudgedAgain, RecordedRun } from '../../lib/run/judge-again.js';
import { readFinishedRun, UnreadableRun, type FinishedRun } from '../finished-run.js';
import { groupBy } from '../text/group-by.js';
import { count, list } from '../text/quantity.js';
import { requirementRanges } from '../text/requirement-id.js';
import { checkCode, checkDescription, checkWaivers } from './basis-checks.js';
import { evidenceProblems } from './evidence-problems.js';
import { checkFiles, checkWitnesses, type Witnesses } from './file-checks.js';
import { contradicted, fine, note, notWhole, type Remark, type VerificationCode } from './remark.js';
import { checkReports } from './report-checks.js';

/** The suites that judge a run again. */
export interface Suites {
  readonly name: string;
  readonly version: string;
  /** The digest of their code. */
  readonly digest?: string | undefined;
  /** What their rules make of a recorded run. */
  readonly judgeAgain: (run: RecordedRun, rules?: string) => Promise<JudgedAgain>;
}

export interface Verification {
  readonly code: VerificationCode;
  readonly remarks: readonly Remark[];
  /** Requirements whose results came out of the exchanges again. */
  readonly confirmed: readonly string[];
  /** Requirements and other parts of the record that came out otherwise. */
  readonly differences: readonly Difference[];
  /** What was proved, of how much, and what was not looked at. */
  readonly conclusion: string;
}

/** What came of judging again. */
interface Outcome extends Pick<Verification, 'confirmed' | 'differences'> {
  readonly remarks: readonly Remark[];
  /** How many requirements the run judged, and those that were not judged again, with the reasons. */
  readonly judged: number;
  readonly notLookedAt: readonly string[];
}

const nothing: Outcome = { confirmed: [], differences: [], remarks: [], judged: 0, notLookedAt: [] };

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
  let again = nothing;
  let record: RunRecord | undefined;
  try {
    const run = await readFinishedRun(directory);
    record = run.record;
    again = await outcomeOf(run, suites, witnesses.rules);
  } catch (error) {
    const unreadable = error instanceof UnreadableRun || error instanceof NotRegular;
    if (!unreadable || !files.manifest) throw error;
    again = { ...nothing, remarks: [contradicted(error.message)] };
  }
  const seen = await checkWitnesses(directory, record, witnesses);
  const remarks = [...files.remarks, ...seen, ...again.remarks];
  const codes = new Set(remarks.map(({ code }) => code));
  const code = codes.has(1) ? 1 : codes.has(3) ? 3 : 0;
  const { confirmed, differences } = again;
  return { code, remarks, confirmed, differences, conclusion: conclusionOf(code, again) };
}

async function outcomeOf(run: FinishedRun, suites: Suites, rules: string | undefined): Promise<Outcome> {
  const { record } = run;
  const { suite } = record;
  const command = `npx ${suite.name}@${suite.version} report verify ${shellWord(run.directory)}`;
  const judged = judgedIn(record).length;
  if (suite.version !== suites.version) {
    const text = `The run was made by version ${suite.version}, and this is ${suites.version}, which may judge otherwise: run ${command}`;
    return { ...nothing, judged, remarks: [notWhole(text)], notLookedAt: ['the exchanges', 'the reports'] };
  }
  const exchanges: Exchange[] = [];
  for await (const exchange of run.exchanges()) exchanges.push(new Exchange(exchange));
  const problems = [
    ...(isAsWritten(record, run.text) ? [] : ['report.json is not as the suite writes it.']),
    ...evidenceProblems(record, exchanges),
  ];
  const waivers = await checkWaivers(record);
  const inItself = [
    ...checkCode(record, suites.digest, command),
    ...waivers.remarks,
    ...(await checkDescription(record)),
    ...problems.map(contradicted),
    ...(await checkReports(run)),
  ];
  const reason = whyNotJudged(record, exchanges);
  if (reason !== undefined) {
    const remarks = [...inItself, notWhole(`The exchanges can't be judged again: ${reason}.`)];
    return { ...nothing, judged, remarks, notLookedAt: [`${count(judged, 'requirement')} (${reason})`] };
  }
  const outcome = await compared({ record, exchanges, directory: run.directory }, suites, rules);
  const before = record.previous ? ['what changed since the run before'] : [];
  const notLookedAt = [...outcome.notLookedAt, ...waivers.notLookedAt, ...before];
  return { ...outcome, judged, notLookedAt, remarks: [...outcome.remarks, ...inItself] };
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
  const texts = [
    request.url,
    request.body,
    response?.body.text,
    ...request.headers.flatMap(([name, value]) => (name === 'Authorization' ? [] : [value])),
    ...(response?.headers ?? []).flat(),
  ];
  return texts.some((text) => text?.includes('API_KEY') === true || text?.includes('[part of') === true);
}

/** Whether the text of a record is what the suite writes: nothing twice, and nothing that it does not know. */
function isAsWritten(record: RunRecord, text: string): boolean {
  const raw = JSON.parse(text) as RunRecord;
  return recordText(raw) === text && isDeepStrictEqual(raw, record);
}

async function compared(
  run: RecordedRun,
  { judgeAgain }: Suites,
  rules: string | undefined,
): Promise<Omit<Outcome, 'judged'>> {
  const { record, exchanges } = run;
  const { leftOut, discrepancies, record: again } = await judgeAgain(run, rules);
  const comparison = compareRecords(record, again);
  // Its record was written a moment before it was killed: its evidence may show more.
  const differences = wasKilled(record) ? [] : comparison.differences;
  const confirmed = comparison.confirmed.filter((id) => !leftOut.has(id));
  const text = record.load
    ? 'The figures of the load were counted again from its ledger.'
    : `${count(exchanges.length, 'exchange')} judged again: ${count(confirmed.length, 'requirement')} confirmed, ${differences.length} differ.`;
  const isProved = differences.length + discrepancies.length === 0 && (record.load ?? confirmed.length > 0);
  const judged = judgedIn(record).filter((id) => leftOut.has(id));
  const left = [...groupBy(judged, (id) => leftOut.get(id) ?? '')];
  return {
    confirmed,
    differences,
    notLookedAt: left.map(([, ids]) => requirementRanges(ids)),
    remarks: [
      isProved ? fine(text) : note(text),
      ...left.map(([reason, ids]) => notWhole(`${requirementRanges(ids)} can't be judged again: ${reason}.`)),
      ...atMost(discrepancies, 'requests and exchanges that do not fit').map(contradicted),
      ...differences.map((one) => contradicted(`${one.subject}  ${one.text}`)),
      ...(record.run.complete ? [] : [notWhole(unfinished(record))]),
    ],
  };
}

function unfinished({ run: { stopped = 'it was cut off' } }: RunRecord): string {
  return `The run did not finish (${stopped}): what it had not judged until then is not proved.`;
}

function judgedIn({ requirements }: RunRecord): string[] {
  return requirements.filter(({ verdict }) => verdict !== 'not-tested').map(({ id }) => id);
}

const mostNamed = 12;

function atMost(texts: readonly string[], what: string): string[] {
  const more = texts.length - mostNamed;
  return more <= 0 ? [...texts] : [...texts.slice(0, mostNamed), `There are ${more} more ${what}.`];
}

function conclusionOf(code: VerificationCode, { confirmed, judged, notLookedAt }: Outcome): string {
  const except = notLookedAt.length === 0 ? '' : ` Not looked at: ${list(notLookedAt)}.`;
  if (code === 1) return `Not proved: the evidence contradicts the run.${except}`;
  const proved =
    judged === 0
      ? 'the run judged no requirement'
      : `${confirmed.length} of ${count(judged, 'judged requirement')} came out of the exchanges again, with the same findings`;
  if (code === 3)
    return `Not proved: nothing contradicts the run, but the evidence is not whole: ${proved}.${except}`;
  return `Proved: no file was changed, and ${proved}.${except}`;
}
