import { setMaxListeners } from 'node:events';
import { Exchange } from '../evidence/exchange.js';
import { leftoversOf } from '../evidence/leftovers.js';
import type { LoadMeasurement } from '../evidence/record/load-measurement.js';
import type { RunRecord } from '../evidence/record/record.js';
import type { Clock } from '../http/clock/clock.js';
import { credentialsFor } from '../http/exchange/credential.js';
import { createPet, getPet, listPets, type PlannedRequest } from '../http/exchange/planned-request.js';
import { countsAgree, type LedgerEntry, recordedEntry } from '../load/ledger.js';
import { ledgerFile, ledgerLine, type LedgerLine } from '../load/ledger-file.js';
import { LoadCounter, type LoadState } from '../load/load-counter.js';
import { operationsOf, type Mix } from '../load/load-operations.js';
import { paced } from '../load/paced.js';
import { Pause } from '../load/pause.js';
import { ownRequests, placeInLoad, shareName } from '../load/share.js';
import { momentIn } from '../load/stages.js';
import { thresholdNames } from '../load/thresholds.js';
import { warmUp } from '../load/warm-up.js';
import type { LoadPlan, LoadValues } from '../options/load-options.js';
import type { Request } from '../options/run-request.js';
import type { Target } from '../options/target.js';
import { writeJson } from '../specification/json-value.js';
import type { Session } from './session.js';

/** What a load is asked to do. */
export interface LoadRequest extends Pick<Request<LoadValues>, 'values' | 'command' | 'environment'> {
  readonly target: Target;
  readonly plan: LoadPlan;
}

export interface SendLoadOptions extends LoadRequest {
  /** The folder of the run's files. */
  readonly directory: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called once, with how the state of the load is asked for. */
  readonly begun: (state: () => LoadProgress) => void;
  /** Animals that the load has created are added. */
  readonly created: RunRecord['leftovers'];
}

/** The state of a load while it runs, and what it waits for. */
export interface LoadProgress extends LoadState {
  readonly withheld: number;
  /** Milliseconds for which nothing is sent, because a 429 asked for it. */
  readonly waitingMs: number;
}

/** Milliseconds between the end of the preparation and the first request: connections are opened meanwhile. */
const beginsInMs = 250;
/** Milliseconds between two looks at whether the bounds can still be kept. */
const looksEveryMs = 100;
/** Exchanges kept as evidence; after them only failures, 429s and a sample. */
const mostRecorded = 2_000;
const sampleEvery = 100;

/**
 * Sends the load, or a share of it, and counts what comes back. After a 429 it pauses as long as that asks.
 * @throws Error if the load was to begin before everything was prepared
 */
export async function sendLoad(
  session: Session,
  options: SendLoadOptions,
): Promise<{ load: LoadMeasurement; isLost: boolean }> {
  const { plan, values, clock, created } = options;
  const { share, stages } = plan;
  const { client, destination } = session;
  const { number, of } = share ?? { number: 1, of: 1 };
  const volley = share ? shareName(share) : 'load';
  const { mix, requestOf, anyRequest } = await requestsOf(session, options, volley);
  await warmUp(destination, clock, { request: () => anyRequest });
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
    mix,
    planned,
    startedAt,
    // The bounds are those of the whole load.
    thresholds: share ? [] : thresholds,
  });
  const append = ledgerFile(options.directory);
  const pause = new Pause();
  let withheld = 0;
  const waitingMs = (): number => Math.max(0, pause.until - clock.now());
  options.begun(() => ({ ...counter.state(clock.now()), withheld, waitingMs: waitingMs() }));
  const ending = new AbortController();
  let ended: string | undefined;
  let lookedAt = 0;
  const signal = AbortSignal.any([options.signal, ending.signal]);
  setMaxListeners(0, signal);

  const plannedAt = (index: number): number =>
    startedAt + momentIn(stages, placeInLoad(index, { number, of }));
  const count = (line: LedgerLine): void => {
    counter.add(line);
    append(line);
    if (!values.abortOnMissed || clock.now() < lookedAt + looksEveryMs) return;
    lookedAt = clock.now();
    const { missed } = counter;
    if (missed) ended ??= `${missed.name} can no longer be kept`;
    if (missed) ending.abort();
  };
  const isEvidence = evidenceOfLoad();
  /** Gives the id of its exchange, if that is kept. */
  const keep = (entry: LedgerEntry, waitMs: number): string | undefined => {
    pause.see(entry);
    const exchange = recordedEntry(entry, destination, Math.max(0, waitMs));
    if (exchange.operation === 'createPet')
      created.push(...leftoversOf([new Exchange({ id: '', ...exchange })], undefined));
    if (isEvidence(entry)) return client.log.record(exchange).id;
    client.log.countUnrecorded(exchange.operation ?? 'listPets', 1);
    return undefined;
  };
  const { endedAt, counts } = await paced({
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
        count(ledgerLine(volley, { plannedAt: plannedAt(index) }));
      else return requestOf(placeInLoad(index, { number, of }));
      return null;
    },
    settled(one) {
      const exchange = keep(one.entry, one.entry.sentAt - one.plannedAt);
      count(ledgerLine(volley, one, { exchange }));
    },
  });
  append({ volley, autocannon: counts.autocannon });
  if (!countsAgree(counts))
    throw new Error('autocannon and the ledger do not count the same: nothing is said of the load');
  const bounds = Object.fromEntries(thresholds.map(({ name, text }) => [name, text]));
  const { ratePerSecond, durationMs, requests } = plan;
  const begin = new Date(startedAt).toISOString();
  const whole = { begin, ratePerSecond, durationMs, stages: [...stages], requests, bounds };
  const load = counter.result({ durationMs: Math.round(endedAt - startedAt), withheld });
  return {
    isLost: counter.isLost,
    load: {
      ...load,
      counts,
      ...(ended !== undefined && { ended }),
      ...(share && { share: { ...share, ...whole } }),
    },
  };
}

/** The requests of a load by their numbers in the whole of it; without an animal, none fetches one. */
async function requestsOf(session: Session, { target, plan }: LoadRequest, phase: string) {
  const wanted = plan.mix;
  const accepted = (wanted.createPet ?? 0) > 0 ? await session.store.accepted() : undefined;
  const animal = (wanted.getPet ?? 0) > 0 ? await session.store.animal().catch(() => undefined) : undefined;
  const mix: Mix = animal ? wanted : { ...wanted, getPet: 0 };
  const { valid: credential } = credentialsFor(target.apiKey, target.keyName);
  const common = { purpose: 'load', phase, credential, input: 'specified' } as const;
  const operationOf = operationsOf(mix);
  const anyRequest: PlannedRequest = { ...listPets([['limit', 20]]), ...common };
  const requestOf = (place: number): PlannedRequest => {
    const operation = operationOf(place);
    if (operation === 'getPet' && animal) return { ...getPet(animal.id), ...common };
    if (operation !== 'createPet') return anyRequest;
    // With the same seed, the shares would give their animals the same names.
    const body = writeJson({ name: session.names.next(phase), categoryId: accepted?.body.categoryId ?? 1n });
    return { ...createPet(body), ...common };
  };
  return { mix, requestOf, anyRequest };
}

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
