import { differences, foundUnderCircumstances, isFound, shareOfOneCause, type Entry } from './matrix.js';
import type { RandomCase } from './random-limiters.js';
import { catalogue, classOf } from '../specification/catalogue.js';
import { count } from '../explain/count.js';

/** One fault or variant: whether the suite found exactly what there is, what turned, and what is not as it should be. */
export function entryLines(entry: Entry): string[] {
  const wrong = differences(entry);
  const mark = wrong.length === 0 ? 'ok ' : 'NOT';
  return [
    `${mark} ${entry.name.padEnd(38)}  ${judged(entry)}`,
    ...wrong.map((line) => `      ${line}`),
    ...(hasSeveralCauses(entry) ? [`      causes: ${entry.causes.join('; ')} (${entry.severalCauses})`] : []),
    ...(wrong.length === 0 ? [] : [`      ${entry.title}`]),
  ];
}

function hasSeveralCauses({ kind, group, causes }: Entry): boolean {
  return kind === 'fault' && group === undefined && causes.length > 1;
}

function judged(entry: Entry): string {
  const { kind, turned, open, causes, group } = entry;
  if (kind === 'pair') return causes.join('; ');
  if (group !== undefined && !isFound(entry)) return ['not found', ...turned].join(' ');
  if (kind === 'fault' || turned.length > 0) return turned.join(' ') || 'nothing turned';
  return open.length === 0 ? 'conforms' : `conforms; open: ${open.join(' ')}`;
}

/** The functional MUSTs that no fault of these has turned: what the suite is blind to. Quick has no room for LIST-05. */
export function blindTo(entries: readonly Entry[]): string[] {
  const turned = new Set(entries.flatMap(({ turned }) => turned));
  const isQuick = entries.some(({ profile }) => profile === 'quick');
  return catalogue
    .filter(({ id, level }) => level === 'MUST' && classOf(id) === 'functional')
    .map(({ id }) => id)
    .filter((id) => !turned.has(id) && !(isQuick && id === 'LIST-05'));
}

/** What the matrix comes to. */
export function totalLines(entries: readonly Entry[], milliseconds: number): string[] {
  const counted = (kind: Entry['kind'], name: string, plural?: string): string =>
    count(entries.filter((entry) => entry.kind === kind).length, name, plural);
  const turned = new Set(entries.flatMap(({ turned }) => turned));
  const requests = entries.reduce((sum, entry) => sum + entry.requests, 0);
  const wrong = entries.filter((entry) => differences(entry).length > 0);
  const { missed, of } = foundUnderCircumstances(entries);
  const causes = shareOfOneCause(entries);
  return [
    '',
    `${counted('fault', 'fault')}, turning ${count(turned.size, 'requirement')}`,
    `${counted('variant', 'conforming variant')}, ${counted('pair', 'pair of faults', 'pairs of faults')}`,
    `${count(requests, 'request')} in ${(milliseconds / 1_000).toFixed(1)} s`,
    wrong.length === 0 ? 'Each turned exactly what it should.' : `Not as they should be: ${listed(wrong)}.`,
    ...(of === 0 ? [] : [`Found under circumstances: ${of - missed.length} of ${of}, not ${listed(missed)}`]),
    ...(causes.of === 0 ? [] : [`One cause is printed for ${causes.one} of ${causes.of} faults.`]),
  ];
}

function listed(entries: readonly Entry[]): string {
  return entries.map(({ name }) => name).join(', ') || 'none';
}

/** The conforming limiters that are accused, by their seeds, and how often each row was left open. */
export function randomLines(cases: readonly RandomCase[]): string[] {
  const accused = cases.filter(({ accusations }) => accusations.length > 0);
  const open = new Map<string, number>();
  for (const id of cases.flatMap((one) => one.open)) open.set(id, (open.get(id) ?? 0) + 1);
  return [
    ...accused.flatMap(({ seed, description, accusations }) => [
      `NOT --seed=${seed}  ${description}`,
      ...accusations.map((line) => `      ${line}`),
    ]),
    `Left open: ${[...open].map(([id, times]) => `${id} ${times}`).join(', ') || 'nothing'}.`,
    `${accused.length} of ${count(cases.length, 'random limiter')} that conform accused.`,
  ];
}
