import { valuesOf, type HeaderList } from './header-list.js';
import { parseHttpDate } from './http-date.js';

export type RateHeaders = Readonly<ReturnType<typeof parseRateHeaders>>;

/** A decimal integer that JavaScript holds exactly. */
export function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^-?\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** What the headers of section 8 say in one response. One that is missing, repeated or unreadable is left out. */
export function parseRateHeaders(headers: HeaderList) {
  const single = (name: string): string | undefined => {
    const values = valuesOf(headers, name);
    return values.length === 1 ? values[0] : undefined;
  };
  const reset = wholeNumber(single('X-RateLimit-Reset'));
  /** In milliseconds since the Unix epoch: the target's clock was in [date, date + 1 s). */
  const date = parseHttpDate(single('Date') ?? '');
  return {
    limit: wholeNumber(single('X-RateLimit-Limit')),
    remaining: wholeNumber(single('X-RateLimit-Remaining')),
    /** As it is written, Unix seconds if it is right. */
    reset,
    /** The moment that Reset means, in whatever unit: milliseconds since the Unix epoch by the target's clock. */
    resetAt: momentOf(reset, date),
    /** Present if the header is, however it is written. */
    retryAfter: parseRetryAfter(valuesOf(headers, 'Retry-After')),
    date,
  };
}

/** Unix seconds, milliseconds and seconds to go differ in size for centuries, so a Reset in a wrong unit is usable too. */
function momentOf(reset: number | undefined, date: number | undefined): number | undefined {
  if (reset === undefined || reset < 0) return undefined;
  if (reset >= 1e9 && reset < 1e11) return reset * 1000;
  if (reset >= 1e12 && reset < 1e14) return reset;
  return reset < 1e6 && date !== undefined ? date + reset * 1000 : undefined;
}

/** What `Retry-After` says (RFC 9110 10.2.3). `date` is in milliseconds since the Unix epoch by the target's clock. */
export type RetryAfter = { readonly text: string } & (
  | { readonly form: 'seconds'; readonly seconds: number }
  | { readonly form: 'date'; readonly date: number }
  | { readonly form: 'malformed' }
);

/** Reads all values of the header; undefined if there is none, malformed if there are several. */
export function parseRetryAfter(values: readonly string[]): RetryAfter | undefined {
  const [first] = values;
  if (first === undefined) return undefined;
  const text = values.join(', ');
  if (/^\d{1,15}$/.test(text)) return { text, form: 'seconds', seconds: Number(text) };
  const date = values.length === 1 ? parseHttpDate(first) : undefined;
  return date === undefined ? { text, form: 'malformed' } : { text, form: 'date', date };
}

/** Milliseconds to wait from `targetNow` (the target's clock); undefined if the header does not tell. */
export function waitOf(retryAfter: RetryAfter | undefined, targetNow: number): number | undefined {
  if (retryAfter?.form === 'seconds') return retryAfter.seconds * 1000;
  return retryAfter?.form === 'date' ? Math.max(0, retryAfter.date - targetNow) : undefined;
}
