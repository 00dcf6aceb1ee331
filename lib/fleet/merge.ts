import type { Exchange } from '../http/exchange/exchange.js';
import { roundedDuration, timestamp } from '../http/clock/clock.js';
import { credentialsFor, keyVariable } from '../http/exchange/credential.js';
import type { Evidence } from '../http/exchange/evidence.js';
import { createPet, getPet, listPets, type PlannedRequest } from '../http/exchange/planned-request.js';
import { parseRateHeaders } from '../http/headers/rate-headers.js';
import type { LedgerEntry } from '../load/ledger.js';
import { limitEvidence } from '../limits/limit-evidence.js';
import { judgedBy } from '../limits/limits-of-run.js';
import { judgeVantagePoints } from '../limits/rows/vantage-points.js';
import type { LoadMeasurement, RequirementResult, RunRecord } from '../record/record.js';
import { standInKey } from '../replay/stand-in-key.js';
import type { Settings } from '../run/settings.js';
import { LoadCounter } from '../sustained/load-counter.js';
import { thresholdNames, thresholdOf } from '../sustained/thresholds.js';
import { recordedCauses } from '../verdict/causes.js';
import {
  asTraffic,
  judgeTraffic,
  ofHistory,
  settingsOfTraffic,
  trafficPhase,
} from '../traffic/judge-traffic.js';
import type { Fleet } from './fleet-files.js';
import type { FleetPlan } from './fleet-plan.js';
import type { LedgerRequest, WorkerLedger } from './ledger-file.js';
import { differencesAt, type Difference } from './target-clock.js';

/** A request of the fleet, on the clock of the target. */
interface Observed {
  readonly line: LedgerRequest;
  readonly worker: number;
  /** The target's clock minus the worker's when it was sent, and when its response came. */
  readonly whenSent: Difference;
  readonly whenReceived: Difference;
}

const { valid } = credentialsFor('a-key-that-is-in-no-ledger');
const common = { purpose: 'load', credential: valid, input: 'specified' } as const;
const requestOf: Record<LedgerRequest['operation'], PlannedRequest> = {
  listPets: { ...listPets(), ...common },
  createPet: { ...createPet(undefined), ...common },
  getPet: { ...getPet(0), ...common },
};

export interface MergeJob extends Fleet {
  readonly evidence: Evidence;
  readonly command: string;
  readonly environment: Settings['environment'];
}

/**
 * One record of all ledgers: what one machine would have measured. Counts are sums, latencies are those from the planned
 * moments, and the limits are judged on all observations as one history, on the target's clock.
 */
export async function mergeLedgers({
  plan,
  ledgers,
  evidence,
  command,
  environment,
}: MergeJob): Promise<RunRecord> {
  const observed = ledgers.flatMap(observedIn).toSorted((one, other) => sentAt(one) - sentAt(other));
  const exchanges = observed.map(exchangeOf(plan));
  const settings = settingsOf(plan, { exchanges, command, environment });
  const together = plan.target.planGiven && plan.workers > 1 ? judgeTogether(plan, exchanges) : undefined;
  const isApart = together?.verdict === 'fail';
  const record = await judgeTraffic({
    exchanges,
    settings,
    evidence,
    source: { file: 'plan.json', sha256: plan.digest, tool: `a fleet of ${plan.workers}`, leftOut: {} },
    only: plan.target.planGiven && !isApart ? ofHistory : new Set(),
    otherwise: isApart
      ? 'the workers were counted apart (see LIMIT-15)'
      : 'a load judges no other requirement',
  });
  const { traffic: _, ...run } = record.run;
  const whole = counted(plan, ledgers, observed);
  const requirements = record.requirements.map((row) =>
    together !== undefined && row.id === together.id ? asTraffic(together) : row,
  );
  const failed = requirements.some(({ verdict }) => verdict === 'fail');
  const [measured] = record.plans ?? [];
  const { name, perMinute, perDay } = plan.target.plan;
  const ownMeasurement = { plan: name, perMinute, perDay, requirements: [], phases: [] };
  return {
    ...record,
    requirements,
    causes: recordedCauses(requirements),
    run: {
      ...run,
      seed: plan.seed,
      ...(whole.load.good === 0 && { complete: false, stopped: 'no request of the load succeeded' }),
    },
    verdict: failed ? 'non-conformant' : whole.load.good === 0 ? 'incomplete' : 'partial',
    classes: [],
    notes: [
      `${plan.workers} workers sent the load, each from its own clock; times are those of the target's clock.`,
    ],
    leftovers: observed.flatMap(({ line }) => line.created ?? []),
    plans: [{ ...(measured ?? ownMeasurement), phases: [whole.phase] }],
    load: {
      ...whole.load,
      workers: ledgers
        .map((ledger) => workerOf(plan, ledger, observed))
        .toSorted((a, b) => a.worker - b.worker),
    },
  };
}

/** Each worker is a vantage point: whether the key has one limit for all of them together (LIMIT-15). */
function judgeTogether(
  { workers, target }: FleetPlan,
  exchanges: readonly Omit<Exchange, 'id'>[],
): RequirementResult {
  const vantagePoints = Array.from({ length: workers }, (_, worker) => workerName(worker));
  const facts = { plan: target.plan, caller: keyVariable, readOnly: target.readOnly, vantagePoints };
  const own = exchanges.map((one, index) => ({ id: `e${index + 1}`, ...one, phase: 'vantage points' }));
  const { findings, ...result } = judgedBy(judgeVantagePoints, 'LIMIT-15', limitEvidence(own, facts));
  // No loop in a shell sends from several machines.
  return {
    ...result,
    findings: findings.map(({ message, expected, received, exchanges, fact }) => ({
      message,
      ...(expected !== undefined && { expected }),
      ...(received !== undefined && { received }),
      exchanges,
      ...(fact && { fact }),
    })),
  };
}

const workerName = (worker: number): string => `worker ${worker}`;

function observedIn({ begin, requests }: WorkerLedger): Observed[] {
  const readings = requests.flatMap(({ headers, sent, head, status }) => {
    const { date } = parseRateHeaders(headers);
    return date !== undefined && status !== null ? [{ date, sentAt: sent, receivedAt: head }] : [];
  });
  const lines = requests.toSorted((one, other) => one.sent - other.sent);
  const whenSent = differencesAt(
    lines.map(({ sent }) => sent),
    readings,
  );
  const received = lines.toSorted((one, other) => one.head - other.head);
  const atHead = differencesAt(
    received.map(({ head }) => head),
    readings,
  );
  const whenReceived = new Map(received.map((line, index) => [line, atHead[index]]));
  return lines.map((line, index) => ({
    line,
    worker: begin.worker,
    whenSent: whenSent[index] ?? [0, 0],
    whenReceived: whenReceived.get(line) ?? [0, 0],
  }));
}

const middle = ([least, most]: Difference): number => (least + most) / 2;

function sentAt({ line, whenSent }: Observed): number {
  return line.sent + middle(whenSent);
}

/** As the judge of the limits sees it: the interval in which the target took the request holds what the clocks leave open. */
function exchangeOf({ target }: FleetPlan) {
  return ({ line, worker, whenSent, whenReceived }: Observed): Omit<Exchange, 'id'> => {
    const { operation, status, headers, failure, connection } = line;
    const from = line.sent + whenSent[0];
    const firstByte = roundedDuration(Math.max(0, line.head + whenReceived[1] - from));
    const { method, path } = requestOf[operation];
    return {
      purpose: 'load',
      operation,
      credential: 'valid',
      caller: keyVariable,
      phase: trafficPhase,
      input: 'specified',
      sentAt: timestamp(from),
      request: {
        method,
        url: target.baseUrl + path,
        headers: [['Authorization', `Bearer $${keyVariable}`]],
        localAddress: workerName(worker),
      },
      ...(status === null
        ? {}
        : { response: { status, headers: [...headers], body: { bytes: 0, truncated: true } } }),
      ...(failure && { failure }),
      timing: { wait: 0, ...(status !== null && { firstByte }), total: firstByte },
      connection: `w${worker}${connection ?? ''}`,
    };
  };
}

function entryOf({ line, whenSent }: Observed): LedgerEntry {
  const difference = middle(whenSent);
  return {
    request: requestOf[line.operation],
    sentAt: line.sent + difference,
    at: line.head + difference,
    status: line.status,
    headers: line.headers,
    body: new Uint8Array(),
    connection: line.connection,
    failure: line.failure,
  };
}

function counted({ load }: FleetPlan, ledgers: readonly WorkerLedger[], observed: readonly Observed[]) {
  const own = observed.filter(({ line }) => line.number >= 0);
  const startedAt = ledgers[0]?.start.at ?? 0;
  const counter = new LoadCounter({
    ...load,
    planned: load.count + load.volley,
    thresholds: thresholdNames.flatMap((name) => {
      const given = load.thresholds.find((one) => one.name === name);
      return (given && thresholdOf(name, given.text)) ?? [];
    }),
    keep: () => undefined,
  });
  counter.pausedUntil(startedAt);
  for (const one of own) {
    // Both moments are by the worker's clock: their distance is the same by any.
    const latencyMs = one.line.head - one.line.planned;
    const plannedAt = one.line.planned + middle(one.whenSent);
    counter.add({ entry: entryOf(one), plannedAt, latencyMs });
  }
  const endedAt = Math.max(startedAt, ...own.map((one) => one.line.head + middle(one.whenReceived)));
  const withheld = ledgers.reduce((sum, { end }) => sum + end.withheld, 0);
  return counter.result({ startedAt, endedAt, withheld });
}

function workerOf(
  plan: FleetPlan,
  ledger: WorkerLedger,
  observed: readonly Observed[],
): NonNullable<LoadMeasurement['workers']>[number] {
  const { worker } = ledger.begin;
  const own = observed.filter((one) => one.worker === worker);
  const { load } = counted(plan, [ledger], own);
  const [least, most] = own.at(-1)?.whenSent ?? [0, 0];
  const { sent, good, refused, errors, withheld, goodputPerSecond, latency } = load;
  return {
    worker,
    sent,
    good,
    refused,
    errors,
    withheld,
    goodputPerSecond,
    ...(latency && { latency }),
    clockDifferenceMs: [Math.round(least), Math.round(most)],
  };
}

function settingsOf(
  { target, seed }: FleetPlan,
  {
    exchanges,
    command,
    environment,
  }: Pick<MergeJob, 'command' | 'environment'> & { readonly exchanges: readonly Omit<Exchange, 'id'>[] },
): Settings {
  return settingsOfTraffic(exchanges, {
    target: {
      ...target,
      apiKey: standInKey([]),
      categoryId: undefined,
      consistencyMs: 2_000,
      deadlineMs: target.timeoutMs,
    },
    seed,
    command,
    environment,
  });
}
