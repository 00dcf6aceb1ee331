import type { RequirementId } from '../../../specification/catalogue.js';
import type { AlgorithmName } from '../../limiter/algorithms.js';
import type { ConditionName } from '../../variants/limit-conditions.js';
import type { Fault, WireTarget } from '../fault.js';
import { send, type WireRequest, type WireResponse } from '../wire.js';

/** The service that a fault of the limits is looked at on. The look moves the service's clock. */
export interface LimitWireTarget extends WireTarget {
  /** A second key, with a larger plan. */
  readonly otherKey: string;
  /** The limits of `key`. */
  readonly perMinute: number;
  readonly perDay: number;
  /** Moves the service's clock on by so many milliseconds. */
  readonly wait: (milliseconds: number) => Promise<void>;
}

/** A bug of a limiter. It is built so that it can stand behind any of the five algorithms. */
export interface LimitFault extends Omit<Fault, 'wire'> {
  /**
   * The ids of LIMIT and RATE that turn when the limits of the minute, or of the day, are tried. Behind the default
   * algorithm no more and no fewer.
   */
  readonly breaks: readonly RequirementId[];
  /** The algorithms behind which it is a fault at all. By default all five. */
  readonly behind?: readonly AlgorithmName[];
  /** The exact set behind another algorithm, or under a condition, if it is not `breaks`. */
  readonly breaksUnder?: Readonly<Partial<Record<AlgorithmName | ConditionName, readonly RequirementId[]>>>;
  /** Whether the limits of the day show it. By default those of the minute do. */
  readonly ofTheDay?: boolean;
  readonly wire: (target: LimitWireTarget) => Promise<void>;
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

/** The same set behind each algorithm that restores the limit bit by bit, and not at once. */
export function breaksBitByBit(...ids: readonly RequirementId[]): NonNullable<LimitFault['breaksUnder']> {
  return { 'sliding-log': ids, 'sliding-counter': ids, 'token-bucket': ids };
}

export interface Exhausting {
  /** Requests at the most; one more than the limit by default. */
  readonly most?: number;
  /** What is sent: by default a listing of one animal. */
  readonly request?: WireRequest;
}

/** Sends requests one after the other until one is not answered with 2xx. */
export async function exhaust(
  target: LimitWireTarget,
  { most = target.perMinute + 1, request = { path: '/pets?limit=1' } }: Exhausting = {},
): Promise<{ readonly admitted: number; readonly last: WireResponse }> {
  let admitted = 0;
  let last = await send(target, request);
  while (last.status < 300) {
    admitted += 1;
    if (admitted >= most) break;
    last = await send(target, request);
  }
  return { admitted, last };
}

/** Exhausts the limit, waits as the 429 says and a moment longer, and sends one more request. */
export async function sendAfterRetryAfter(target: LimitWireTarget): Promise<WireResponse> {
  const { last } = await exhaust(target);
  await target.wait(Number(last.header('retry-after')) * 1000 + 100);
  return send(target);
}

/** Listings that are sent all at once, over as many connections. */
export async function burst(target: LimitWireTarget, requests: number): Promise<readonly WireResponse[]> {
  return Promise.all(Array.from({ length: requests }, () => send(target)));
}
