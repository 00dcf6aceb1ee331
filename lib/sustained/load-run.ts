import type { Clock } from '../http/clock/clock.js';
import { turnsOf } from './mix.js';
import { paced } from '../load/paced.js';
import type { Credential } from '../http/exchange/credential.js';
import {
  createPet,
  getPet,
  listPets,
  type OperationRequest,
  type PlannedRequest,
} from '../http/exchange/planned-request.js';
import { Tally, type LoadRun, type TallyOptions } from './tally.js';

export interface LoadRunOptions extends TallyOptions {
  readonly credential: Credential;
  /** Requests under way at once. */
  readonly connections: number;
  /** A NewPet that the target accepts, under a name of its own. */
  readonly newPet: () => { readonly name: string; readonly body: string };
  /** An animal that is there. */
  readonly petId: string | undefined;
  readonly clock: Clock;
  readonly signal: AbortSignal;
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
  const { credential } = options;
  const planned = (request: OperationRequest): PlannedRequest => ({
    ...request,
    purpose: 'load',
    credential,
    input: 'specified',
  });
  const next = turnsOf(options.mix);
  return () => {
    const operation = next();
    if (operation === 'createPet') {
      const { name, body } = options.newPet();
      const request = planned(createPet(body));
      tally.names.set(request, name);
      return request;
    }
    return operation === 'getPet' && options.petId !== undefined
      ? planned(getPet(options.petId))
      : planned(listPets([['limit', 20]]));
  };
}
