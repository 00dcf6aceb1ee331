import { randomInt } from 'node:crypto';
import type { LoadMeasurement } from '../evidence/record/measurements.js';
import type { RunRecord } from '../evidence/record/record.js';
import type { Clock } from '../http/clock/clock.js';
import { createPet, getPet, listPets, type PlannedRequest } from '../http/exchange/planned-request.js';
import { recordExchange } from '../http/exchange/record-exchange.js';
import { fire, warmUp } from '../load/fire.js';
import { ledgerFile, ledgerLine, type LedgerLine } from '../load/ledger.js';
import { Pause } from '../load/pause.js';
import { thresholdNames, type LoadCounter } from '../load/load-counter.js';
import type { LoadPlan, LoadValues } from '../options/load-options.js';
import type { Request } from '../options/request.js';
import type { Target } from '../options/target.js';
import { catalogue } from '../specification/catalogue.js';
import { writeJson } from '../specification/json-value.js';
import { notTestedResult } from '../verdict/judgement.js';
import { ifPossible, Inconclusive, outcomeOf } from '../verdict/outcome.js';
import { redacted } from './record-redaction.js';
import { factsOfRun, withSession, type Session } from './session.js';
import type { Listener } from './settings.js';

/** Milliseconds between the end of the preparation and the first request: connections are opened meanwhile. */
const beginsInMs = 250;
/** Exchanges kept as evidence, and failures beyond them; the ledger has all. */
const mostRecorded = 2_000;
const mostFailures = 4_000;

/** What a load is asked to do. */
interface LoadOptions extends Pick<Request<LoadValues>, 'values' | 'command'> {
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

/** What came of a load; `stopped` says why it did not get to its end. */
interface Sent {
  readonly load?: LoadMeasurement;
  readonly stopped: string | undefined;
}

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
    const { load, stopped } = await sendLoad(session, options).catch((error: unknown): Sent => ({
      stopped: outcomeOf(error).reason,
    }));
    const facts = factsOfRun(session, signal.aborted ? undefined : stopped);
    return redacted<RunRecord>(
      {
        ...facts,
        // Nothing is judged: there is no failure, and no class.
        verdict: facts.run.complete ? 'partial' : 'incomplete',
        classes: [],
        causes: [],
        requirements: catalogue.map(({ id }) => notTestedResult(id, 'a load judges no requirement')),
        load,
      },
      session.redact,
    );
  });
}

/**
 * Sends a load, or a share of it, once everything is prepared, and counts what comes back. After a 429 it pauses as long as
 * that asks.
 */
async function sendLoad(session: Session, options: LoadOptions): Promise<Sent> {
  const { plan, values, directory, clock, signal, counter, listener } = options;
  const { destination: target, client, store } = session;
  const { ratePerSecond, durationMs, requests } = plan;
  const share = plan.share ?? { number: 1, of: 1 };
  // By which a merged load tells its shares apart.
  const volley = plan.share ? `share ${share.number}/${share.of}` : 'load';
  const { mix, requestOf } = await requestsOf(session, volley);
  await session.transport.makeRoom();
  await warmUp(target, clock, requestOf(0));
  const startedAt = plan.begin ?? Math.ceil(clock.now()) + beginsInMs;
  const lateMs = Math.round(clock.now() - startedAt);
  if (lateMs > 0)
    throw new Inconclusive(
      `the load was prepared ${lateMs} ms after --begin: start it earlier, or let it begin later`,
    );
  // Connections are opened right before they are used: idle ones would be closed.
  listener.activity?.({ text: 'prepared; the load begins', until: startedAt });
  await clock.sleep(Math.max(0, startedAt - beginsInMs - clock.now()), signal);

  const append = ledgerFile(directory);
  const count = (line: LedgerLine): void => {
    counter.add(line);
    append(line);
  };
  const pause = new Pause();
  let recorded = 0;
  /** The request whose moment it is; none if the target has asked for a wait, or the moment is over. */
  const requestAt = (place: number, moment: number): PlannedRequest | undefined => {
    const now = clock.now();
    if (pause.until <= now && now - moment <= target.deadlineMs) return requestOf(place);
    count({ volley, outcome: pause.until > now ? 'withheld' : 'not sent', planned: moment });
    return undefined;
  };
  const plannedRequests = function* () {
    for (let place = share.number - 1; place < requests; place += share.of) {
      const plannedAt = startedAt + (place * 1_000) / ratePerSecond;
      yield { plannedAt, request: () => requestAt(place, plannedAt) };
    }
  };
  await fire({
    target,
    clock,
    signal,
    connections: values.connections ?? 50,
    requests: plannedRequests(),
    settled(entry) {
      const { request, destination, status, sentAt, plannedAt } = entry;
      pause.see(entry);
      const isPaused = pause.until > clock.now();
      listener.activity?.(isPaused ? { text: 'waiting as the target asks', until: pause.until } : null);
      count(ledgerLine(volley, entry));
      const line = recordExchange(request, entry, destination, Math.max(0, sentAt - plannedAt));
      const isKept = recorded < (status === null || status >= 400 ? mostFailures : mostRecorded);
      const exchange = client.log.record(line, isKept);
      if (isKept) recorded += 1;
      // What it creates is left behind all the same.
      else if (line.operation === 'createPet') store.pets.see(exchange);
    },
  });
  const bounds = Object.fromEntries(
    thresholdNames.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])),
  );
  const facts = {
    ratePerSecond: ratePerSecond / share.of,
    mix,
    planned: Math.ceil((requests - share.number + 1) / share.of),
    durationMs: Math.round(clock.now() - startedAt),
  };
  // The bounds are those of the whole load.
  const measured = counter.result(facts, plan.share ? {} : bounds);
  const whole = { begin: new Date(startedAt).toISOString(), ratePerSecond, durationMs, requests, bounds };
  const isLost = counter.isLost ? 'the target was lost: at the end no connection could be made' : undefined;
  return {
    load: { ...measured, ...(plan.share && { share: { ...share, ...whole } }) },
    stopped: measured.sent > 0 && measured.good === 0 ? 'no request of the load succeeded' : isLost,
  };
}

/**
 * The requests of a load by their places in the whole of it. Of ten, one creates an animal unless the target is read-only, one
 * fetches one if there is any, and the others list them.
 */
async function requestsOf({ store, settings, credentials }: Session, phase: string) {
  const accepted = settings.target.readOnly ? undefined : await store.accepted();
  const animal = await ifPossible(store.animal());
  const common = { purpose: 'load', phase, credential: credentials().valid } as const;
  const requestOf = (place: number): PlannedRequest => {
    if (animal && place % 10 === 9) return { ...getPet(animal.id), ...common };
    if (!accepted || place % 10 !== 4) return { ...listPets({ limit: 20 }), ...common };
    // With the same seed, the shares would give their animals the same names.
    const body = writeJson({ name: store.name(phase), categoryId: accepted.categoryId });
    return { ...createPet(body), ...common };
  };
  const mix = { listPets: 8, ...(animal && { getPet: 1 }), ...(accepted && { createPet: 1 }) };
  return { mix, requestOf };
}
