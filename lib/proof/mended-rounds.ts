import type { Exchange } from '../http/exchange/exchange.js';
import type { RunRecord } from '../record/record.js';
import type { Fault } from '../reference/faults/fault.js';
import { faults } from '../reference/faults/faults.js';
import type { ReferenceOptions } from '../reference/options.js';
import { serveReference, type ReferenceService } from '../reference/serve.js';
import { plans } from '../specification/plan.js';
import { failsClass } from '../verdict/class-verdict.js';
import { toRepeat } from '../verdict/repetition.js';
import { serveProof, type ProofOptions } from './prove.js';

/** What a round of `--again` comes to, after a run that found a fault. */
export interface MendedRound {
  readonly name: string;
  /** The requirements of the round. */
  readonly only: readonly string[];
  /** The round finds the fault again as long as it is not mended. */
  readonly isFound: boolean;
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
  const again = await run(options, repetition);
  // What a faulty service has kept may be no animal.
  const animals = first.animals.filter((one) => typeof one.name === 'string');
  const kept = await run({ animals }, repetition);
  const empty = await run({}, repetition);
  return {
    name,
    only: repetition.only,
    isFound: failed(again.record).length > 0,
    stillFailing: [...new Set([...failed(kept.record), ...failed(empty.record)])],
    requests: { kept: kept.record.requests.sent, empty: empty.record.requests.sent },
    milliseconds: Math.max(kept.milliseconds, empty.milliseconds),
  } satisfies MendedRound;
}

function failed({ requirements }: RunRecord): string[] {
  return requirements.filter((one) => failsClass(one, { strict: true })).map(({ id }) => id);
}

interface Ran {
  readonly record: RunRecord;
  readonly exchanges: readonly Exchange[];
  readonly animals: ReturnType<ReferenceService['animals']>;
  readonly milliseconds: number;
}

async function runAgainst(options: ReferenceOptions, proof: ProofOptions): Promise<Ran> {
  const exchanges: Exchange[] = [];
  const services: ReferenceService[] = [];
  const served = await serveProof(options, {
    ...proof,
    listener: { exchange: (exchange) => exchanges.push(exchange) },
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
