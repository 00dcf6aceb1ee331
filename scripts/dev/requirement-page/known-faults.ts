import { clusterCells } from '../../../lib/reference/cluster/cells.js';
import type { Fault } from '../../../lib/reference/faults/fault.js';
import { faults } from '../../../lib/reference/faults/faults.js';
import { limitFaults } from '../../../lib/reference/faults/limits/limit-faults.js';

type KnownFault = Pick<Fault, 'name' | 'title' | 'options'> & { readonly breaks: readonly string[] };

/** Clusters that count each node or each address by itself: they break most beside LIMIT-15 last. */
const clusters: readonly KnownFault[] = clusterCells
  .filter(({ fromFour }) => fromFour.includes('LIMIT-15'))
  .map(({ name, title, options, fromFour }) => ({
    name,
    title: title.charAt(0).toUpperCase() + title.slice(1),
    options: options(),
    breaks: fromFour,
  }));

/** The faults that a run of one profile and plan finds, and that pages show: of services, limiters and clusters. */
export const knownFaults: readonly KnownFault[] = [
  ...faults.filter(({ profile, plan }) => profile === undefined && plan === undefined),
  ...limitFaults,
  ...clusters,
];
