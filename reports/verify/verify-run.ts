import type { Exchange } from '../../lib/http/exchange/exchange.js';
import type { RequirementResult, RunRecord, Verdict } from '../../lib/record/record.js';
import { classResult, runVerdict } from '../../lib/verdict/class-verdict.js';
import { readFinishedRun, UnreadableRun } from '../finished-run.js';
import { describeFile, readManifest, runFiles } from '../manifest.js';
import { groupBy } from '../text/group-by.js';
import { count } from '../text/quantity.js';
import { requirementRanges } from '../text/requirement-id.js';

/**
 * Judges recorded exchanges again, offline: the results of every requirement that follows from the exchanges alone. It
 * must read the exchanges to their end.
 */
export type JudgeAgain = (
  exchanges: AsyncIterable<Exchange>,
  record: RunRecord,
) => Promise<RequirementResult[]>;

/** 0: proved. 1: the evidence contradicts the run. 3: nothing contradicts it, but the evidence is not whole. */
type VerificationCode = 0 | 1 | 3;

/** One thing that was checked, and the exit code that it asks for. */
interface Remark {
  readonly mark: '✓' | '✗' | '!' | ' ';
  readonly text: string;
  readonly code: VerificationCode;
}

export interface Verification {
  readonly code: VerificationCode;
  readonly remarks: readonly Remark[];
  /** Requirements judged again with the verdict that was recorded. */
  readonly confirmed: readonly string[];
  /** Requirements whose verdict is another when their exchanges are judged again. */
  readonly differences: readonly {
    readonly id: string;
    readonly recorded: Verdict;
    readonly again: Verdict;
  }[];
}

const fine = (text: string): Remark => ({ mark: '✓', text, code: 0 });
const note = (text: string): Remark => ({ mark: ' ', text, code: 0 });
const contradicted = (text: string): Remark => ({ mark: '✗', text, code: 1 });
const notWhole = (text: string): Remark => ({ mark: '!', text, code: 3 });

/**
 * Proves a run's folder: no file was changed since its manifest, and its exchanges still give its verdicts.
 * @throws UnreadableRun if there is neither a manifest nor a record that can be read: that is not a run's folder.
 */
export async function verifyRun(directory: string, judge: JudgeAgain): Promise<Verification> {
  const files = await fileRemarks(directory);
  const again = await judgedAgain(directory, judge).catch((error: unknown) => {
    if (!(error instanceof UnreadableRun) || !files.manifest) throw error;
    return { confirmed: [], differences: [], remarks: [contradicted(error.message)] };
  });
  const remarks = [...files.remarks, ...again.remarks];
  const codes = new Set(remarks.map(({ code }) => code));
  return { ...again, remarks, code: codes.has(1) ? 1 : codes.has(3) ? 3 : 0 };
}

async function fileRemarks(directory: string): Promise<{ manifest: boolean; remarks: Remark[] }> {
  let manifest;
  try {
    manifest = await readManifest(directory);
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { manifest: true, remarks: [contradicted(text)] };
  }
  if (!manifest) {
    const text =
      'There is no manifest.json: the run did not finish, or the file was removed. Nothing proves that the files are unchanged.';
    return { manifest: false, remarks: [notWhole(text)] };
  }
  const wrong: Remark[] = [];
  for (const { name, bytes, sha256 } of manifest.files) {
    const now = await describeFile(directory, name).catch(() => undefined);
    if (now?.bytes === bytes && now.sha256 === sha256) continue;
    wrong.push(contradicted(`${name}: ${now ? 'changed since the run ended' : 'missing'}`));
  }
  const listed = new Set(manifest.files.map(({ name }) => name));
  const added = (await runFiles(directory)).filter((name) => !listed.has(name));
  const all = manifest.files.length;
  const unchanged = `${all - wrong.length} of ${count(all, 'file')} are unchanged.`;
  const remarks = [
    wrong.length === 0 ? fine(unchanged) : note(unchanged),
    ...wrong,
    ...added.map((name): Remark => ({ mark: '!', text: `${name}: added after the run ended`, code: 0 })),
  ];
  return { manifest: true, remarks };
}

async function judgedAgain(directory: string, judge: JudgeAgain): Promise<Omit<Verification, 'code'>> {
  const run = await readFinishedRun(directory);
  const { record } = run;
  const numbers = new Set<number>();
  let exchanges = 0;
  async function* counted(): AsyncGenerator<Exchange> {
    for await (const exchange of run.exchanges()) {
      exchanges += 1;
      numbers.add(Number(/^e(\d+)$/.exec(exchange.id)?.[1]));
      yield exchange;
    }
  }
  const results = await judge(counted(), record);
  const { confirmed, differences, judgedNow } = compareResults(record, results);
  const confirmedText = `${count(confirmed.length, 'requirement')} confirmed, ${differences.length} differ`;
  const text = `${count(exchanges, 'exchange')} judged again: ${confirmedText}.`;
  const byVerdict = groupBy(judgedNow, ({ verdict }) => verdict);
  return {
    confirmed,
    differences,
    remarks: [
      differences.length === 0 && confirmed.length > 0 ? fine(text) : note(text),
      ...contradictionsIn(record).map((one) => contradicted(`The record contradicts itself: ${one}.`)),
      ...lostRemarks(record, numbers),
      ...differences.map(({ id, recorded, again, because = '' }) =>
        contradicted(`${id}  recorded ${recorded}, judged again ${again}${because && `: ${because}`}`),
      ),
      ...[...byVerdict].map(([verdict, rows]) =>
        note(
          `Not judged by the run; its exchanges give ${verdict} for ${requirementRanges(rows.map(({ id }) => id))}.`,
        ),
      ),
      ...(record.run.complete
        ? []
        : [notWhole('The run did not finish: the record has only what was judged until then.')]),
      ...(confirmed.length + judgedNow.length > 0 ? [] : [notWhole('There was nothing to judge again.')]),
    ],
  };
}

const mostNamed = 5;

/**
 * A finished run recorded every request that it sent. A load keeps a sample, and a day that was resumed after its process
 * was killed may lack the requests that were under way.
 */
function lostRemarks({ run, load, requests }: RunRecord, numbers: ReadonlySet<number>): Remark[] {
  if (!run.complete || load || run.limits === 'day') return [];
  const all = Array.from({ length: requests.sent }, (_, index) => index + 1);
  const lost = all.filter((number) => !numbers.has(number)).map((number) => `e${number}`);
  if (lost.length === 0) return [];
  const named = lost.slice(0, mostNamed).join(', ') + (lost.length > mostNamed ? ' and more' : '');
  const are = lost.length === 1 ? 'is' : 'are';
  return [contradicted(`${count(lost.length, 'exchange')} ${are} missing from the evidence: ${named}.`)];
}

/** The verdicts of the classes and of the run follow from the results: one that does not was written by another hand. */
function contradictionsIn({ run, classes, requirements, verdict, load }: RunRecord): string[] {
  const ofClasses = classes.flatMap(({ id, verdict: recorded }) => {
    const { verdict: due } = classResult(id, requirements, { strict: run.strict });
    return recorded === due ? [] : [`${id} is recorded as ${recorded}, its requirements give ${due}`];
  });
  const due = runVerdict(classes);
  if (load || classes.length === 0 || verdict === due) return ofClasses;
  return [...ofClasses, `the run is recorded as ${verdict}, its classes give ${due}`];
}

function compareResults(record: RunRecord, again: readonly RequirementResult[]) {
  const recorded = new Map(record.requirements.map(({ id, verdict }) => [id, verdict]));
  const confirmed: string[] = [];
  const differences: { id: string; recorded: Verdict; again: Verdict; because?: string | undefined }[] = [];
  const judgedNow: { id: string; verdict: Verdict }[] = [];
  for (const { id, verdict, reason, findings } of again) {
    const before = recorded.get(id);
    if (before === verdict) confirmed.push(id);
    else if (before === undefined || claimedNothing(before, verdict, record)) judgedNow.push({ id, verdict });
    else {
      const because = reason ?? findings[0]?.message;
      differences.push({ id, recorded: before, again: verdict, because });
    }
  }
  return { confirmed, differences, judgedNow };
}

/**
 * True if the run was more careful than its exchanges: it did not test the requirement, or would not call it passed or,
 * having lost its target, failed.
 */
function claimedNothing(recorded: Verdict, again: Verdict, { run }: RunRecord): boolean {
  return recorded === 'not-tested' || (recorded === 'inconclusive' && (again === 'pass' || !run.complete));
}
