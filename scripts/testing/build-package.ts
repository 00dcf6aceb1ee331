import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Builds the package once for all tests that start the program as it is published. */
export default function buildPackage(): void {
  const starter = fileURLToPath(new URL('../dev.mjs', import.meta.url));
  const { status } = spawnSync(process.execPath, [starter, 'build'], { stdio: 'inherit' });
  if (status !== 0) throw new Error('the package could not be built: see above');
}
