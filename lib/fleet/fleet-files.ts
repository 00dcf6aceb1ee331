import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readFleetPlan, fleetPlanText, type FleetPlan } from './fleet-plan.js';
import { InvalidLedger, readLedger, type WorkerLedger } from './ledger-file.js';
import { ledgerProblems } from './ledger-problems.js';

/** A plan, and the ledgers of all of its workers. */
export interface Fleet {
  readonly plan: FleetPlan;
  readonly ledgers: readonly WorkerLedger[];
}

/** The ledgers can't be merged, for these reasons. */
export class LedgersRefused extends Error {
  override readonly name = 'LedgersRefused';
  constructor(readonly reasons: readonly string[]) {
    super(reasons.join('; '));
  }
}

/**
 * Reads what a fleet left.
 * @throws UsageProblem if the plan is none, or was changed; LedgersRefused if a ledger is not whole, or does not fit the plan
 */
export function readFleet(planFile: string, ledgerFiles: readonly string[]): Fleet {
  const plan = readFleetPlan(readFileSync(planFile, 'utf8'), planFile);
  const ledgers: WorkerLedger[] = [];
  const unreadable: string[] = [];
  for (const file of ledgerFiles) {
    try {
      ledgers.push(readLedger(readFileSync(file, 'utf8'), file));
    } catch (error) {
      if (!(error instanceof InvalidLedger)) throw error;
      unreadable.push(error.message);
    }
  }
  const reasons = unreadable.length > 0 ? unreadable : ledgerProblems(plan, ledgers);
  if (reasons.length > 0) throw new LedgersRefused(reasons);
  return { plan, ledgers };
}

const planFile = 'fleet-plan.json';
const ledgerFile = /^fleet-ledger-\d+\.jsonl$/;

/** Keeps them with the run, so that it can be merged again. Throws as the file system does. */
export function keepFleet(directory: string, { plan, ledgers }: Fleet): void {
  writeFileSync(join(directory, planFile), fleetPlanText(plan));
  for (const { begin, text } of ledgers)
    writeFileSync(join(directory, `fleet-ledger-${begin.worker}.jsonl`), text);
}

/** What was kept with a run. Throws as `readFleet` does, and as the file system does. */
export function keptFleet(directory: string): Fleet {
  const ledgers = readdirSync(directory).filter((name) => ledgerFile.test(name));
  return readFleet(
    join(directory, planFile),
    ledgers.map((name) => join(directory, name)),
  );
}
