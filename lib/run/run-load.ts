import { randomInt, randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { Clock } from '../http/clock/clock.js';
import { credentialsFor } from '../http/exchange/credential.js';
import type { Exchange } from '../http/exchange/exchange.js';
import { createPet, getPet, listPets, type PlannedRequest } from '../http/exchange/planned-request.js';
import { type LedgerEntry, recordedEntry } from '../load/ledger.js';
import { paced } from '../load/paced.js';
import type { RunRecord } from '../record/record.js';
import type { Request } from '../options/run-request.js';
import { openRunFiles, RecordLost } from '../record/run-files.js';
import { buildRecord } from './record/build-record.js';
import { Session } from './session.js';
import type { Settings } from './settings.js';
import { animalOf } from '../session/animal.js';
import { isAccepted } from '../session/creation.js';
import { catalogue } from '../specification/catalogue.js';
import { parseJson, writeJson } from '../specification/json-value.js';
import type { Target } from '../target/target.js';
import { notTestedResult } from '../verdict/judgement.js';
import { LoadCounter, type LoadResult, type LoadState } from '../load/load-counter.js';
import { operationsOf } from '../load/load-operations.js';
import type { LoadPlan, LoadValues } from '../options/load-options.js';
import { ownRequests, placeInLoad, shareName } from '../load/share.js';
import { thresholdNames } from '../load/thresholds.js';

/** What a load is asked to do. */
export interface LoadRequest extends Pick<Request<LoadValues>, 'values' | 'command' | 'environment'> {
  readonly target: Target;
  readonly plan: LoadPlan;
}

interface RunLoadOptions extends LoadRequest {
  /** The folder of the run's files. */
  readonly directory: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called once, with how the state of the load is asked for. */
  readonly begun: (state: () => LoadState) => void;
}

type Leftovers = Map<string, RunRecord['leftovers'][number]>;

/**
 * Sends a steady load to a target and writes its record, in the format of every run. It judges no requirement.
 * @throws OutputProblem if the files can't be written, before anything is sent; RecordLost if they can no longer be
 * written when the load ends.
 */
export async function runLoad(options: RunLoadOptions): Promise<RunRecord> {
  const { clock, signal, directory, values } = options;
  // Each wait listens for the interruption; none of them leaks.
  setMaxListeners(0, signal);
  const startedAt = new Date(clock.now()).toISOString();
  const settings: Settings = {
    ...options,
    profile: 'standard',
    limits: 'none',
    only: [],
    except: [],
    strict: false,
    seed: values.seed ?? randomInt(2 ** 31),
  };
  const files = openRunFiles(directory, { overwrite: values.overwrite });
  const session = new Session(settings, { evidence: files.evidence, signal });
  const created: Leftovers = new Map();
  let result: LoadResult | undefined;
  let stopped: string | undefined;
  try {
    result = await send(session, options, created);
    if (result.load.sent > 0 && result.load.good === 0) stopped = 'no request of the load succeeded';
    else if (result.lost) stopped = 'the target was lost: at the end no connection could be made';
  } catch (error) {
    stopped = error instanceof Error ? error.message : String(error);
  } finally {
    await session.close();
  }
  if (signal.aborted) stopped = 'the load was interrupted';
  const results = () => catalogue.map(({ id }) => notTestedResult(id, 'a load judges no requirement'));
  const judged = { session, results, classes: [], notes: [], obstacle: undefined };
  const base = buildRecord(judged, settings, { id: randomUUID(), startedAt, stopped });
  const record = withLoad(base, result, created);
  try {
    files.writeRecord(record);
  } catch (error) {
    throw new RecordLost(record, error);
  } finally {
    files.evidence.close();
  }
  return record;
}

/**
 * Sends the load, or a share of it, and counts what comes back. After a 429 it pauses as long as that asks.
 * @throws Error if the load was to begin before everything was prepared
 */
async function send(session: Session, options: RunLoadOptions, created: Leftovers): Promise<LoadResult> {
  const { target, plan, values, clock, signal } = options;
  const { mix, share } = plan;
  const { log } = session.client;
  const accepted = (mix.createPet ?? 0) > 0 ? await session.store.accepted() : undefined;
  const animal = (mix.getPet ?? 0) > 0 ? await session.store.animal().catch(() => undefined) : undefined;
  const startedAt = plan.begin ?? Math.ceil(clock.now());
  const lateMs = Math.round(clock.now() - startedAt);
  if (lateMs > 0)
    throw new Error(
      `the load was prepared ${lateMs} ms after --begin: start it earlier, or let it begin later`,
    );
  const destination = { ...session.destination, localAddress: undefined };
  const { number, of } = share ?? { number: 1, of: 1 };
  const ratePerSecond = plan.ratePerSecond / of;
  const count = ownRequests(plan.requests, { number, of });
  const sentMix = animal ? mix : { ...mix, getPet: 0 };
  const thresholds = thresholdNames.flatMap((name) => values[name] ?? []);
  const counter = new LoadCounter({
    ratePerSecond,
    mix: sentMix,
    planned: count,
    startedAt,
    // The bounds are those of the whole load.
    thresholds: share ? [] : thresholds,
  });
  options.begun(() => counter.state(clock.now()));
  const { valid: credential } = credentialsFor(target.apiKey, target.keyName);
  const phase = share ? shareName(share) : 'load';
  const common = { purpose: 'load', phase, credential, input: 'specified' } as const;
  const operationOf = operationsOf(sentMix);
  const names = new Map<PlannedRequest, string>();
  const request = (index: number): PlannedRequest => {
    const operation = operationOf(placeInLoad(index, { number, of }));
    if (operation === 'getPet' && animal) return { ...getPet(animal.id), ...common };
    if (operation !== 'createPet') return { ...listPets([['limit', 20]]), ...common };
    // With the same seed, the shares would give their animals the same names.
    const name = session.name(phase);
    const body = writeJson({ name, categoryId: accepted?.body.categoryId ?? 1n });
    const create = { ...createPet(body), ...common };
    names.set(create, name);
    return create;
  };
  const result = await paced({
    target: destination,
    clock,
    signal,
    ratePerSecond,
    startAt: startedAt + ((number - 1) * 1_000) / plan.ratePerSecond,
    count,
    connections: values.connections ?? 50,
    request,
    answered({ entry, plannedAt }) {
      // A timer may fire a moment early.
      const exchange = recordedEntry(entry, destination, Math.max(0, entry.sentAt - plannedAt));
      if (counter.add(exchange)) log.record(exchange);
      else if (share) log.record(withoutBody(exchange));
      else log.countUnrecorded(exchange.operation ?? 'listPets', 1);
      const name = names.get(entry.request);
      if (name !== undefined) keepCreated(entry, name, created);
      names.delete(entry.request);
    },
    heldBackUntil: () => counter.pausedUntil(clock.now()),
  });
  const { load, ...rest } = counter.result(result);
  const bounds = Object.fromEntries(thresholds.map(({ name, text }) => [name, text]));
  const { ratePerSecond: whole, durationMs, requests } = plan;
  const begin = new Date(startedAt).toISOString();
  return {
    ...rest,
    load: share
      ? { ...load, share: { ...share, begin, ratePerSecond: whole, durationMs, requests, bounds } }
      : load,
  };
}

/** The exchanges of a share are all recorded, to be merged; a sample of the bodies is enough. */
function withoutBody({ response, ...exchange }: Omit<Exchange, 'id'>): Omit<Exchange, 'id'> {
  if (!response) return exchange;
  return { ...exchange, response: { ...response, body: { bytes: response.body.bytes, truncated: true } } };
}

function keepCreated(entry: LedgerEntry, name: string, created: Leftovers): void {
  if (!isAccepted(entry.status)) return;
  const parsed = parseJson(Buffer.from(entry.body).toString('utf8'));
  const animal = parsed.ok ? animalOf(parsed.value) : undefined;
  if (animal) created.set(animal.id, { id: animal.id, name });
}

/** The record with the load in it. Nothing was judged: there is no failure, and no class. */
function withLoad(record: RunRecord, result: LoadResult | undefined, created: Leftovers): RunRecord {
  const { plan, perMinute = 0, perDay = 0 } = record.target;
  for (const animal of record.leftovers) created.set(animal.id, animal);
  return {
    ...record,
    verdict: record.run.complete ? 'partial' : 'incomplete',
    leftovers: [...created.values()],
    ...(result && {
      plans: [{ plan, perMinute, perDay, requirements: [], phases: [result.phase] }],
      load: result.load,
    }),
  };
}
