import { join } from 'node:path';
import { brokenChain } from '../../lib/evidence/record/read-exchanges.js';
import { NotRegular, readRegular } from '../../lib/evidence/record/regular-file.js';
import { reportFiles, serviceLog } from '../../lib/evidence/record/run-files.js';
import { attestationFile } from '../attest/attestation.js';
import type { FinishedRun } from '../finished-run.js';
import { describeFile, namesIn, readManifest, type ManifestEntry } from '../manifest.js';
import type { Renderer } from '../renderer.js';
import { renderers } from '../renderers.js';
import { count } from '../text/quantity.js';
import type { Remark } from './remark.js';

/** Said of a folder that was no run's, or whose run did not end. */
export const noManifest: Remark = {
  mark: '?',
  text: 'There is no manifest.json: the run did not finish, or the file was removed. Nothing proves that the files are unchanged.',
};

/** Whether the files of a run are those that its manifest describes, and the lines of its evidence follow each other. */
export async function checkFiles(directory: string): Promise<Remark[]> {
  // The lines of a killed run follow each other, too.
  const broken = await brokenChain(join(directory, 'exchanges.jsonl')).catch(() => undefined);
  const chain =
    broken === undefined ? [] : [`exchanges.jsonl: line ${broken} does not follow the line before it`];
  const listed = await checkListed(directory).catch((error: unknown): Remark[] => [
    { mark: '✗', text: error instanceof Error ? error.message : String(error) },
  ]);
  return [...listed, ...chain.map((text) => ({ mark: '✗', text }) as const)];
}

async function checkListed(directory: string): Promise<Remark[]> {
  const files = (await readManifest(directory))?.files;
  if (!files) return [noManifest];
  const wrong: Remark[] = [];
  for (const entry of files) wrong.push(...(await checkFile(directory, entry)));
  const names = files.map(({ name }) => name);
  const known = new Set([...names, attestationFile, serviceLog]);
  const told = (mark: Remark['mark'], text: string) => (name: string) => ({ mark, text: `${name}: ${text}` });
  return [
    {
      mark: wrong.length === 0 ? '✓' : ' ',
      text: `${names.length - wrong.length} of ${count(names.length, 'file')} are unchanged.`,
    },
    ...wrong,
    ...['exchanges.jsonl', 'report.json']
      .filter((name) => !names.includes(name))
      .map(told('✗', 'not listed in manifest.json')),
    ...(await namesIn(directory))
      .filter((name) => !known.has(name))
      .map(told('!', 'not covered by manifest.json')),
  ];
}

/** A report follows from the record and the evidence: it may be lost, or made again. */
async function checkFile(directory: string, { name, bytes, sha256 }: ManifestEntry): Promise<Remark[]> {
  const isReport = reportFiles.some((report) => report === name);
  try {
    const now = await describeFile(directory, name);
    if (now.bytes === bytes && now.sha256 === sha256) return [];
    return [{ mark: isReport ? '!' : '✗', text: `${name}: changed since the run ended` }];
  } catch (error) {
    if (error instanceof NotRegular)
      return [{ mark: '✗', text: `${name}: not a regular file, and not opened` }];
    return [isReport ? { mark: '?', text: `${name}: lost` } : { mark: '✗', text: `${name}: missing` }];
  }
}

/** Renders each report that the folder holds once more, and compares it byte by byte. */
export async function checkReports(run: FinishedRun): Promise<Remark[]> {
  const remarks: Remark[] = [];
  for (const { file, render } of Object.values<Renderer>(renderers)) {
    const found = await readRegular(join(run.directory, file)).catch(() => undefined);
    if (found === undefined) continue;
    const isSame = (await render(run)) === found;
    remarks.push(
      isSame
        ? { mark: '✓', text: `${file}: rendered again, byte for byte the same.` }
        : { mark: '✗', text: `${file}: another report than the record and the exchanges give` },
    );
  }
  return remarks;
}
