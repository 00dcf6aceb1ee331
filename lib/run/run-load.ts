import { randomInt } from 'node:crypto';
import { Exchange } from '../evidence/exchange.js';
import type { RunRecord } from '../evidence/record/record.js';
import type { Clock } from '../http/clock/clock.js';
import { createPet, getPet, listPets, type PlannedRequest } from '../http/exchange/planned-request.js';
import { ledgerFile } from '../load/ledger-file.js';
import type { LoadCounter } from '../load/load-counter.js';
import { mixOf, operationAt } from '../load/load-mix.js';
import { nameOfLoad, sendLoad } from '../load/send-load.js';
import { thresholdNames } from '../load/thresholds.js';
import type { LoadPlan, LoadValues } from '../options/load-options.js';
import type { Request } from '../options/read-options.js';
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
    const sent = await sendFrom(session, options).catch((error: unknown) => ({
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

/** Sends the load once everything is prepared for it. */
async function sendFrom(session: Session, { plan, values, directory, listener, ...options }: LoadOptions) {
  const { client, destination, store } = session;
  const requests = await requestsOf(session, nameOfLoad(plan));
  await session.transport.makeRoom();
  return sendLoad({
    ...options,
    ...requests,
    plan,
    target: destination,
    connections: values.connections ?? 50,
    thresholds: thresholdNames.flatMap((name) => values[name] ?? []),
    ledger: ledgerFile(directory),
    log: client.log,
    unrecorded: (exchange) => {
      client.log.countUnrecorded(exchange.operation ?? 'listPets', 1);
      // What it creates is left behind all the same.
      if (exchange.operation === 'createPet') store.pets.see(new Exchange({ id: '', ...exchange }));
    },
    waiting: (wait) => listener.activity?.(wait),
  });
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
