import { isDeepStrictEqual } from 'node:util';
import type { Exchange } from '../../lib/evidence/exchange.js';
import { type RunRecord, wasKilled } from '../../lib/evidence/record/record.js';
import { recordText, UnreadableRun } from '../../lib/evidence/record/regular-file.js';
import { clip } from '../../lib/explain/clip.js';
import { logText, printableDeep } from '../../lib/explain/printable.js';
import { shellWord } from '../../lib/options/command-line.js';
import { suiteVersion } from '../../lib/run/suite-name.js';
import { isObject } from '../../lib/specification/json-value.js';
import { readFinishedRun, type FinishedRun } from '../finished-run.js';
import { layoutOf, type TextLayout } from '../terminal/layout.js';
import { count, groupBy, requirementRanges } from '../text.js';
import {
  checkAttestation,
  checkFiles,
  checkReports,
  noManifest,
  remark,
  type Remark,
  type Witnesses,
} from './file-checks.js';

/** What a verification found. Exit code 1: the evidence contradicts the run; 3: it is not whole. */
type Verification = Awaited<ReturnType<typeof verifyRun>>;

/**
 * Proves a run's folder: its files are those of its manifest, its record follows from its exchanges, its reports from both.
 * @throws UnreadableRun if there is neither a manifest nor a record that can be read: that is not a run's folder.
 */
export async function verifyRun(directory: string, witnesses: Witnesses = {}) {
  const remarks = await checkFiles(directory, witnesses);
  try {
    remarks.push(...(await checkRun(await readFinishedRun(directory), witnesses)));
  } catch (error) {
    if (!(error instanceof UnreadableRun) || remarks.includes(noManifest)) throw error;
    remarks.push(remark('✗', error.message));
  }
  const marks = new Set(remarks.map(({ mark }) => mark));
  return { code: marks.has('✗') ? 1 : marks.has('?') ? 3 : 0, remarks } as const;
}

const conclusions = {
  0: ['green', 'Proved: no file was changed, and what was judged follows from the exchanges.'],
  1: ['red', 'Not proved: the evidence contradicts the run.'],
  3: ['yellow', 'Not proved: nothing contradicts the run, but the evidence is not whole.'],
} as const;

export function verificationText(verification: Verification, options: TextLayout): string {
  const { code, remarks } = printableDeep(verification);
  const [colour, conclusion] = conclusions[code];
  const layout = layoutOf(options);
  return logText([
    '',
    ...remarks.map(({ mark, text }) => layout.paragraph(`${mark} `, text)),
    layout.paint(['bold', colour], layout.paragraph('', conclusion)),
    '',
  ]);
}

async function checkRun(run: FinishedRun, { key, rules }: Witnesses): Promise<readonly Remark[]> {
  const { record, directory } = run;
  const { suite, previous, requirements } = record;
  const attested = key ? [await checkAttestation(run, key)] : [];
  if (suite.version !== suiteVersion) {
    const command = `npx ${suite.name}@${suite.version} report verify ${shellWord(directory)}`;
    const text = `The run was made by version ${suite.version}, and this is ${suiteVersion}, which may judge otherwise; the exchanges and the reports were not looked at: run ${command}`;
    return [...attested, remark('?', text)];
  }
  const exchanges = run.exchanges();
  const reason = whyNotJudged(record, exchanges);
  const waived = requirements.filter((row) => row.waived).map(({ id }) => id);
  // What stands in no exchange of the run.
  const notLookedAt = [
    ...(waived.length > 0 ? [`whether waivers were given for ${requirementRanges(waived)}`] : []),
    ...(previous ? ['what changed since the run before'] : []),
  ];
  return [
    ...attested,
    ...(reason === undefined
      ? await checkVerdicts(run, exchanges, rules)
      : [remark('?', `The exchanges can't be judged again: ${reason}.`)]),
    ...(isAsWritten(run) ? [] : [remark('✗', 'report.json is not as the suite writes it.')]),
    ...evidenceProblems(record, exchanges).map((text) => remark('✗', text)),
    ...(await checkReports(run)),
    ...notLookedAt.map((what) => remark(' ', `Not looked at: ${what}.`)),
  ];
}

/** Why a run can't be judged again. */
function whyNotJudged({ run, target }: RunRecord, exchanges: readonly Exchange[]): string | undefined {
  if (run.options === undefined) return 'the record does not say with which options it was made';
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

async function checkVerdicts(
  { record, directory }: FinishedRun,
  exchanges: readonly Exchange[],
  rules: string | undefined,
): Promise<readonly Remark[]> {
  // The suites take longer to load than the rest takes.
  const { judgeAgain } = await import('../../lib/run/judge-again.js');
  const { leftOut, record: again } = await judgeAgain({ record, exchanges, directory }, rules);
  const found = recordDifferences(record, again);
  // The record of a killed run was written a moment before: its evidence may show more.
  const differences = wasKilled(record) ? [] : found;
  const judged = record.requirements.filter(({ verdict }) => verdict !== 'not-tested').map(({ id }) => id);
  const left = judged.filter((id) => leftOut.has(id));
  const confirmed = judged.filter((id) => !leftOut.has(id) && !found.some(({ subject }) => subject === id));
  const text = record.load
    ? 'A load judges no requirement: its figures were not counted again.'
    : `${count(exchanges.length, 'exchange')} judged again: ${confirmed.length} of ${count(judged.length, 'judged requirement')} came out again with the same findings.`;
  const { complete, stopped = 'it was cut off' } = record.run;
  const unfinished = `The run did not finish (${stopped}): what it had not judged until then is not proved.`;
  return [
    remark(differences.length === 0 && confirmed.length > 0 ? '✓' : ' ', text),
    ...[...groupBy(left, (id) => leftOut.get(id) ?? '')].map(([why, ids]) =>
      remark('?', `${requirementRanges(ids)} can't be judged again: ${why}.`),
    ),
    ...differences.map((one) => remark('✗', one.text)),
    ...(complete ? [] : [remark('?', unfinished)]),
  ];
}

/** Milliseconds by which times may differ: they are rounded to microseconds, and the dates of a run to milliseconds. */
const rounding = 1.01;
const mostNamed = 5;

/** What is wrong with exchanges in themselves, a sentence each. What their record says of them is compared elsewhere. */
function evidenceProblems({ run, target, load }: RunRecord, exchanges: readonly Exchange[]): string[] {
  const begin = Date.parse(run.startedAt) - rounding;
  const end = run.complete ? Date.parse(run.finishedAt) + rounding : Infinity;
  // The times of what others recorded are theirs, and its bodies are decoded.
  const own = run.traffic ? [] : exchanges;
  const isOutOfTime = ({ sentAt, endedAt, timing: { wait, firstByte = 0, total } }: Exchange): boolean =>
    sentAt < begin || endedAt > end || wait < 0 || firstByte < 0 || firstByte > total + rounding;
  // Of a load and a day a sample was kept, and what was under way when a run was killed is missing.
  const isWhole = run.complete && !load && run.limits !== 'day';
  const numberOf = ({ id }: Exchange): number => Number(id.slice(1)) || 0;
  const inTurn = exchanges.toSorted((one, other) => numberOf(one) - numberOf(other));
  const problems = {
    'Not numbered one after the other': inTurn.filter(({ id }, index) => isWhole && id !== `e${index + 1}`),
    "Not sent to the target's address": exchanges.filter(
      ({ request }) => !request.url.startsWith(`${target.baseUrl}/`),
    ),
    'Times that contradict the run, or each other': own.filter(isOutOfTime),
    'A body of another size than was received': own.filter((one) => !hasItsSize(one)),
  };
  return Object.entries(problems).flatMap(([what, wrong]) => {
    const ids = wrong.slice(0, mostNamed).map(({ id }) => id);
    const more = wrong.length > mostNamed ? ` and ${wrong.length - mostNamed} more` : '';
    return ids.length === 0 ? [] : `${what}: ${ids.join(', ')}${more}.`;
  });
}

/** Whether the size is that of the body, if it was recorded as it came. */
function hasItsSize(exchange: Exchange): boolean {
  const { text, bytes = 0, truncated = false } = exchange.response?.body ?? {};
  const isAsItCame = text !== undefined && !truncated && !/API_KEY|\[part of/u.test(text);
  const isCoded = exchange.headers('Content-Encoding').length > 0;
  return !isAsItCame || isCoded || Buffer.byteLength(text) === bytes;
}

/** How a record differs from the one that its exchanges give: the rows and members that do, those of objects by their paths. */
export function recordDifferences(recorded: RunRecord, given: RunRecord) {
  const byName = ({ requirements, ...members }: RunRecord): object => {
    const rows = requirements.map((row) => [row.id, row] as const);
    return { ...Object.fromEntries(rows), 'order of the requirements': rows.map(([id]) => id), ...members };
  };
  // As it would be read from a file.
  return differencesOf(byName(recorded), byName(JSON.parse(recordText(given)) as RunRecord), []);
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
