import { clusterCells, type ClusterCell } from '../reference/cluster/cells.js';
import type { ProofCase } from './proof-case.js';
import { limitSettings, proveAgainst } from './prove.js';

/** Four source addresses of this machine; on Linux all of 127.0.0.0/8 are. */
const fourAddresses = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'];
/** Small enough for a proof of seconds. */
const plan = { name: 'enterprise', perMinute: 24, perDay: 10_000 } as const;

function caseOf(cell: ClusterCell, localAddresses: readonly string[], breaks: readonly string[]): ProofCase {
  const { name, title, options, mayTurn } = cell;
  return {
    kind: breaks.length > 0 ? 'fault' : 'variant',
    name: `${name} from ${localAddresses.length}`,
    title,
    breaks,
    hides: breaks.length > 0 ? mayTurn : [],
    leavesOpen: [],
    severalCauses:
      breaks.includes('RATE-05') || mayTurn.length > 0
        ? 'Remaining that jumps between nodes is wrong by itself'
        : undefined,
    run: (_profile, directory) =>
      proveAgainst(options(), {
        settings: { ...limitSettings.settings, directory },
        target: { ...limitSettings.target, plan, localAddresses },
      }),
  };
}

/** Every cell of the clusters, from one source address and from four. */
export function clusterCases(cells = clusterCells): ProofCase[] {
  return cells.flatMap((cell) => [
    caseOf(cell, fourAddresses.slice(0, 1), cell.fromOne),
    caseOf(cell, fourAddresses, cell.fromFour),
  ]);
}
