import { exchangesFile, recordFile } from '../../finished-run.js';
import { describeFile, manifestFile } from '../../manifest.js';

/** A file of the run, as the report lists it. */
export interface EvidenceFile {
  readonly name: string;
  readonly holds: string;
  readonly bytes?: number | undefined;
  /** Hexadecimal; of the files that the report is made of. */
  readonly sha256?: string | undefined;
}

/** What every run's folder holds when the report is done. */
export const standardFiles: readonly EvidenceFile[] = [
  { name: recordFile, holds: 'The run record: every verdict, finding and observation.' },
  { name: exchangesFile, holds: 'Every request and response of the run, one a line, the key replaced.' },
  { name: 'report.html', holds: 'This report, made from the two above and from nothing else.' },
  { name: manifestFile, holds: 'The SHA-256 of every file of the run, written last.' },
];

/** The files that the report is made of, with size and SHA-256 as they are now; a missing file has none. */
export async function evidenceFiles(directory: string): Promise<readonly EvidenceFile[]> {
  const sources = new Set<string>([recordFile, exchangesFile]);
  return Promise.all(
    standardFiles.map(async (file) => {
      if (!sources.has(file.name)) return file;
      const described = await describeFile(directory, file.name).catch(() => undefined);
      return { ...file, bytes: described?.bytes, sha256: described?.sha256 };
    }),
  );
}
