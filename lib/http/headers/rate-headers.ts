import { headerValues, type Exchange } from '../exchange/exchange.js';

/** What the rate-limit headers of section 8 say, where they say it in the documented form. */
export interface RateHeaders {
  readonly limit?: number;
  readonly remaining?: number;
  /** Unix seconds. */
  readonly reset?: number;
}

/** A decimal integer that JavaScript holds exactly. */
export function wholeNumber(text: string | undefined): number | undefined {
  if (text === undefined || !/^-?\d{1,15}$/.test(text)) return undefined;
  return Number(text);
}

/** Reads `X-RateLimit-*` of a response; what is missing, repeated or no integer is left out. */
export function rateHeadersOf(exchange: Exchange): RateHeaders {
  const single = (name: string): number | undefined => {
    const values = headerValues(exchange, name);
    return values.length === 1 ? wholeNumber(values[0]) : undefined;
  };
  const limit = single('X-RateLimit-Limit');
  const remaining = single('X-RateLimit-Remaining');
  const reset = single('X-RateLimit-Reset');
  return {
    ...(limit === undefined ? {} : { limit }),
    ...(remaining === undefined ? {} : { remaining }),
    ...(reset === undefined ? {} : { reset }),
  };
}

/**
 * The wait that `Retry-After` asks for, in milliseconds (RFC 9110 10.2.3): delta-seconds or an HTTP date, read against
 * the target's own clock. `undefined` where there is none, or none that makes sense.
 */
export function retryAfterMilliseconds(exchange: Exchange, targetNow: number): number | undefined {
  return waitAskedFor(headerValues(exchange, 'Retry-After')[0], targetNow);
}

/** The same of the header's value alone. */
export function waitAskedFor(retryAfter: string | undefined, targetNow: number): number | undefined {
  const value = retryAfter?.trim();
  if (value === undefined) return undefined;
  if (/^\d{1,15}$/.test(value)) return Number(value) * 1000;
  if (!/[a-z]/i.test(value)) return undefined;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - targetNow);
}
