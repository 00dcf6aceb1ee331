import type { BuildOptions, BuildResult } from 'esbuild';

export function bundle(
  options: { readonly project: string } & Pick<BuildOptions, 'entryPoints' | 'outdir' | 'outbase'>,
): Promise<BuildResult<{ metafile: true }>>;
