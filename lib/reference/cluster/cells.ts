import type { RequirementId } from '../../specification/catalogue.js';
import type { ReferenceOptions } from '../options.js';
import type { BalancerName } from './balancers.js';
import { clusterOptions, type CountingName } from './cluster.js';

/** The ids of LIMIT and RATE that turn from one source address and from four. */
interface Expected {
  readonly fromOne: readonly RequirementId[];
  readonly fromFour: readonly RequirementId[];
}

/** One way to build a cluster. */
export interface ClusterCell extends Expected {
  readonly name: string;
  readonly title: string;
  readonly options: () => ReferenceOptions;
}

const titles: Record<CountingName, string> = {
  shared: 'one count for all nodes',
  'per-node': 'a count for each node',
  'told-per-node': 'one count for all nodes, of which each reports its own share',
  'per-address': 'a count for each source address',
  'per-forged-address': 'a count for each address that a header names',
};

const conforms: Expected = { fromOne: [], fromFour: [] };
/** What nodes that count for themselves show to one address, if a balancer sends its requests to several. */
const ofNodes = ['RATE-05', 'LIMIT-02', 'LIMIT-03', 'LIMIT-09'] as const;
const toOneAddress: Expected = { fromOne: ofNodes, fromFour: [...ofNodes, 'LIMIT-15'] };
const toOneConnection: Expected = {
  fromOne: ['LIMIT-02', 'LIMIT-03', 'LIMIT-09'],
  fromFour: ['LIMIT-02', 'LIMIT-03', 'LIMIT-09', 'LIMIT-15'],
};
const toSeveralAddresses: Expected = { fromOne: [], fromFour: ['LIMIT-15'] };

const table: ReadonlyArray<readonly [BalancerName, CountingName, Expected]> = [
  ['round-robin', 'shared', conforms],
  ['source-address', 'shared', conforms],
  ['connection', 'shared', conforms],
  ['round-robin', 'per-node', toOneAddress],
  ['source-address', 'per-node', toSeveralAddresses],
  // Each connection's Remaining counts down by one.
  ['connection', 'per-node', toOneConnection],
  // Remaining that jumps is a wrong header; the limit holds all the same.
  ['round-robin', 'told-per-node', { fromOne: ['RATE-05'], fromFour: ['RATE-05'] }],
  ['source-address', 'told-per-node', conforms],
  ['source-address', 'per-address', toSeveralAddresses],
  ['round-robin', 'per-forged-address', { fromOne: ['LIMIT-08'], fromFour: ['LIMIT-08'] }],
];

export const clusterCells: readonly ClusterCell[] = table.map(([balancer, counting, expected]) => ({
  name: `${balancer}/${counting}`,
  title: `${titles[counting]}, behind a balancer by ${balancer.replace('-', ' ')}`,
  options: () => clusterOptions({ balancer, counting }),
  ...expected,
}));
