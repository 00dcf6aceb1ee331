import { Exchange } from '../../lib/evidence/exchange.js';
import { shellWord } from '../../lib/options/command-text.js';
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
import { checkFiles } from './file-checks.js';
import { recordProblems } from './record-problems.js';
import { checkWitnesses, type Witnesses } from './witness-checks.js';
import { contradicted, fine, note, notWhole, type Remark, type VerificationCode } from './remark.js';
import { checkReports } from './report-checks.js';

/** The suites that judge a run again. */
export interface Suites {
  readonly name: string;
  readonly version: string;
  /** The digest of their code. */
  readonly digest?: string | undefined;
  /** What their rules make of a recorded run. */
  readonly judgeAgain: (run: RecordedRun) => Promise<JudgedAgain>;
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
    again = await outcomeOf(run, suites);
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

async function outcomeOf(run: FinishedRun, suites: Suites): Promise<Outcome> {
  const { record } = run;
  const { suite } = record;
  const command = `npx ${suite.name}@${suite.version} report verify ${shellWord(run.directory)}`;
  const judged = record.requirements.filter(({ verdict }) => verdict !== 'not-tested').length;
  if (suite.version !== suites.version) {
    const text = `The run was made by version ${suite.version}, and this is ${suites.version}, which may judge otherwise: run ${command}`;
    return { ...nothing, judged, remarks: [notWhole(text)], notLookedAt: ['the exchanges', 'the reports'] };
  }
  const exchanges: Exchange[] = [];
  for await (const exchange of run.exchanges()) exchanges.push(new Exchange(exchange));
  const problems = [...recordProblems(record, run.text), ...evidenceProblems(record, exchanges)];
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
  const outcome = await compared({ record, exchanges, directory: run.directory }, suites);
  const notLookedAt = [...outcome.notLookedAt, ...waivers.notLookedAt];
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

async function compared(run: RecordedRun, { judgeAgain }: Suites): Promise<Omit<Outcome, 'judged'>> {
  const { record, exchanges } = run;
  const again = await judgeAgain(run);
  const { differences, confirmed, judgedNow } = compareRecords(record, again.record, again.leftOut);
  const { discrepancies } = again;
  const all = count(exchanges.length, 'exchange');
  const text = record.load
    ? 'The figures of the load were counted again from its ledger.'
    : `${all} judged again: ${count(confirmed.length, 'requirement')} confirmed, ${differences.length} differ.`;
  const wasProvable = record.load !== undefined || confirmed.length > 0;
  const isProved = differences.length === 0 && discrepancies.length === 0 && wasProvable;
  const byVerdict = groupBy(judgedNow, ({ verdict }) => verdict);
  const judged = record.requirements.filter(({ verdict }) => verdict !== 'not-tested').map(({ id }) => id);
  const left = groupBy(
    judged.filter((id) => again.leftOut.has(id)),
    (id) => again.leftOut.get(id) ?? '',
  );
  const few = atMost(discrepancies, 'requests and exchanges that do not fit');
  return {
    confirmed,
    differences,
    notLookedAt: [...left].map(([, ids]) => requirementRanges(ids)),
    remarks: [
      isProved ? fine(text) : note(text),
      ...[...left].map(([reason, ids]) =>
        notWhole(`${requirementRanges(ids)} can't be judged again: ${reason}.`),
      ),
      ...few.map(contradicted),
      ...differences.map(({ subject, text }) => contradicted(`${subject}  ${text}`)),
      ...[...byVerdict].map(([verdict, rows]) =>
        note(
          `Not judged by the run; its exchanges give ${verdict} for ${requirementRanges(rows.map(({ id }) => id))}.`,
        ),
      ),
      ...(record.run.complete
        ? []
        : [
            notWhole(
              `The run did not finish (${record.run.stopped ?? 'it was cut off'}): what it had not judged until then is not proved.`,
            ),
          ]),
    ],
  };
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
