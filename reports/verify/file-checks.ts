import type { KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { brokenChain, reportFiles, serviceLog } from '../../lib/evidence/record/run-files.js';
import { readRegular, UnreadableRun } from '../../lib/evidence/record/regular-file.js';
import { errorCode } from '../../lib/explain/usage-problem.js';
import { attestationFile, attestationProblem, statementOf } from '../attestation.js';
import { describeFile, manifestDigest, namesIn, readManifest, type FinishedRun } from '../finished-run.js';
import { renderers } from '../renderers.js';
import { count } from '../text.js';

/** The mark decides the exit code: ✗ contradicts the run, ? says that it is not whole. */
export interface Remark {
  readonly mark: '✓' | ' ' | '!' | '✗' | '?';
  readonly text: string;
}

export const remark = (mark: Remark['mark'], text: string): Remark => ({ mark, text });

/** What others have kept of a run, so that whoever changes its folder must change it, too. */
export interface Witnesses {
  readonly digest?: string | undefined;
  readonly key?: KeyObject | undefined;
  readonly rules?: string | undefined;
}

/** Said of a folder that was no run's, or whose run did not end. */
export const noManifest = remark(
  '?',
  'There is no manifest.json: the run did not finish, or the file was removed. Nothing proves that the files are unchanged.',
);

/** Whether the files of a run are those that its manifest describes, and the lines of its evidence follow each other. */
export async function checkFiles(directory: string, { digest, key }: Witnesses): Promise<Remark[]> {
  const remarks = await checkListed(directory, key).catch((error: unknown) => [
    remark('✗', error instanceof Error ? error.message : String(error)),
  ]);
  // The lines of a killed run follow each other, too.
  const broken = await Promise.resolve(join(directory, 'exchanges.jsonl'))
    .then(brokenChain)
    .catch(() => undefined);
  if (broken !== undefined)
    remarks.push(remark('✗', `exchanges.jsonl: line ${broken} does not follow the line before it`));
  if (digest === undefined) return remarks;
  const now = await manifestDigest(directory).catch(() => 'of no file');
  const isGiven = digest === now;
  const has = `manifest.json has the digest ${isGiven ? 'that' : `${now}, not the one that`} was given.`;
  return [...remarks, remark(isGiven ? '✓' : '✗', has)];
}

async function checkListed(directory: string, key: KeyObject | undefined): Promise<Remark[]> {
  const files = (await readManifest(directory))?.files;
  if (!files) return [noManifest];
  const wrong = files.flatMap((entry) => fileProblem(directory, entry) ?? []);
  const names = files.map(({ name }) => name);
  const needed = ['exchanges.jsonl', 'report.json'].filter((name) => !names.includes(name));
  const isKnown = new Set([...names, serviceLog, ...(key ? [attestationFile] : [])]);
  const added = (await namesIn(directory)).filter((name) => !isKnown.has(name));
  const unchanged = `${names.length - wrong.length} of ${count(names.length, 'file')} are unchanged.`;
  return [
    remark(wrong.length === 0 ? '✓' : ' ', unchanged),
    ...wrong,
    ...needed.map((name) => remark('✗', `${name}: not listed in manifest.json`)),
    ...added.map((name) => {
      const isSigned = name === attestationFile;
      const what = isSigned
        ? ' is there, and was not checked: add --key=FILE.pem.'
        : ': not covered by manifest.json';
      return remark('!', `${name}${what}`);
    }),
  ];
}

/** What became of a file. A report follows from the record and the evidence: it may be lost, or made again. */
function fileProblem(directory: string, entry: ReturnType<typeof describeFile>): Remark | undefined {
  const { name, sha256 } = entry;
  const isReport = reportFiles.some((report) => report === name);
  try {
    if (describeFile(directory, name).sha256 === sha256) return undefined;
    return remark(isReport ? '!' : '✗', `${name}: changed since the run ended`);
  } catch (error) {
    if (error instanceof UnreadableRun) return remark('✗', `${name}: not a regular file, and not opened`);
    return isReport ? remark('?', `${name}: lost`) : remark('✗', `${name}: missing`);
  }
}

/** Whether the attestation in a folder says what its record says, and was signed by a key. */
export async function checkAttestation({ record, directory }: FinishedRun, key: KeyObject): Promise<Remark> {
  const problem = await readRegular(join(directory, attestationFile)).then(
    async (text) => attestationProblem(text, statementOf(record, await manifestDigest(directory)), key),
    (error: unknown) => `it can't be read (${errorCode(error)})`,
  );
  return problem === undefined
    ? remark('✓', `${attestationFile} is signed by this key, and says what the record says.`)
    : remark('✗', `${attestationFile}: ${problem}.`);
}

/** Renders each report that the folder holds once more, and compares it byte by byte. */
export async function checkReports(run: FinishedRun): Promise<Remark[]> {
  const remarks: Remark[] = [];
  for (const { file, render } of Object.values(renderers)) {
    const found = await readRegular(join(run.directory, file)).catch(() => undefined);
    if (found === undefined) continue;
    remarks.push(
      (await render(run)) === found
        ? remark('✓', `${file}: rendered again, byte for byte the same.`)
        : remark('✗', `${file}: another report than the record and the exchanges give`),
    );
  }
  return remarks;
}
