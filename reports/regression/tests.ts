import type { FinishedRun } from '../finished-run.js';
import { httpFileOf } from './http-file.js';
import { k6Of } from './k6.js';
import { pytestOf } from './pytest.js';
import { regressionOf } from './regression.js';
import { vitestOf } from './vitest.js';

const kinds = { vitest: vitestOf, pytest: pytestOf, http: httpFileOf, k6: k6Of } as const;

/**
 * A finding of a run as a test of a kind.
 * @param id of the requirement; by default the first that failed, or else warned
 * @throws UsageProblem if it has no finding, or can't be written so
 */
export async function testOf(
  run: FinishedRun,
  id: string | undefined,
  kind: keyof typeof kinds,
): Promise<string> {
  const found = run.record.requirements.filter(({ findings }) => findings.length > 0);
  const first = found.find(({ verdict }) => verdict === 'fail') ?? found[0];
  return kinds[kind](await regressionOf(run, id?.toUpperCase() ?? first?.id ?? 'the run'));
}
