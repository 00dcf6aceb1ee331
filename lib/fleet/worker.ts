import { mkdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { systemClock } from '../http/clock/clock.js';
import { errorCode } from '../usage/error-code.js';
import { UsageProblem } from '../usage/usage-problem.js';
import { readFleetPlan, type FleetPlan } from './fleet-plan.js';
import { LedgerWriter } from './ledger-file.js';
import { runPart } from './part.js';

/**
 * One worker of a fleet as it is started on its machine. The build makes one file of it and of all that it needs: an engine
 * that starts workers has nothing to install.
 */

type Variables = Readonly<Record<string, string | undefined>>;

export interface WorkerOptions {
  readonly planFile: string;
  /** From 0; by default what the engine says, or the first that nobody has claimed. */
  readonly worker?: number | undefined;
  /** A file, or `-` for standard output; by default `ledger-N.jsonl` in a folder `ledgers` beside the plan. */
  readonly ledger?: string | undefined;
  readonly environment: Variables;
  readonly signal: AbortSignal;
}

/** Sends one worker's part, and gives its ledger's file. @throws UsageProblem */
export async function runWorker(options: WorkerOptions): Promise<string> {
  const { planFile, environment, signal } = options;
  const plan = readFleetPlan(readFileSync(planFile, 'utf8'), basename(planFile));
  const apiKey = environment[plan.target.keyVariable]?.trim() ?? '';
  if (apiKey === '') throw new UsageProblem(`the key is missing: set ${plan.target.keyVariable}`);
  const folder = join(dirname(planFile), 'ledgers');
  const worker = options.worker ?? workerIn(environment) ?? claimed(plan, folder);
  if (!(Number.isInteger(worker) && worker >= 0 && worker < plan.workers))
    throw new UsageProblem(`the plan has the workers 0 to ${plan.workers - 1}; got ${worker}`);
  const ledger = options.ledger ?? environment['PETSTORE_LEDGER'] ?? join(folder, `ledger-${worker}.jsonl`);
  if (options.ledger === undefined && ledger !== '-') mkdirSync(folder, { recursive: true });
  const writer = openLedger(ledger);
  await runPart({ plan, worker, apiKey, ledger: writer, clock: systemClock, signal, environment });
  return ledger;
}

function openLedger(path: string): LedgerWriter {
  try {
    return new LedgerWriter(path);
  } catch (error) {
    const why = errorCode(error) === 'EEXIST' ? 'it is there already' : String(error);
    throw new UsageProblem(`the ledger ${path} can't be written: ${why}`, { cause: error });
  }
}

/** The index that Kubernetes gives to each pod of an Indexed Job, or that a matrix or a person gives. */
function workerIn(environment: Variables): number | undefined {
  const text = environment['PETSTORE_WORKER'] ?? environment['JOB_COMPLETION_INDEX'];
  return text === undefined || text === '' ? undefined : Number(text);
}

/** The first index that no other worker on this file system has taken: making a folder succeeds for one alone. */
function claimed({ workers, digest }: FleetPlan, folder: string): number {
  const claims = join(folder, `claims-${digest.slice(0, 12)}`);
  mkdirSync(claims, { recursive: true });
  for (let worker = 0; worker < workers; worker += 1) {
    try {
      mkdirSync(join(claims, String(worker)));
      return worker;
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
  }
  throw new UsageProblem(`all ${workers} workers of the plan were started already: make a new plan`);
}
