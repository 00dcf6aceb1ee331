import { build } from 'esbuild';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ReferenceOptions } from '../../reference/options.js';
import type { ReferenceService, serveReference } from '../../reference/serve.js';
import { packageFile } from '../../run/suite-name.js';
import { namedMutants, type Change, type Mutant } from './mutant.js';

/** The reference service, compiled with every mutant in it. */
export interface MutantService {
  readonly mutants: readonly Mutant[];
  /**
   * Starts the service with one mutant switched on, or none. Each start evaluates the modules anew.
   * @param reach is told the numbers of the mutants whose code is reached
   * @throws whatever the mutant throws before it listens
   */
  readonly start: (
    mutant: Mutant | undefined,
    options: ReferenceOptions,
    reach?: (number: string) => void,
  ) => Promise<ReferenceService>;
}

const referenceFolder = fileURLToPath(packageFile('lib/reference/'));

/** The reference alone is mutated: no fault, no variant and its algorithm, and nothing that sets up and starts the service. */
const notMutated =
  /^(?:faults|variants)\/|^limiter\/(?:fixed-window-request|sliding-\w+|token-bucket)\.ts$|^(?:behaviour|keys|serve)\.ts$|\.test\.ts$/;

/** The names of the two functions that instrumented code calls. */
const helpers = ['stryMutAct_9fa48', 'stryCov_9fa48'] as const;

type Evaluate = (
  require: (name: string) => unknown,
  module: { exports: unknown },
  isActive: (number: string) => boolean,
  reach: (...numbers: string[]) => void,
) => void;

/**
 * The switches that no run comes near. An endless loop passes some in every round; there it is stopped, as it would keep
 * this process busy for ever.
 */
const mostSwitches = 2_000_000;

/** Compiles the service with every mutant in it, in memory. */
export async function mutateReference(): Promise<MutantService> {
  const { files, changes } = await instrumentReference();
  const loaded = new Set<string>();
  const result = await build({
    entryPoints: [join(referenceFolder, 'serve.ts')],
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    plugins: [
      {
        name: 'mutants',
        setup(build) {
          build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
            const file = relative(referenceFolder, path);
            const contents = files.get(file);
            loaded.add(file);
            return contents === undefined ? undefined : { contents, loader: 'ts' };
          });
        },
      },
    ],
  });
  const compiled = result.outputFiles[0]?.text ?? '';
  // oxlint-disable-next-line typescript/no-implied-eval -- our own source, compiled in memory
  const evaluate = new Function('require', 'module', ...helpers, compiled) as Evaluate;
  return {
    // Helpers of faults and variants alone are no part of the service.
    mutants: namedMutants(changes.filter(({ file }) => loaded.has(file))),
    async start(mutant, options, reach) {
      let switches = 0;
      const module = { exports: {} };
      evaluate(
        createRequire(import.meta.url),
        module,
        (number) => {
          switches += 1;
          if (switches > mostSwitches) throw new Error('The mutant did not come to an end.');
          return number === mutant?.number;
        },
        (...numbers) => {
          for (const number of numbers) reach?.(number);
        },
      );
      const { serveReference: serve } = module.exports as { readonly serveReference: typeof serveReference };
      return serve(options);
    },
  };
}

/** The text of each file with a switch wherever a mutant changes it, and the mutants. */
async function instrumentReference() {
  const names = (await readdir(referenceFolder, { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !notMutated.test(name),
  );
  const contents = new Map<string, string>();
  for (const name of names.toSorted())
    contents.set(name, await readFile(join(referenceFolder, name), 'utf8'));
  // Nothing else needs it, and it takes longer to load than a run takes.
  const { Instrumenter } = await import('@stryker-mutator/instrumenter');
  const silent = new Proxy({} as ConstructorParameters<typeof Instrumenter>[0], { get: () => () => false });
  const { files, mutants } = await new Instrumenter(silent).instrument(
    Array.from(contents, ([name, content]) => ({ name, content, mutate: true })),
    { plugins: null, ignorers: [], excludedMutations: [], noHeader: true },
  );
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
