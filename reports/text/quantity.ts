/** Figures and dates as the report writes them: in English, in UTC, the same on every machine. */

const integers = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 });
const threeDigits = new Intl.NumberFormat('en-GB', { maximumSignificantDigits: 3 });

/** 1000 is `1,000`. */
export function count(value: number): string {
  return integers.format(value);
}

/** `1 request`, `2 requests`; the plural is the singular with an s, or given. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** Milliseconds as people say them, unbroken before the unit: `14 ms`, `4.2 s`, `3 min 20 s`, `1 h 40 min`. */
export function duration(milliseconds: number): string {
  if (!Number.isFinite(milliseconds)) return 'unknown';
  if (Math.abs(milliseconds) < 1_000) return `${threeDigits.format(milliseconds)}\u00A0ms`;
  if (Math.abs(milliseconds) < 60_000) return `${threeDigits.format(milliseconds / 1_000)}\u00A0s`;
  const seconds = Math.round(milliseconds / 1_000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60)
    return seconds % 60 === 0 ? `${minutes}\u00A0min` : `${minutes}\u00A0min ${seconds % 60}\u00A0s`;
  const hours = Math.floor(minutes / 60);
  return minutes % 60 === 0 ? `${count(hours)}\u00A0h` : `${count(hours)}\u00A0h ${minutes % 60}\u00A0min`;
}

/** Bytes as `812 bytes`, `48 kB`, `5 MB` (powers of 1000). */
export function bytes(value: number): string {
  if (value < 1_000) return counted(value, 'byte');
  if (value < 1_000_000) return `${threeDigits.format(value / 1_000)}\u00A0kB`;
  return `${threeDigits.format(value / 1_000_000)}\u00A0MB`;
}

const dates = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'medium',
  timeZone: 'UTC',
});

/** `2 March 2026 at 09:30:00 UTC`; a text that is no date stays as it is. */
export function moment(iso: string): string {
  const time = Date.parse(iso);
  return Number.isNaN(time) ? iso : `${dates.format(time)} UTC`;
}

/** Several things in one clause: `a`, `a and b`, `a, b and c`. */
export function listed(parts: readonly string[]): string {
  if (parts.length < 2) return parts.join('');
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;
}
