import type { LoadMeasurement } from '../../lib/evidence/record/load-measurement.js';
import { UsageProblem } from '../../lib/explain/usage-problem.js';
import type { FinishedRun } from '../finished-run.js';
import { isLoad } from '../summary/load-summary.js';
import { differentLoads } from './compare-loads.js';

/** @throws UsageProblem for a load beside a run of the suite, loads of another rate or mix, and a tolerance without loads. */
export function refuseIncomparable(
  before: FinishedRun,
  after: FinishedRun,
  tolerance: number | undefined,
): void {
  const [load, other] = isLoad(before.record) ? [before, after] : [after, before];
  if (!isLoad(load.record)) {
    if (tolerance !== undefined) throw new UsageProblem('--tolerance is for two loads');
    return;
  }
  if (!isLoad(other.record))
    throw new UsageProblem(
      `${load.directory} holds a load, ${other.directory} does not: compare two of one kind`,
    );
  const differing = differentLoads(measuredIn(before), measuredIn(after));
  if (differing.length > 0)
    throw new UsageProblem(
      `the loads differ in ${differing.join(' and ')}: compare loads of one rate and mix`,
    );
}

function measuredIn({ record, directory }: FinishedRun): LoadMeasurement {
  if (!record.load) throw new UsageProblem(`${directory} holds a load that measured nothing`);
  return record.load;
}
