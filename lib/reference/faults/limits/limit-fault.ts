import { withBehaviour } from '../../changes.js';
import type { ReferenceOptions } from '../../options.js';
import type { Algorithm, Counter, Standing } from '../../limiter/counter.js';
import { fixedWindowAligned } from '../../limiter/fixed-window-aligned.js';
import type { Limiter } from '../../limiter/limiter.js';
import type { Fault, WireTarget } from '../fault.js';
import { send, type WireRequest, type WireResponse } from '../wire.js';

/** Where a fault of the limits is looked at: on a service whose clock the look moves on. */
export interface LimitWireTarget extends WireTarget {
  /** A second key, with a larger plan. */
  readonly otherKey: string;
  /** The figures of `key`. */
  readonly perMinute: number;
  readonly perDay: number;
  /** Lets the service's clock go on by so many milliseconds. */
  readonly wait: (milliseconds: number) => Promise<void>;
}

/** A bug of a limiter. `breaks` are the ids that turn when the limits of the minute, or of the day, are judged. */
export interface LimitFault extends Omit<Fault, 'wire'> {
  /** Whether it takes the limits of the day to see it. By default it does not. */
  readonly ofTheDay?: boolean;
  readonly wire: (target: LimitWireTarget) => Promise<void>;
}

/** A figure and the window that it is for. */
export type Quota = Parameters<Algorithm>[0];

const hour = 3_600_000;

/** Replaces the counter of the minute; that of the day stays as it should be. */
export function minuteBy(counter: (quota: Quota) => Counter): ReferenceOptions {
  return {
    limiter: { algorithm: (quota) => (quota.windowMs > hour ? fixedWindowAligned(quota) : counter(quota)) },
  };
}

/** Replaces the counter of the day. */
export function dayBy(counter: (quota: Quota) => Counter): ReferenceOptions {
  return {
    limiter: { algorithm: (quota) => (quota.windowMs > hour ? counter(quota) : fixedWindowAligned(quota)) },
  };
}

/** Replaces the figures of the minute: what is granted, and what the headers tell of it. */
export function granting(
  figure: (requests: number) => number,
  tell: (really: Standing) => Pick<Standing, 'limit' | 'remaining'> = (really) => really,
): ReferenceOptions {
  const counter = minuteBy(({ requests, windowMs }) =>
    fixedWindowAligned({ requests: figure(requests), windowMs }),
  );
  return { ...counter, ...telling((minute) => ({ ...minute, ...tell(minute) })) };
}

/** Changes what the headers tell of the minute; whether a request is refused has been decided before. */
export function telling(change: (minute: Standing, at: number) => Standing): ReferenceOptions {
  return withBehaviour(({ rateHeaders }) => ({
    rateHeaders: (decision, request) =>
      rateHeaders({ ...decision, minute: change(decision.minute, request.at) }, request),
  }));
}

/** A limiter around the right one that decides some requests otherwise. */
export function around(change: (limiter: Limiter) => Partial<Limiter>): ReferenceOptions {
  return { limiter: { wrap: (limiter) => ({ ...limiter, ...change(limiter) }) } };
}

/** Sends requests one after the other until one is answered with something else than 2xx, at most so many. */
export async function useUp(
  target: LimitWireTarget,
  most = target.perMinute + 1,
  request: WireRequest = {},
): Promise<{ readonly served: number; readonly last: WireResponse }> {
  let served = 0;
  let last = await send(target, { path: '/pets?limit=1', ...request });
  while (last.status < 300) {
    served += 1;
    if (served >= most) break;
    last = await send(target, { path: '/pets?limit=1', ...request });
  }
  return { served, last };
}
