import { setTimeout as delay } from 'node:timers/promises';
import type { RequirementId } from '../../specification/catalogue.js';
import { withBehaviour, withResponses } from '../changes.js';
import { withoutHeader } from '../http-message.js';
import { hasKey } from '../limiter/limiter.js';
import type { ReferenceOptions } from '../options.js';
import { payloadOf, writeHead } from '../send-response.js';

export type ConditionName =
  'jitter' | 'late-in-a-minute' | 'other-client' | 'no-remaining' | 'no-reset' | 'no-date';

/** Circumstances in which a limiter shows less of itself. They combine with every fault and every variant. */
export interface LimitCondition {
  readonly name: ConditionName;
  readonly title: string;
  readonly options: ReferenceOptions;
  /** Milliseconds by which the service's clock is ahead of the suite's: the run begins five seconds into a minute of ours. */
  readonly ahead?: number;
  /** The ids that turn by the condition itself. */
  readonly turns: readonly RequirementId[];
  /** The ids that may stay open, as what they are judged by is missing or may be another client's doing. */
  readonly hides: readonly RequirementId[];
  /** The same, of faults that admit too few. */
  readonly hidesTooFew?: readonly RequirementId[];
}

/** Milliseconds from 0 to `most`, as irregular as a network's, and the same in every run. */
export function irregular(most: number): () => number {
  let state = 12_345;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return (state / 2_147_483_648) * most;
  };
}

/** Responses of which each takes up to so many milliseconds more. */
export function withJitter(milliseconds: number): ReferenceOptions {
  return withBehaviour(({ finish }) => {
    const next = irregular(milliseconds);
    return {
      async finish(...parts) {
        await delay(next());
        return finish(...parts);
      },
    };
  });
}

/** Responses that say no Date, which HTTP allows to a service without a clock. */
export const withoutDate: ReferenceOptions = withBehaviour(() => ({
  transmit(response, _request, outgoing, service) {
    if (response.drop) {
      outgoing.destroy();
      return;
    }
    const payload = payloadOf(response, service);
    writeHead(outgoing, response, [['Content-Length', String(payload?.byteLength ?? 0)]]);
    outgoing.end(payload);
  },
}));

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

function without(header: string): ReferenceOptions {
  return withResponses((response) => withoutHeader(response, header));
}

export const limitConditions: readonly LimitCondition[] = [
  {
    name: 'jitter',
    title: 'Every response takes up to twenty milliseconds more',
    options: withJitter(20),
    turns: [],
    hides: [],
  },
  {
    name: 'late-in-a-minute',
    title: 'The run begins late in a minute of the service’s clock',
    options: {},
    ahead: 43_000,
    turns: [],
    hides: [],
  },
  {
    name: 'other-client',
    title: 'Another client sends a request with the same key every two seconds',
    options: withOtherClient(2_000),
    turns: [],
    // It may take what came back, and use what is missing.
    hides: ['LIMIT-05', 'LIMIT-14'],
    hidesTooFew: ['LIMIT-01', 'LIMIT-03', 'LIMIT-09'],
  },
  {
    name: 'no-remaining',
    title: 'No response carries X-RateLimit-Remaining',
    options: without('X-RateLimit-Remaining'),
    turns: ['RATE-02'],
    hides: ['RATE-05'],
  },
  {
    name: 'no-reset',
    title: 'No response carries X-RateLimit-Reset',
    options: without('X-RateLimit-Reset'),
    turns: ['RATE-03'],
    hides: ['LIMIT-06', 'LIMIT-14'],
  },
  {
    name: 'no-date',
    title: 'No response carries Date',
    options: withoutDate,
    turns: [],
    // Nothing shows the clock by which Reset is compared with what comes.
    hides: ['RATE-03', 'LIMIT-06', 'LIMIT-14'],
  },
];
