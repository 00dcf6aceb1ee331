import { balancers, type BalancerName } from './balancers.js';
import { clusterOptions, type CountingName } from './cluster.js';
import type { ReferenceOptions } from '../options.js';

/** One way to build a cluster, and the ids of LIMIT and RATE that turn from one source address and from four. */
export interface ClusterCell {
  readonly name: string;
  readonly title: string;
  readonly options: () => ReferenceOptions;
  readonly fromOne: readonly string[];
  readonly fromFour: readonly string[];
  /** Ids that turn or do not, as connections happen to be opened and closed. */
  readonly mayTurn: readonly string[];
}

const titles: Record<CountingName, string> = {
  shared: 'one count for all nodes',
  'per-node': 'a count for each node',
  late: 'a count for each node, replicated ten seconds late',
  'told-per-node': 'one count for all nodes, of which each reports its own share',
  'per-address': 'a count for each source address',
  'per-forged-address': 'a count for each address that a header names',
};

interface Expected extends Partial<Pick<ClusterCell, 'fromOne' | 'fromFour' | 'mayTurn'>> {}

function cell(
  balancer: BalancerName,
  counting: CountingName,
  { fromOne = [], fromFour = [], mayTurn = [] }: Expected = {},
): ClusterCell {
  return {
    name: `${balancer}/${counting}`,
    title: `${titles[counting]}, behind a balancer by ${balancer.replace('-', ' ')}`,
    options: () => clusterOptions({ balancer, counting }),
    fromOne,
    fromFour,
    mayTurn,
  };
}

/** What nodes that count for themselves show to one address, if a balancer sends its requests to several. */
const admitted = ['LIMIT-02', 'LIMIT-03', 'LIMIT-09'];
const ofNodes: Record<BalancerName, Expected> = {
  'round-robin': { fromOne: ['RATE-05', ...admitted] },
  'source-address': {},
  connection: { fromOne: admitted, mayTurn: ['RATE-05'] },
  'least-connections': { fromOne: ['LIMIT-09'], mayTurn: ['RATE-05', 'LIMIT-02', 'LIMIT-03'] },
};

export const clusterCells: readonly ClusterCell[] = [
  ...balancers.flatMap((balancer) => {
    const { fromOne = [], mayTurn = [] } = ofNodes[balancer];
    const expected = { fromOne, fromFour: [...fromOne, 'LIMIT-15'], mayTurn };
    return [cell(balancer, 'shared'), cell(balancer, 'per-node', expected), cell(balancer, 'late', expected)];
  }),
  ...(['round-robin', 'source-address'] as const).flatMap((balancer) => {
    // Remaining that jumps is a wrong header; the limit holds all the same.
    const told = balancer === 'round-robin' ? ['RATE-05'] : [];
    return [
      cell(balancer, 'told-per-node', { fromOne: told, fromFour: told }),
      cell(balancer, 'per-address', { fromFour: ['LIMIT-15'] }),
      cell(balancer, 'per-forged-address', { fromOne: ['LIMIT-08'], fromFour: ['LIMIT-08'] }),
    ];
  }),
];
