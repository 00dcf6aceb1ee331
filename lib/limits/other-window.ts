import { compareWithModels, type CompareOptions } from './compare.js';
import type { AlgorithmName } from './models.js';
import type { Seen } from './seen.js';

/** A limiter that explains every answer, with windows of another length than the specified one. */
export interface OtherWindow {
  readonly name: AlgorithmName;
  /** Milliseconds, about. */
  readonly windowMs: number;
}

/** Lengths that a window is given by mistake, as parts of the specified one; the nearest to it first. */
const lengths = {
  shorter: [3 / 4, 2 / 3, 1 / 2, 1 / 3, 1 / 4, 1 / 6, 1 / 12, 1 / 60],
  longer: [4 / 3, 3 / 2, 2, 3, 5, 10, 60],
} as const;

/**
 * The other window that explains all that was seen; to be asked where none of a minute (section 8) does. Others on the
 * key can make requests come back more slowly, never faster. Undefined where no other length explains it, or both longer
 * and shorter ones do.
 */
export function otherWindow(requests: readonly Seen[], options: CompareOptions): OtherWindow | undefined {
  const explaining = (assumedWindowMs: number): OtherWindow[] =>
    compareWithModels(requests, { ...options, assumedWindowMs })
      .filter(({ contradictions, points }) => contradictions === 0 && points > 0)
      .map(({ name }) => ({ name, windowMs: assumedWindowMs }));
  const among = (parts: readonly number[]): OtherWindow | undefined =>
    parts.flatMap((part) => explaining(part * options.windowMs))[0];
  const [shorter, longer] = [among(lengths.shorter), among(lengths.longer)];
  return shorter && longer ? undefined : (shorter ?? longer);
}
