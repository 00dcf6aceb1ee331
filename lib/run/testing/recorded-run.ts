import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { writeReports, type RendererName } from '../../../reports/renderers.js';
import { proveAgainst, type ProofOptions } from '../../proof/prove.js';
import type { RunRecord } from '../../evidence/record/record.js';
import type { ReferenceOptions } from '../../reference/options.js';

export interface InFolder {
  readonly directory: string;
  readonly record: RunRecord;
}

/** Runs the suite against the reference service with these options, into a folder that goes with the test. */
export async function runInFolder(
  options: ReferenceOptions,
  { settings, ...others }: ProofOptions = {},
  reports: readonly RendererName[] = [],
): Promise<InFolder> {
  const directory = await mkdtemp(join(tmpdir(), 'petstore-replayed-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const record = await proveAgainst(options, { ...others, settings: { ...settings, directory } });
  await writeReports(directory, reports);
  return { directory, record };
}

/** How many judged requirements a verification says came out of the exchanges again. */
export function confirmedIn({ remarks }: { readonly remarks: readonly { readonly text: string }[] }): number {
  const [, confirmed] = remarks.flatMap(({ text }) => / judged again: (\d+) of /u.exec(text) ?? []);
  return Number(confirmed);
}
