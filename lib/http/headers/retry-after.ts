import { parseHttpDate } from './http-date.js';

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
