import type { BuildOptions, BuildResult } from 'esbuild';

export function bundle(
  options: { readonly project: string } & Pick<
    BuildOptions,
    'entryPoints' | 'outdir' | 'outbase' | 'chunkNames'
  >,
): Promise<BuildResult<{ metafile: true }>>;
