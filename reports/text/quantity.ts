import { count, integer, threeDigits } from '../../lib/explain/count.js';

export { count, integer };

/** Numbers, counts and times as every report writes them: in English, in UTC, the same on every machine. */

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

/** `15/s`, `0.917/s`. */
export function rate(perSecond: number): string {
  return `${threeDigits(perSecond)}/s`;
}

/** `12.5 %`: three digits of a share. */
export function percent(share: number): string {
  return `${threeDigits(100 * share)} %`;
}

/** `2026-03-02 09:30:00 UTC`, of a date in UTC as records have it. */
export function moment(iso: string): string {
  return `${iso.slice(0, 19).replace('T', ' ')} UTC`;
}

/** The text with a capital letter at its beginning. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
