import type { Call, Decision, Limiter } from '../limiter/limiter.js';
import type { ReferenceOptions } from '../options.js';
import { balancerOf, type BalancerName } from './balancers.js';

/**
 * `shared`: one count for all nodes. `per-node`: each counts its own requests. `late`: each counts its own at once, and those
 * of the others after a delay. `told-per-node`: one count decides, and each node reports what its own requests have left.
 * `per-address` and `per-forged-address`: one count for each source address, or for each address that a header names.
 */
export type CountingName =
  'shared' | 'per-node' | 'late' | 'told-per-node' | 'per-address' | 'per-forged-address';

/** Several nodes of one service behind a balancer; they share the store. */
export interface Cluster {
  readonly balancer: BalancerName;
  readonly counting: CountingName;
  /** By default 5. */
  readonly nodes?: number;
}

/** Milliseconds after which a node learns of the requests of the others. */
const delayMs = 10_000;

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
    case 'late':
      return late(nodeOf, nodes);
    case 'told-per-node':
      return { limiter: { wrap: (limiter) => toldPerNode(limiter, nodeOf) } };
    default:
      return counting satisfies never;
  }
}

type NodeOf = (call: Call) => number;

/** Each node counts what it takes at once, and what the others have taken after a delay. */
function late(balance: NodeOf, nodes: number): ReferenceOptions {
  const replicas = new WeakMap<Call, number>();
  const nodeOf: NodeOf = (call) => replicas.get(call) ?? balance(call);
  const underWay: Call[] = [];
  const replicate = async (limiter: Limiter, until: number): Promise<void> => {
    for (const call of underWay.splice(0, underWay.filter(({ at }) => at + delayMs <= until).length))
      for (let node = 0; node < nodes; node += 1) {
        if (node === nodeOf(call)) continue;
        const replica = { ...call };
        replicas.set(replica, node);
        await limiter.take(replica);
      }
  };
  return {
    limiter: {
      countedAs: (call) => `${call.caller.name} at node ${nodeOf(call)}`,
      wrap: (limiter) => ({
        ...limiter,
        async take(call) {
          await replicate(limiter, call.at);
          const decision = await limiter.take(call);
          if (decision.admitted) underWay.push(call);
          return decision;
        },
      }),
    },
  };
}

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
