import type { RequirementId } from '../../../specification/catalogue.js';
import type { AlgorithmName } from '../../limiter/algorithms.js';
import type { Fault } from '../fault.js';
import type { GroupName } from './groups.js';

/** A bug of a limiter. It is built so that it can stand behind any of the five algorithms. */
export interface LimitFault extends Pick<Fault, 'name' | 'title' | 'options'> {
  /**
   * The ids of LIMIT and RATE that turn when the limits of the minute, or of the day, are tried, no more and no fewer.
   */
  readonly breaks: readonly RequirementId[];
  /** Its group, if `breaks` does not tell. */
  readonly group?: GroupName;
  /** The algorithms behind which it is a fault at all. By default all five. */
  readonly behind?: readonly AlgorithmName[];
  /** Whether the limits of the day show it. By default those of the minute do. */
  readonly ofTheDay?: boolean;
}

export const fixedWindows = [
  'fixed-window-aligned',
  'fixed-window-from-first-request',
] as const satisfies readonly AlgorithmName[];

/** The algorithms that keep a client waiting for about a window once the limit is exhausted. A bucket refills at once. */
export const windows = [
  ...fixedWindows,
  'sliding-log',
  'sliding-counter',
] as const satisfies readonly AlgorithmName[];
