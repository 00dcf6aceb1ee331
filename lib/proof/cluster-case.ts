import { clusterCells, type ClusterCell } from '../reference/cluster/cells.js';
import type { ProofCase } from './proof-case.js';
import { limitSettings, proveAgainst } from './prove.js';

/** Where a cluster listens, and the source addresses of its clients: on Linux all of 127.0.0.0/8 are this machine's. */
const host = '127.0.0.1';
const clients = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'];
/** Small enough for a proof of seconds. */
const plan = { name: 'enterprise', perMinute: 24, perDay: 10_000 } as const;

/** Every cluster, from one source address and from all. */
export function clusterCases(): ProofCase[] {
  const caseOf = (
    { name, title, options }: ClusterCell,
    localAddresses: readonly string[],
    breaks: readonly string[],
  ): ProofCase => ({
    kind: breaks.length > 0 ? 'fault' : 'variant',
    name: `${name} from ${localAddresses.length}`,
    title,
    breaks,
    leavesOpen: [],
    severalCauses: breaks.includes('RATE-05')
      ? 'Remaining that jumps between nodes is wrong by itself'
      : undefined,
    run: (_profile, directory) =>
      proveAgainst(
        { ...options(), host },
        {
          settings: { ...limitSettings.settings, directory },
          target: { ...limitSettings.target, plan, localAddresses },
        },
      ),
  });
  return clusterCells.flatMap((cell) => [
    caseOf(cell, clients.slice(0, 1), cell.fromOne),
    caseOf(cell, clients, cell.fromFour),
  ]);
}
