import { build } from 'esbuild';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import type { ReferenceOptions } from '../../reference/options.js';
import type { serveReference } from '../../reference/serve.js';
import { instrumentReference, referenceFolder } from './mutant-source.js';
import { namedMutants, type Mutant } from './mutant.js';

/** The reference service, compiled with every mutant in it. */
export interface MutantService {
  readonly mutants: readonly Mutant[];
  /** Starts the service with one mutant switched on, or none. Each start evaluates the modules anew. */
  readonly start: (mutant: Mutant | undefined, options: ReferenceOptions) => Promise<StartedMutant>;
}

interface StartedMutant {
  readonly baseUrl: string;
  readonly close: () => Promise<void>;
  /** The numbers of the mutants whose code was reached. */
  readonly reached: ReadonlySet<string>;
  /** The mutant went round in a loop until it was stopped. */
  readonly isEndless: () => boolean;
}

/** The names of the two functions that instrumented code calls. */
const helpers = ['stryMutAct_9fa48', 'stryCov_9fa48'] as const;

type Evaluate = (
  require: (name: string) => unknown,
  module: { exports: unknown },
  isActive: (number: string) => boolean,
  reach: (...numbers: string[]) => void,
) => void;

/** Compiles the service with every mutant in it, in memory. */
export async function mutateReference(): Promise<MutantService> {
  const source = await instrumentReference();
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
            const contents = source.files.get(file);
            loaded.add(file);
            return contents === undefined ? undefined : { contents, loader: 'ts' };
          });
        },
      },
    ],
  });
  // oxlint-disable-next-line typescript/no-implied-eval -- our own source, compiled in memory
  const evaluate = new Function(
    'require',
    'module',
    ...helpers,
    result.outputFiles[0]?.text ?? '',
  ) as Evaluate;
  return {
    // Helpers of faults and variants alone are no part of the service.
    mutants: namedMutants(source.changes.filter(({ file }) => loaded.has(file))),
    start: (mutant, options) => startMutant(evaluate, mutant, options),
  };
}

/**
 * The switches that no run comes near. An endless loop passes some in every round; there it is stopped, as it would keep
 * this process busy for ever.
 */
const mostSwitches = 2_000_000;

/** @throws whatever the mutant throws before it listens */
async function startMutant(
  evaluate: Evaluate,
  mutant: Mutant | undefined,
  options: ReferenceOptions,
): Promise<StartedMutant> {
  const reached = new Set<string>();
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
      for (const number of numbers) reached.add(number);
    },
  );
  const { serveReference: serve } = module.exports as { readonly serveReference: typeof serveReference };
  const { baseUrl, close } = await serve(options);
  return { baseUrl, close, reached, isEndless: () => switches > mostSwitches };
}
