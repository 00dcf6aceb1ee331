import { resolve } from 'node:path';
import { freeRunFolder } from '../lib/evidence/record/run-files.js';

/**
 * The folder of a run: the one that was given, or a new one named by the time and the target,
 * `reports/runs/2026-11-21T08-30-05-staging`.
 * @throws OutputProblem if it can't be made.
 */
export function runFolder(given: string | undefined, name: string): string {
  if (given !== undefined) return resolve(given);
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  // The name of a target is the user's, and may hold what a path gives a meaning to.
  return freeRunFolder(resolve('reports', 'runs', `${time}-${name.replaceAll(/[^\p{L}\p{N}_-]+/gu, '-')}`));
}
