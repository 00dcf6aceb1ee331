import type { FleetPlan } from './fleet-plan.js';
import type { WorkerLedger } from './ledger-file.js';
import { arrivalsOf, isOwn } from './share.js';

/** Milliseconds by which a worker may begin late, and times may differ that two computations round. */
const latestMs = 1_000;
const rounding = 2;

/** Why ledgers can't be merged, in sentences: what one worker left out would be missing from every figure. */
export function ledgerProblems(plan: FleetPlan, ledgers: readonly WorkerLedger[]): string[] {
  const problems = ledgers.flatMap((ledger) =>
    problemsOf(plan, ledger).map((text) => `${ledger.name}: ${text}`),
  );
  if (problems.length > 0) return problems;
  const byWorker = new Map<number, string>();
  for (const { begin, name } of ledgers) {
    const other = byWorker.get(begin.worker);
    if (other !== undefined) problems.push(`${name}: worker ${begin.worker} has another ledger, ${other}`);
    byWorker.set(begin.worker, name);
  }
  const missing = Array.from({ length: plan.workers }, (_, worker) => worker).filter(
    (worker) => !byWorker.has(worker),
  );
  if (missing.length > 0)
    problems.push(
      `the ledger of worker ${missing.join(', ')} is missing: the plan has ${plan.workers} workers`,
    );
  const starts = new Set(ledgers.map(({ start }) => start.at));
  if (starts.size > 1)
    problems.push(
      `the workers started at different moments (${[...starts].map((at) => new Date(at).toISOString()).join(', ')}): make a plan that starts later`,
    );
  return problems;
}

function problemsOf(plan: FleetPlan, { begin, start, requests, end }: WorkerLedger): string[] {
  if (begin.plan !== plan.digest) return ['it is the ledger of another plan'];
  if (begin.workers !== plan.workers || begin.worker < 0 || begin.worker >= plan.workers)
    return [`it is of worker ${begin.worker} of ${begin.workers}, the plan has ${plan.workers}`];
  if (begin.version !== plan.suite.version)
    return [`it was written by version ${begin.version}, the plan by ${plan.suite.version}`];
  if (end.stopped !== undefined)
    return [`worker ${begin.worker} did not send all of its part: ${end.stopped}`];
  const problems: string[] = [];
  const arrivals = new Map(arrivalsOf(plan).map((arrival) => [arrival.number, arrival]));
  const share = [...arrivals.keys()].filter((number) => isOwn(number, begin.worker, plan));
  const numbers = requests.map(({ number }) => number);
  const twice = numbers.find((number, index) => numbers.indexOf(number) !== index);
  if (twice !== undefined) problems.push(`request ${twice} stands there twice`);
  for (const { number, planned, sent, head, operation, status, failure } of requests) {
    const arrival = arrivals.get(number);
    if (number >= 0 && (!arrival || !isOwn(number, begin.worker, plan)))
      problems.push(`request ${number} is not of worker ${begin.worker}`);
    else if (arrival && Math.abs(planned - (start.ownAt + arrival.atMs)) > rounding)
      problems.push(`request ${number} was planned for another moment`);
    else if (arrival && operation !== arrival.operation && arrival.operation !== 'getPet')
      problems.push(`request ${number} is a ${operation}, the plan has ${arrival.operation}`);
    if (sent < planned - rounding || head < sent)
      problems.push(`request ${number} has times that contradict each other`);
    if (status === null && failure === undefined)
      problems.push(`request ${number} has neither a response nor a failure`);
  }
  const own = requests.filter(({ number }) => number >= 0);
  if (own.length + end.withheld + end.unsent !== share.length)
    problems.push(`it accounts for ${own.length + end.withheld + end.unsent} of ${share.length} requests`);
  const first = Math.min(...own.map(({ sent, planned }) => sent - planned));
  if (own.length > 0 && first > latestMs)
    problems.push(`worker ${begin.worker} started ${(first / 1_000).toFixed(1)} s late`);
  return problems.slice(0, 3);
}
