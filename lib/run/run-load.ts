import { randomInt } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { Clock } from '../http/clock/clock.js';
import { credentialsFor } from '../http/exchange/credential.js';
import { createPet, getPet, listPets, type PlannedRequest } from '../http/exchange/planned-request.js';
import { countsAgree, type LedgerEntry, recordedEntry } from '../load/ledger.js';
import { paced } from '../load/paced.js';
import { Pause } from '../load/pause.js';
import { momentIn } from '../load/stages.js';
import { warmUp } from '../load/warm-up.js';
import type { RunRecord } from '../evidence/record/record.js';
import type { Request } from '../options/run-request.js';
import { openRunFiles, RecordLost } from '../evidence/record/run-files.js';
import { recordOf } from './record-of.js';
import { redacted } from './record-redaction.js';
import { factsOfRun } from './run-facts.js';
import { Session } from './session.js';
import type { Settings } from './settings.js';
import { Exchange } from '../evidence/exchange.js';
import { leftoversOf } from '../evidence/leftovers.js';
import { catalogue } from '../specification/catalogue.js';
import { writeJson } from '../specification/json-value.js';
import type { Target } from '../options/target.js';
import { notTestedResult } from '../verdict/judgement.js';
import { LoadCounter, type LoadState } from '../load/load-counter.js';
import type { LoadMeasurement } from '../evidence/record/load-measurement.js';
import { ledgerFile, ledgerLine, type LedgerLine } from '../load/ledger-file.js';
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
  readonly begun: (state: () => LoadProgress) => void;
}

/** The state of a load while it runs, and what it waits for. */
export interface LoadProgress extends LoadState {
  readonly withheld: number;
  /** Milliseconds for which nothing is sent, because a 429 asked for it. */
  readonly waitingMs: number;
}

type Leftovers = RunRecord['leftovers'];

/**
 * Sends a steady load to a target and writes its record, in the format of every run. It judges no requirement.
 * @throws OutputProblem if the files can't be written, before anything is sent; RecordLost if they can no longer be
 * written when the load ends.
 */
export async function runLoad(options: RunLoadOptions): Promise<RunRecord> {
  const { signal, directory, values } = options;
  // Each wait listens for the interruption; none of them leaks.
  setMaxListeners(0, signal);
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
  const created: Leftovers = [];
  let load: LoadMeasurement | undefined;
  let stopped: string | undefined;
  try {
    const sent = await send(session, options, created);
    ({ load } = sent);
    if (load.sent > 0 && load.good === 0) stopped = 'no request of the load succeeded';
    else if (sent.isLost) stopped = 'the target was lost: at the end no connection could be made';
  } catch (error) {
    stopped = error instanceof Error ? error.message : String(error);
  } finally {
    await session.close();
  }
  if (signal.aborted) stopped = 'the load was interrupted';
  const rows = catalogue.map(({ id }) => notTestedResult(id, 'a load judges no requirement'));
  const facts = factsOfRun(settings, session, stopped);
  const base = recordOf(facts, { rows, classes: [], counted: session.counted });
  const record = withLoad(redacted(base, session.redact), load, created);
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
async function send(
  session: Session,
  options: RunLoadOptions,
  created: Leftovers,
): Promise<{ load: LoadMeasurement; isLost: boolean }> {
  const { target, plan, values, clock, directory } = options;
  const { mix, share, stages } = plan;
  const { log } = session.client;
  const accepted = (mix.createPet ?? 0) > 0 ? await session.store.accepted() : undefined;
  const animal = (mix.getPet ?? 0) > 0 ? await session.store.animal().catch(() => undefined) : undefined;
  const { number, of } = share ?? { number: 1, of: 1 };
  const sentMix = animal ? mix : { ...mix, getPet: 0 };
  const { valid: credential } = credentialsFor(target.apiKey, target.keyName);
  const phase = share ? shareName(share) : 'load';
  const common = { purpose: 'load', phase, credential, input: 'specified' } as const;
  const operationOf = operationsOf(sentMix);
  const request = (index: number): PlannedRequest => {
    const operation = operationOf(placeInLoad(index, { number, of }));
    if (operation === 'getPet' && animal) return { ...getPet(animal.id), ...common };
    if (operation !== 'createPet') return { ...listPets([['limit', 20]]), ...common };
    // With the same seed, the shares would give their animals the same names.
    const body = writeJson({ name: session.names.next(phase), categoryId: accepted?.body.categoryId ?? 1n });
    return { ...createPet(body), ...common };
  };
  const destination = session.destination;
  await warmUp(destination, clock, { request: () => ({ ...listPets(), ...common }) });
  const startedAt = plan.begin ?? Math.ceil(clock.now()) + beginsInMs;
  const lateMs = Math.round(clock.now() - startedAt);
  if (lateMs > 0)
    throw new Error(
      `the load was prepared ${lateMs} ms after --begin: start it earlier, or let it begin later`,
    );
  // Connections are opened right before they are used: idle ones would be closed.
  await clock.sleep(Math.max(0, startedAt - beginsInMs - clock.now()), options.signal);
  const thresholds = thresholdNames.flatMap((name) => values[name] ?? []);
  const planned = ownRequests(plan.requests, { number, of });
  const counter = new LoadCounter({
    stages: stages.map((stage) => ({ ...stage, ratePerSecond: stage.ratePerSecond / of })),
    mix: sentMix,
    planned,
    startedAt,
    // The bounds are those of the whole load.
    thresholds: share ? [] : thresholds,
  });
  const pause = new Pause();
  let withheld = 0;
  const waitingMs = (): number => Math.max(0, pause.until - clock.now());
  options.begun(() => ({ ...counter.state(clock.now()), withheld, waitingMs: waitingMs() }));
  const append = ledgerFile(directory);
  const isEvidence = evidenceOfLoad();
  const ending = new AbortController();
  let ended: string | undefined;
  const signal = AbortSignal.any([options.signal, ending.signal]);
  setMaxListeners(0, signal);
  /** Gives the id of its exchange, if that is kept. */
  const keep = (entry: LedgerEntry, plannedAt: number): string | undefined => {
    pause.see(entry);
    const exchange = recordedEntry(entry, destination, Math.max(0, entry.sentAt - plannedAt));
    if (exchange.operation === 'createPet')
      created.push(...leftoversOf([new Exchange({ id: '', ...exchange })], undefined));
    if (isEvidence(entry)) return log.record(exchange).id;
    log.countUnrecorded(exchange.operation ?? 'listPets', 1);
    return undefined;
  };
  const plannedAt = (index: number): number =>
    startedAt + momentIn(stages, placeInLoad(index, { number, of }));
  const count = (line: LedgerLine): void => {
    counter.add(line);
    append(line);
  };
  const result = await paced({
    target: destination,
    clock,
    signal,
    plannedAt,
    count: planned,
    connections: values.connections ?? 50,
    request(index) {
      if (waitingMs() > 0) withheld += 1;
      // No connection was free for it in time.
      else if (clock.now() - plannedAt(index) > destination.timeoutMs)
        count(ledgerLine(phase, { plannedAt: plannedAt(index) }));
      else return request(index);
      return null;
    },
    settled(one) {
      count(ledgerLine(phase, one, { exchange: keep(one.entry, one.plannedAt) }));
      const missed = values.abortOnMissed && ended === undefined ? counter.missed : undefined;
      if (!missed) return;
      ended = `${missed.name} can no longer be kept`;
      ending.abort();
    },
  });
  append({ volley: phase, autocannon: result.counts.autocannon });
  if (!countsAgree(result.counts))
    throw new Error('autocannon and the ledger do not count the same: nothing is said of the load');
  const bounds = Object.fromEntries(thresholds.map(({ name, text }) => [name, text]));
  const { ratePerSecond: whole, durationMs, requests } = plan;
  const begin = new Date(startedAt).toISOString();
  return {
    isLost: counter.isLost,
    load: {
      ...counter.result({ durationMs: Math.round(result.endedAt - startedAt), withheld }),
      counts: result.counts,
      ...(ended !== undefined && { ended }),
      ...(share && {
        share: { ...share, begin, ratePerSecond: whole, durationMs, stages: [...stages], requests, bounds },
      }),
    },
  };
}

/** Milliseconds between the end of the preparation and the first request: connections are opened meanwhile. */
const beginsInMs = 250;

/** Exchanges kept as evidence; after them only failures, 429s and a sample. */
const mostRecorded = 2_000;
const sampleEvery = 100;

/** Which requests of a load are kept as exchanges: its ledger has all of them. */
function evidenceOfLoad(): (entry: LedgerEntry) => boolean {
  let recorded = 0;
  let seen = 0;
  return ({ status }) => {
    const failed = status === null || status >= 400;
    const isEvidence = recorded < (failed ? 2 * mostRecorded : mostRecorded) || seen % sampleEvery === 0;
    seen += 1;
    if (isEvidence) recorded += 1;
    return isEvidence;
  };
}

/** The record with the load in it. Nothing was judged: there is no failure, and no class. */
function withLoad(record: RunRecord, load: LoadMeasurement | undefined, created: Leftovers): RunRecord {
  return {
    ...record,
    verdict: record.run.complete ? 'partial' : 'incomplete',
    leftovers: [...new Map([...created, ...record.leftovers].map((one) => [one.id, one])).values()],
    ...(load && { load }),
  };
}
