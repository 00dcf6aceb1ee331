import type { RequirementId } from '../../specification/catalogue.js';
import { withResponses } from '../changes.js';
import { withoutHeader } from '../http-message.js';
import type { AlgorithmName } from '../limiter/algorithms.js';
import { hasKey } from '../limiter/limiter.js';
import type { ReferenceOptions } from '../options.js';

/** What a limiter stands behind or beside, so that it shows other things of itself, or less. */
export interface LimitCircumstance {
  readonly name: string;
  readonly title: string;
  readonly options: ReferenceOptions;
  /** The algorithm, if it is another one than the usual. */
  readonly algorithm?: AlgorithmName;
  /** Milliseconds by which the service's clock is ahead of the suite's: the run begins five seconds into a minute of ours. */
  readonly ahead?: number;
  /** The ids that turn by the circumstance itself. */
  readonly turns: readonly RequirementId[];
  /** The ids that cannot be judged then. A fault that breaks no other is none. */
  readonly unjudged: readonly RequirementId[];
}

/** Another client sends a request with the same key every so many milliseconds, for so long before the first other one. */
export function withOtherClient(everyMs: number, sinceMs = everyMs): ReferenceOptions {
  return {
    limiter: {
      wrap: (limiter) => {
        const sentUntil = new Map<string, number>();
        return {
          ...limiter,
          async take(call) {
            if (hasKey(call)) {
              const { name } = call.caller;
              let at = sentUntil.get(name) ?? call.at - sinceMs;
              for (; at + everyMs <= call.at; at += everyMs)
                await limiter.take({ ...call, at: at + everyMs });
              sentUntil.set(name, at);
            }
            return limiter.take(call);
          },
        };
      },
    },
  };
}

function behind(algorithm: AlgorithmName, title: string): LimitCircumstance {
  return { name: algorithm, title, algorithm, options: { limiter: { algorithm } }, turns: [], unjudged: [] };
}

function without(header: string): ReferenceOptions {
  return withResponses((response) => withoutHeader(response, header));
}

/** The algorithms beside the usual one. */
export const otherAlgorithms: readonly LimitCircumstance[] = [
  behind('fixed-window-from-first-request', "A window begins with the caller's first request"),
  behind('sliding-log', 'The limiter is a sliding log'),
  behind('sliding-counter', 'The limiter is a sliding counter'),
  behind('token-bucket', 'The limiter is a token bucket'),
];

/** What comes with every algorithm. */
export const limitConditions: readonly LimitCircumstance[] = [
  {
    name: 'late-in-a-minute',
    title: 'The run begins late in a minute of the service’s clock',
    options: {},
    ahead: 43_000,
    turns: [],
    unjudged: [],
  },
  {
    name: 'other-client',
    title: 'Another client sends a request with the same key every two seconds',
    options: withOtherClient(2_000),
    turns: [],
    unjudged: [],
  },
  {
    name: 'no-remaining',
    title: 'No response carries X-RateLimit-Remaining',
    options: without('X-RateLimit-Remaining'),
    turns: ['RATE-02'],
    unjudged: ['RATE-05'],
  },
  {
    name: 'no-reset',
    title: 'No response carries X-RateLimit-Reset',
    options: without('X-RateLimit-Reset'),
    turns: ['RATE-03'],
    unjudged: ['LIMIT-06', 'LIMIT-14'],
  },
];
