import type { Exchange } from '../../http/exchange/exchange.js';

/** The parts of the probes, as exchanges name them. */
const limitPhases = [
  'opening',
  'costs',
  'sequence',
  'behind sequence',
  'look',
  'control',
  'burst',
  'ban',
  'ban ignored',
  'ban afterwards',
] as const;
export type LimitPhase = (typeof limitPhases)[number];

const probePhases: ReadonlySet<string | undefined> = new Set<LimitPhase>(limitPhases);

/** The exchanges of a run up to the last one of its limit probes: what its limits are judged by, now and later. */
export function exchangesOfProbes(exchanges: readonly Exchange[]): readonly Exchange[] {
  return exchanges.slice(0, exchanges.findLastIndex(({ phase }) => probePhases.has(phase)) + 1);
}
