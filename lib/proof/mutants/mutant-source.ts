import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { packageFile } from '../../run/suite-name.js';
import type { Change } from './mutant.js';

export const referenceFolder = fileURLToPath(packageFile('lib/reference/'));

/** The reference alone is mutated: no fault, no variant and its algorithm, and nothing that sets up and starts the service. */
const notMutated =
  /^(?:faults|variants)\/|^limiter\/(?:fixed-window-request|sliding-\w+|token-bucket)\.ts$|^(?:behaviour|keys|serve)\.ts$|\.test\.ts$/;

export interface MutantSource {
  /** The text of each file, with a switch wherever a mutant changes it. */
  readonly files: ReadonlyMap<string, string>;
  readonly changes: readonly Change[];
}

const silent = {
  isTraceEnabled: () => false,
  isDebugEnabled: () => false,
  isInfoEnabled: () => false,
  isWarnEnabled: () => false,
  isErrorEnabled: () => false,
  isFatalEnabled: () => false,
  trace() {},
  debug() {},
  info() {},
  warn() {},
  error() {},
  fatal() {},
};

/** Reads the source of the reference service, and puts every mutant into it behind a switch. */
export async function instrumentReference(): Promise<MutantSource> {
  const names = (await readdir(referenceFolder, { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !notMutated.test(name),
  );
  const sources = await Promise.all(
    names.toSorted().map(async (name) => {
      const content = await readFile(`${referenceFolder}/${name}`, 'utf8');
      return { name, content, mutate: true };
    }),
  );
  // Nothing else needs it, and it takes longer to load than a run takes.
  const { Instrumenter } = await import('@stryker-mutator/instrumenter');
  const { files, mutants } = await new Instrumenter(silent).instrument(sources, {
    plugins: null,
    ignorers: [],
    excludedMutations: [],
    noHeader: true,
  });
  const contents = new Map(sources.map(({ name, content }) => [name, content]));
  const changes = mutants.map(({ id, fileName, location, mutatorName, replacement }): Change => {
    const content = contents.get(fileName) ?? '';
    const [start, end] = [placeOf(content, location.start), placeOf(content, location.end)];
    return {
      number: id,
      file: fileName,
      line: location.start.line + 1,
      start,
      end,
      mutator: mutatorName,
      before: content.slice(start, end),
      after: replacement,
    };
  });
  return { files: new Map(files.map(({ name, content }) => [name, content])), changes };
}

/** The place in a text of a line and a column, both counted from 0. */
function placeOf(text: string, { line, column }: { readonly line: number; readonly column: number }): number {
  const before = text.split('\n').slice(0, line);
  return before.reduce((sum, one) => sum + one.length + 1, column);
}
