import type { Call } from '../limiter/limiter.js';

/** How a balancer chooses the node of a request; `connection` chooses it once for each connection. */
export type BalancerName = 'round-robin' | 'source-address' | 'connection';

/** The node, from 0, that takes a call. Asked again of the same call, it is the same node. */
export function balancerOf(name: BalancerName, nodes: number): (call: Call) => number {
  const chosen = new WeakMap<Call, number>();
  const ofConnections = new Map<number, number>();
  let turns = 0;
  const next = (): number => {
    turns += 1;
    return (turns - 1) % nodes;
  };
  const choose: Record<BalancerName, (call: Call) => number> = {
    'round-robin': next,
    // By the last number of the address: two neighbours share a node.
    'source-address': ({ address }) =>
      Math.floor(Number.parseInt(/[\da-f]+$/i.exec(address)?.[0] ?? '0', 16) / 2) % nodes,
    connection: ({ connection }) => ofConnections.get(connection) ?? next(),
  };
  return (call) => {
    const node = chosen.get(call) ?? choose[name](call);
    chosen.set(call, node);
    ofConnections.set(call.connection, node);
    return node;
  };
}
