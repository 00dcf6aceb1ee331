import { EventEmitter } from 'node:events';
import type { Client } from 'autocannon/lib/run.js';
import type { VolleyCount } from '../record/record.js';

/** Clients of autocannon that send nothing by themselves. */
export interface Engine {
  readonly clients: readonly Client[];
  /** Resolves when all clients are destroyed. */
  readonly counted: Promise<VolleyCount>;
}

/** Milliseconds between two looks at whether all clients are done: a volley ends at most so late. */
const sampleMs = 5;
/** What it has no use for: percentiles are made from the ledger. */
const unused = { __custom: true, recordValue: () => undefined, destroy: () => undefined };

/**
 * Starts autocannon with so many clients, at least one. Its scheduler never sends: lanes do, each over a client.
 * @param prepare called with each client before it would connect
 */
export async function startEngine(
  origin: string,
  connections: number,
  prepare: (client: Client) => void,
): Promise<Engine> {
  // Half of a second of CPU for a run that needs no load would be a pity.
  const { default: run } = await import('autocannon/lib/run.js');
  const clients: Client[] = [];
  const counted = new Promise<VolleyCount>((resolve, reject) => {
    run(
      {
        url: origin,
        connections,
        amount: Number.MAX_SAFE_INTEGER,
        pipelining: 1,
        timeout: 10,
        sampleInt: sampleMs,
        method: 'GET',
        headers: {},
        requests: [{}],
        skipAggregateResult: true,
        histograms: { latencies: unused, requests: unused, throughput: unused },
        setupClient(client) {
          clients.push(client);
          prepare(client);
        },
      },
      new EventEmitter(),
      (error, { totalRequests, statusCodeStats, errors }) => {
        const statuses = Object.entries(statusCodeStats).map(([status, { count }]) => [status, count]);
        if (error) reject(error);
        else resolve({ sent: totalRequests - connections, byStatus: Object.fromEntries(statuses), errors });
      },
    );
  });
  return { clients, counted };
}
