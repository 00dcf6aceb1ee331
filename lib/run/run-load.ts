import { randomInt } from 'node:crypto';
import { Exchange } from '../evidence/exchange.js';
import type { LoadMeasurement } from '../evidence/record/measurements.js';
import type { RunRecord } from '../evidence/record/record.js';
import type { Clock } from '../http/clock/clock.js';
import { createPet, getPet, listPets, type PlannedRequest } from '../http/exchange/planned-request.js';
import { countsAgree, recordedEntry } from '../load/ledger.js';
import { ledgerFile, ledgerLine } from '../load/ledger-file.js';
import type { LoadCounter } from '../load/load-counter.js';
import { mixOf, operationAt } from '../load/load-mix.js';
import { paced, type PacedEntry } from '../load/paced.js';
import { Pause } from '../load/pause.js';
import { ownRequests, placeInLoad, shareName } from '../load/schedule.js';
import { thresholdNames } from '../load/thresholds.js';
import { warmUp } from '../load/warm-up.js';
import type { LoadPlan, LoadValues } from '../options/load-options.js';
import type { Request } from '../options/run-request.js';
import type { Target } from '../options/target.js';
import { catalogue } from '../specification/catalogue.js';
import { writeJson } from '../specification/json-value.js';
import { notTestedResult } from '../verdict/judgement.js';
import { redacted } from './record-redaction.js';
import { factsOfRun } from './run-facts.js';
import { withSession, type Session } from './session.js';
import type { Listener } from './settings.js';

/** What a load is asked to do. */
interface LoadOptions extends Pick<Request<LoadValues>, 'values' | 'command' | 'environment'> {
  readonly target: Target;
  readonly plan: LoadPlan;
  /** The folder of the run's files. */
  readonly directory: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Counts what comes back, for whoever shows how far the load is. */
  readonly counter: LoadCounter;
  /** Hears of what the load waits for. */
  readonly listener: Listener;
}

/** Milliseconds between the end of the preparation and the first request: connections are opened meanwhile. */
const beginsInMs = 250;
/** Exchanges kept as evidence, and failures beyond them; the ledger has all. */
const mostRecorded = 2_000;
const mostFailures = 4_000;

/**
 * Sends a steady load to a target and writes its record, in the format of every run. It judges no requirement.
 * @throws OutputProblem if the files can't be written, before anything is sent; RecordLost if they can no longer be
 * written when the load ends.
 */
export async function runLoad(options: LoadOptions): Promise<RunRecord> {
  const { signal, values, listener } = options;
  const { seed = randomInt(2 ** 31), overwrite } = values;
  const asked = { only: [], except: [], strict: false, seed, overwrite } as const;
  const settings = { ...options, ...asked, profile: 'standard', limits: 'none' } as const;
  return withSession(settings, { signal, listener, selected: new Set() }, async (session) => {
    const sent = await sendLoad(session, options).catch((error: unknown) => ({
      load: undefined,
      stopped: error instanceof Error ? error.message : String(error),
    }));
    const facts = factsOfRun(session, signal.aborted ? undefined : sent.stopped);
    return redacted<RunRecord>(
      {
        ...facts,
        // Nothing is judged: there is no failure, and no class.
        verdict: facts.run.complete ? 'partial' : 'incomplete',
        classes: [],
        causes: [],
        requirements: catalogue.map(({ id }) => notTestedResult(id, 'a load judges no requirement')),
        load: sent.load,
      },
      session.redact,
    );
  });
}

/**
 * Sends the load, or a share of it, and counts what comes back. After a 429 it pauses as long as that asks.
 * @throws Error if the load was to begin before everything was prepared, or two counts of it differ
 */
async function sendLoad(
  session: Session,
  { plan, values, clock, signal, directory, counter, listener }: LoadOptions,
): Promise<{ readonly load: LoadMeasurement; readonly stopped: string | undefined }> {
  const { client, destination, store } = session;
  const { ratePerSecond, durationMs, requests } = plan;
  const share = plan.share ?? { number: 1, of: 1 };
  const volley = plan.share ? shareName(plan.share) : 'load';
  const { mix, requestOf } = await requestsOf(session, volley);
  await session.transport.makeRoom();
  await warmUp(destination, clock, requestOf(0));
  const startedAt = plan.begin ?? Math.ceil(clock.now()) + beginsInMs;
  const lateMs = Math.round(clock.now() - startedAt);
  if (lateMs > 0)
    throw new Error(
      `the load was prepared ${lateMs} ms after --begin: start it earlier, or let it begin later`,
    );
  // Connections are opened right before they are used: idle ones would be closed.
  listener.activity?.({ text: 'prepared; the load begins', until: startedAt });
  await clock.sleep(Math.max(0, startedAt - beginsInMs - clock.now()), signal);
  const plannedAt = (index: number): number =>
    startedAt + (placeInLoad(index, share) * 1_000) / ratePerSecond;
  const planned = ownRequests(requests, share);
  const append = ledgerFile(directory);
  const count = (entry: Partial<PacedEntry>): void => {
    const line = ledgerLine(volley, entry);
    counter.add(line);
    append(line);
  };
  const pause = new Pause();
  let recorded = 0;
  const { endedAt, counts } = await paced({
    target: destination,
    clock,
    signal,
    plannedAt,
    count: planned,
    connections: values.connections ?? 50,
    request(index) {
      if (pause.until > clock.now()) counter.withheld += 1;
      // No connection was free for it in time.
      else if (clock.now() - plannedAt(index) > destination.deadlineMs)
        count({ plannedAt: plannedAt(index) });
      else return requestOf(placeInLoad(index, share));
      return null;
    },
    settled(one) {
      const { entry, plannedAt } = one;
      pause.see(entry);
      const isPaused = pause.until > clock.now();
      listener.activity?.(isPaused ? { text: 'waiting as the target asks', until: pause.until } : null);
      count(one);
      const exchange = recordedEntry(entry, destination, Math.max(0, entry.sentAt - plannedAt));
      const isFailure = entry.status === null || entry.status >= 400;
      if (recorded < (isFailure ? mostFailures : mostRecorded)) {
        recorded += 1;
        client.log.record(exchange);
        return;
      }
      client.log.countUnrecorded(exchange.operation ?? 'listPets', 1);
      // What it creates is left behind all the same.
      if (exchange.operation === 'createPet') store.pets.see(new Exchange({ id: '', ...exchange }));
    },
  });
  if (!countsAgree(counts))
    throw new Error('autocannon and the ledger do not count the same: nothing is said of the load');
  const thresholds = thresholdNames.flatMap((name) => values[name] ?? []);
  const load = counter.result({
    ratePerSecond: ratePerSecond / share.of,
    mix,
    planned,
    // The bounds are those of the whole load.
    thresholds: plan.share ? [] : thresholds,
    durationMs: Math.round(endedAt - startedAt),
  });
  const bounds = Object.fromEntries(thresholds.map(({ name, text }) => [name, text]));
  const whole = { begin: new Date(startedAt).toISOString(), ratePerSecond, durationMs, requests, bounds };
  const isLost = counter.isLost ? 'the target was lost: at the end no connection could be made' : undefined;
  return {
    load: { ...load, counts, ...(plan.share && { share: { ...share, ...whole } }) },
    stopped: load.sent > 0 && load.good === 0 ? 'no request of the load succeeded' : isLost,
  };
}

/** The requests of a load by their places in the whole of it. */
async function requestsOf({ store, settings, credentials }: Session, phase: string) {
  const accepted = settings.target.readOnly ? undefined : await store.accepted();
  const animal = await store.animal().catch(() => undefined);
  const mix = mixOf({ create: accepted !== undefined, get: animal !== undefined });
  const { valid: credential } = credentials();
  const common = { purpose: 'load', phase, credential } as const;
  const requestOf = (place: number): PlannedRequest => {
    const operation = operationAt(mix, place);
    if (operation === 'getPet' && animal) return { ...getPet(animal.id), ...common };
    if (operation !== 'createPet') return { ...listPets([['limit', 20]]), ...common };
    // With the same seed, the shares would give their animals the same names.
    const body = writeJson({ name: store.name(phase), categoryId: accepted?.categoryId ?? 1n });
    return { ...createPet(body), ...common };
  };
  return { mix, requestOf };
}
