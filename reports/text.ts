import type { RequirementResult } from '../lib/evidence/record/record.js';
import { count, integer, threeDigits } from '../lib/explain/count.js';

/** How every report words numbers, times, findings and ids: in English, in UTC, the same on every machine. */

export { count, integer };

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

/** `2026-03-02 09:30:00 UTC`, of a date in UTC as records have it. */
export function moment(iso: string): string {
  return `${iso.slice(0, 19).replace('T', ' ')} UTC`;
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The first sentence of a text: a full stop before a capital letter ends it. */
export function firstSentence(text: string): string {
  return /^.*?[.](?= [A-Z])/su.exec(text)?.[0] ?? text;
}

/** `MUST § 5.3, 7` of the specification; an RFC has its own name. */
export function levelText({ level, section }: Pick<RequirementResult, 'level' | 'section'>): string {
  return `${level} ${section.replace(/^(?=\d)/u, '§ ')}`.trim();
}

/** `Waived until 2026-04-30 by store team: reason`. */
export function waiverText({ until, owner, reason }: NonNullable<RequirementResult['waived']>): string {
  return `Waived until ${until} by ${owner}: ${reason}`;
}

/** Ids in few words: `AUTH-01, LIST-02 to LIST-04`. Three or more that follow each other make a range. */
export function requirementRanges(ids: readonly string[]): string {
  const runs: string[][] = [];
  for (const id of ids) {
    const run = runs.at(-1);
    const [prefix, number] = run?.at(-1)?.split('-') ?? [];
    const next = `${prefix}-${String(Number(number) + 1).padStart(2, '0')}`;
    if (id === next) run?.push(id);
    else runs.push([id]);
  }
  return runs.map((run) => (run.length < 3 ? run.join(', ') : `${run[0]} to ${run.at(-1)}`)).join(', ');
}

/** The items by the key of each, in the order in which the keys come first. */
export function groupBy<T, Key extends string>(items: Iterable<T>, keyOf: (item: T) => Key): Map<Key, T[]> {
  const groups = new Map<Key, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

/** Characters that are kept before the difference, for the eye to find its place. */
const context = 20;

/** Two texts from shortly before their difference; unchanged if it is within the first `shown` characters. */
export function fromDifference(one: string, other: string, shown: number): [string, string] {
  const [own = [], others = []] = [one, other].map((text) => Array.from(text));
  const first = Array.from({ length: Math.max(own.length, others.length) }).findIndex(
    (_, index) => own[index] !== others[index],
  );
  const from = (characters: readonly string[]): string => `…${characters.slice(first - context).join('')}`;
  return first < shown - context ? [one, other] : [from(own), from(others)];
}

export type Fact = readonly [name: string, text: string];

/** What a report tells beside the causes. A format only lays it out. */
export interface Part {
  readonly title: string;
  readonly facts: readonly Fact[];
}

export function known(facts: ReadonlyArray<readonly [name: string, text: string | undefined]>): Fact[] {
  return facts.flatMap(([name, text]) => (text ? [[name, text]] : []));
}
