import type { NewPet } from './operations/animal.js';
import type { Alteration, Behaviour } from './behaviour.js';
import type { ReferenceKey } from './keys.js';
import type { LimiterChoice } from './limiter/limiter.js';
import type { RateHeaderChoice } from './limiter/rate-headers.js';

export interface ReferenceOptions {
  /** The keys that the service accepts. By default one for each plan (referenceKeys). */
  readonly keys?: readonly ReferenceKey[];
  /**
   * What callers without a valid key are granted, all of them together. By default as much as the largest key, so that
   * probes of authentication find 401s and not 429s.
   */
  readonly anonymous?: { readonly perMinute: number; readonly perDay: number };
  /** The service's clock in epoch milliseconds: limiter windows, Date, sunset. By default the machine's. */
  readonly now?: () => number;
  /** The address to listen on. By default 127.0.0.1. */
  readonly host?: string;
  /** The port; 0, the default, takes a free one. */
  readonly port?: number;
  readonly limiter?: LimiterChoice;
  /** How headers show the limiter's decisions. */
  readonly headers?: RateHeaderChoice;
  /** Steps that replace conforming ones, before any alteration. */
  readonly behaviour?: Partial<Behaviour>;
  /** Changes of the behaviour, applied in order. */
  readonly alterations?: readonly Alteration[];
  /** The length of "a minute" in milliseconds. By default 60,000. */
  readonly windowMs?: number;
  /** The length of "a day" in milliseconds. By default 86,400,000. */
  readonly dayMs?: number;
  /** Animals that the store holds from the start, the oldest first. Identifiers are assigned as if they were created. */
  readonly animals?: readonly NewPet[];
  /** The last segment of the base address. By default `v1`. */
  readonly version?: string;
  /** Connections are kept open for more requests. By default they are. */
  readonly keepAlive?: boolean;
  /** Connections that are taken at a time; others are closed at once. By default there is no limit. */
  readonly connections?: number;
}

/** Options that have the effect of all: changes add up, and of other options the last one holds. */
export function combineOptions(...options: readonly ReferenceOptions[]): ReferenceOptions {
  return options.reduce<ReferenceOptions>(
    (combined, next) => ({
      ...combined,
      ...next,
      limiter: combineLimiters(combined.limiter ?? {}, next.limiter ?? {}),
      headers: { ...combined.headers, ...next.headers },
      behaviour: { ...combined.behaviour, ...next.behaviour },
      alterations: [...(combined.alterations ?? []), ...(next.alterations ?? [])],
    }),
    {},
  );
}

function combineLimiters(first: LimiterChoice, second: LimiterChoice): LimiterChoice {
  const minute = inTurn(first.minute, second.minute);
  const day = inTurn(first.day, second.day);
  const wrap = inTurn(first.wrap, second.wrap);
  return {
    ...first,
    ...second,
    ...(minute && { minute }),
    ...(day && { day }),
    ...(wrap && { wrap }),
  };
}

/** One change after the other. */
function inTurn<Value>(
  first: ((value: Value) => Value) | undefined,
  second: ((value: Value) => Value) | undefined,
): ((value: Value) => Value) | undefined {
  return first && second ? (value) => second(first(value)) : (first ?? second);
}
