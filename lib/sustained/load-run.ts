import type { Clock } from '../http/clock.js';
import type { Credential } from '../http/credential.js';
import type { Exchange } from '../http/exchange.js';
import type { Redact } from '../http/redaction.js';
import type { LoadMeasurement, PlanMeasurement } from '../record/record.js';
import type { LedgerEntry } from '../load/ledger.js';
import { turnsOf, type Mix } from './mix.js';
import { paced } from '../load/paced.js';
import type { LoadTarget, PlannedRequest } from '../load/request.js';
import { RequestMaker } from '../load/request-maker.js';
import { Tally } from './tally.js';
import type { Threshold } from './thresholds.js';

export interface LoadRunOptions {
  readonly target: LoadTarget & { readonly baseUrl: string };
  readonly credential: Credential;
  readonly userAgent: string;
  readonly ratePerSecond: number;
  readonly durationMs: number;
  readonly mix: Mix;
  /** Requests under way at once. */
  readonly connections: number;
  readonly thresholds: readonly Threshold[];
  /** A NewPet that the target accepts, under a name of its own. */
  readonly newPet: () => { readonly name: string; readonly body: string };
  /** An animal that is there. */
  readonly petId: string | undefined;
  readonly created: (entry: LedgerEntry, name: string) => void;
  readonly redact: Redact;
  readonly record: (exchange: Omit<Exchange, 'id'>) => Exchange;
  /** How it stands, about once a second. */
  readonly progress: (state: LoadState) => void;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** How a load stands. */
export interface LoadState {
  readonly elapsedMs: number;
  readonly durationMs: number;
  readonly sent: number;
  readonly good: number;
  readonly refused: number;
  readonly errors: number;
  readonly withheld: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Milliseconds for which nothing is sent, as the target asked. */
  readonly waitingMs: number;
}

export interface LoadRun {
  readonly load: LoadMeasurement;
  readonly phase: PlanMeasurement['phases'][number];
}

/** Sends a steady load and measures what comes back. After a 429 it pauses as long as it is told. */
export async function runLoad(options: LoadRunOptions): Promise<LoadRun> {
  const { clock, ratePerSecond, durationMs } = options;
  const count = Math.max(1, Math.floor((ratePerSecond * durationMs) / 1000));
  const tally = new Tally(options, count);
  const requests = requestsOf(options, tally);
  const result = await paced({
    target: options.target,
    clock,
    signal: options.signal,
    ratePerSecond,
    count,
    connections: options.connections,
    request: requests,
    answered: (one) => tally.add(one),
    heldBackUntil: () => tally.tick(clock.now()),
  });
  return tally.measurement(result.startedAt, result.endedAt, result.withheld);
}

function requestsOf(options: LoadRunOptions, tally: Tally): () => PlannedRequest {
  const maker = new RequestMaker(options.target.baseUrl, options.userAgent, options.credential);
  const next = turnsOf(options.mix);
  return () => {
    const operation = next();
    if (operation === 'createPet') {
      const { name, body } = options.newPet();
      const request = maker.create('load', body);
      tally.names.set(request, name);
      return request;
    }
    return operation === 'getPet' && options.petId !== undefined
      ? maker.get('load', options.petId)
      : maker.list('load', '?limit=20');
  };
}
