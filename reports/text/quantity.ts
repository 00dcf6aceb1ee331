import { count, integer, threeDigits } from '../../lib/explain/count.js';

export { count, integer };

/** Numbers, counts, times and sizes as every report writes them: in English, in UTC, the same on every machine. */

/** `14 ms`, `4.2 s`, `3 min 20 s`, `1 h 40 min`. */
export function duration(milliseconds: number): string {
  if (!Number.isFinite(milliseconds)) return 'unknown';
  if (Math.abs(milliseconds) < 1_000) return `${threeDigits(milliseconds)} ms`;
  if (Math.abs(milliseconds) < 60_000) return `${threeDigits(milliseconds / 1_000)} s`;
  const seconds = Math.round(milliseconds / 1_000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  const hours = integer(Math.floor(minutes / 60));
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
}

/** `812 bytes`, `48 kB`, `5 MB` (powers of 1000). */
export function bytes(value: number): string {
  if (value < 1_000) return count(value, 'byte');
  if (value < 1_000_000) return `${threeDigits(value / 1_000)} kB`;
  return `${threeDigits(value / 1_000_000)} MB`;
}

/** `15/s`, `0.917/s`. */
export function rate(perSecond: number): string {
  return `${threeDigits(perSecond)}/s`;
}

/** `12.5 %`: three digits of a share. */
export function percent(share: number): string {
  return `${threeDigits(100 * share)} %`;
}

const months = 'January February March April May June July August September October November December'.split(
  ' ',
);

/** `2 March 2026 at 09:30:00 UTC`; a text that is not a date stays as it is. */
export function moment(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return iso;
  const day = `${time.getUTCDate()} ${months[time.getUTCMonth()]} ${time.getUTCFullYear()}`;
  return `${day} at ${time.toISOString().slice(11, 19)} UTC`;
}

/** The text with a capital letter at its beginning. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
