import type { BuildOptions, BuildResult } from 'esbuild';

type Bundle = (
  options: { readonly project: string } & Pick<
    BuildOptions,
    'entryPoints' | 'outbase' | 'outdir' | 'outfile'
  >,
) => Promise<BuildResult<{ metafile: true }>>;

export const bundle: Bundle;
export const bundleProgram: Bundle;
