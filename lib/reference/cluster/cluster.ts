import type { Call, Decision, Limiter } from '../limiter/limiter.js';
import type { ReferenceOptions } from '../options.js';
import { balancerOf, type BalancerName } from './balancers.js';

/**
 * `shared`: one count for all nodes. `per-node`: each counts its own requests. `told-per-node`: one count decides, and each
 * node reports what its own requests have left. `per-address` and `per-forged-address`: one count for each source address, or for each address that a header names.
 */
export type CountingName = 'shared' | 'per-node' | 'told-per-node' | 'per-address' | 'per-forged-address';

/** Several nodes of one service behind a balancer; they share the store. */
export interface Cluster {
  readonly balancer: BalancerName;
  readonly counting: CountingName;
  /** By default 5. */
  readonly nodes?: number;
}

/** The service as such a cluster. */
export function clusterOptions({ balancer, counting, nodes = 5 }: Cluster): ReferenceOptions {
  const nodeOf = balancerOf(balancer, nodes);
  const name = ({ caller }: Call): string => caller.name;
  switch (counting) {
    case 'shared':
      return {};
    case 'per-node':
      return { limiter: { countedAs: (call) => `${name(call)} at node ${nodeOf(call)}` } };
    case 'per-address':
      return { limiter: { countedAs: (call) => `${name(call)} from ${call.address}` } };
    case 'per-forged-address':
      return { limiter: { countedAs: (call) => `${name(call)} from ${call.namedAddress ?? 'its address'}` } };
    case 'told-per-node':
      return { limiter: { wrap: (limiter) => toldPerNode(limiter, nodeOf) } };
    default:
      return counting satisfies never;
  }
}

type NodeOf = (call: Call) => number;

/** One count decides; Remaining is what a node has left of the limit after its own requests. */
function toldPerNode(limiter: Limiter, nodeOf: NodeOf): Limiter {
  const taken = new Map<string, { resetsAt: number; count: number }>();
  const told = (call: Call, decision: Decision, more: number): Decision => {
    const { minute } = decision;
    const name = `${call.caller.name} at node ${nodeOf(call)}`;
    const known = taken.get(name);
    const own = known?.resetsAt === minute.resetsAt ? known : { resetsAt: minute.resetsAt, count: 0 };
    own.count += more;
    taken.set(name, own);
    const remaining = decision.admitted ? Math.max(0, minute.limit - own.count) : minute.remaining;
    return { ...decision, minute: { ...minute, remaining } };
  };
  return {
    ...limiter,
    async take(call) {
      const decision = await limiter.take(call);
      return told(call, decision, decision.admitted ? 1 : 0);
    },
    finishCall: (call, decision, status) => told(call, limiter.finishCall(call, decision, status), 0),
  };
}
