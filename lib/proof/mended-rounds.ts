import { credentialsFor } from '../http/exchange/credential.js';
import type { Exchange } from '../http/exchange/exchange.js';
import { redactedExchange } from '../http/redaction/redacted-exchange.js';
import { redactionOf } from '../http/redaction/redaction.js';
import type { RunRecord } from '../record/record.js';
import type { Fault } from '../reference/faults/fault.js';
import { faults } from '../reference/faults/faults.js';
import type { ReferenceOptions } from '../reference/options.js';
import { serveReference, type ReferenceService } from '../reference/serve.js';
import { plans } from '../specification/plan.js';
import { failsClass } from '../verdict/class-verdict.js';
import { isLeftToTheWholeRun } from '../repetition/not-sent-again.js';
import { toRepeat } from '../repetition/repetition.js';
import { serveProof, type ProofOptions } from './prove.js';

/** What a round of `--again` comes to, after a run that found a fault. */
export interface MendedRound {
  readonly name: string;
  /** The requirements of the round. */
  readonly only: readonly string[];
  /** The round finds the fault again as long as it is not mended. */
  readonly isFound: boolean;
  /** If it does not find it, it does not pass either. */
  readonly isOpen: boolean;
  /** Why the round is a whole run, if it is one. */
  readonly wholeRun: string | undefined;
  /** Those that the round has not tried, so that they are open once it is mended. */
  readonly untriedOnceMended: readonly string[];
  /** Those that still fail once it is. */
  readonly stillFailing: readonly string[];
  /** That the round sends once it is mended: on the store of the run before, and on an empty one. */
  readonly requests: { readonly kept: number; readonly empty: number };
  /** That the longer one of them takes. */
  readonly milliseconds: number;
}

/** Runs the suite against each functional fault, and what failed once more, against the same service and a mended one. */
export async function* mendedRounds(names?: readonly string[]): AsyncGenerator<MendedRound> {
  for (const fault of faults.filter(({ name }) => names?.includes(name) ?? true)) {
    const round = await mendedRound(fault);
    if (round) yield round;
  }
}

async function mendedRound({ name, options, profile, plan = 'business' }: Fault) {
  const run = async (served: ReferenceOptions, settings: ProofOptions['settings']): Promise<Ran> =>
    runAgainst(served, {
      settings: { strict: true, profile: profile ?? 'standard', ...settings },
      target: { plan: plans[plan] },
    });
  const first = await run(options, {});
  const repetition = await toRepeat(first.record, first.exchanges);
  if (!repetition) return undefined;
  const { wholeRun, settings } = repetition;
  const repeated = wholeRun === undefined ? settings : {};
  const again = await run(options, repeated);
  // What a faulty service has kept may be no animal.
  const animals = first.animals.filter((one) => typeof one.name === 'string');
  const kept = await run({ animals }, repeated);
  const empty = await run({}, repeated);
  return {
    name,
    only: repetition.failed,
    wholeRun,
    isFound: failed(again.record).length > 0,
    isOpen: untried(again.record).length > 0,
    untriedOnceMended: [...new Set([...untried(kept.record), ...untried(empty.record)])],
    stillFailing: [...new Set([...failed(kept.record), ...failed(empty.record)])],
    requests: { kept: kept.record.requests.sent, empty: empty.record.requests.sent },
    milliseconds: Math.max(kept.milliseconds, empty.milliseconds),
  } satisfies MendedRound;
}

function failed({ requirements }: RunRecord): string[] {
  return requirements.filter((one) => failsClass(one, { strict: true })).map(({ id }) => id);
}

/** Those that the round has not tried in the way that failed. */
function untried({ requirements }: RunRecord): string[] {
  return requirements.filter(isLeftToTheWholeRun).map(({ id }) => id);
}

interface Ran {
  readonly record: RunRecord;
  readonly exchanges: readonly Exchange[];
  readonly animals: ReturnType<ReferenceService['animals']>;
  readonly milliseconds: number;
}

const key = 'pets_proof_7hVq2TzR8wLx';
const redact = redactionOf(credentialsFor(key).secrets);

async function runAgainst(options: ReferenceOptions, proof: ProofOptions): Promise<Ran> {
  const exchanges: Exchange[] = [];
  const services: ReferenceService[] = [];
  const served = await serveProof(options, {
    ...proof,
    key,
    // What a run's folder holds.
    listener: { exchange: (exchange) => exchanges.push(redactedExchange(exchange, redact)) },
    async serve(wanted) {
      const service = await serveReference(wanted);
      services.push(service);
      return service;
    },
  });
  try {
    const began = performance.now();
    const record = await served.run();
    const milliseconds = performance.now() - began;
    return { record, exchanges, milliseconds, animals: services.flatMap((service) => service.animals()) };
  } finally {
    await served.close();
  }
}
