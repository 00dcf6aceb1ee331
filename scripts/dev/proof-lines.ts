import {
  differences,
  foundUnderCircumstances,
  isFound,
  leastFound,
  shareOfOneCause,
  type Entry,
} from '../../lib/proof/matrix.js';
import type { RandomCase } from '../../lib/proof/random-limiters.js';
import { catalogue, classOf } from '../../lib/specification/catalogue.js';
import type { Layout } from '../../reports/terminal/layout.js';
import { count, duration, integer } from '../../reports/text/quantity.js';

/** The column at which the ids after a name begin. */
const idsFrom = 44;

/** One fault or variant: whether the suite found exactly what there is, what turned, and what is not as it should be. */
export function entryLines(entry: Entry, layout: Layout): string[] {
  const wrong = differences(entry);
  const mark = wrong.length === 0 ? layout.paint('green', 'ok ') : layout.paint('red', 'NOT');
  const name = `    ${entry.name}  `;
  // A name that is too long has a line of its own.
  const beginning = name.length > idsFrom ? ' '.repeat(idsFrom) : name.padEnd(idsFrom);
  const ids = layout.paragraph(beginning, judged(entry), idsFrom).split('\n');
  const [first = '', ...more] = name.length > idsFrom ? [name.trimEnd(), ...ids] : ids;
  return [
    `${mark}${first.slice(3)}`,
    ...more,
    ...wrong.map((line) => layout.paragraph('      ', line, 6)),
    ...(hasSeveralCauses(entry) ? [layout.paragraph('      ', `causes: ${entry.causes.join('; ')}`, 6)] : []),
    ...(wrong.length === 0 ? [] : [layout.paragraph('      ', entry.title, 6)]),
  ];
}

function hasSeveralCauses({ kind, group, causes }: Entry): boolean {
  return kind === 'fault' && group === undefined && causes.length > 1;
}

/** For how many faults one cause is printed, and why more are for the others. */
function causeLines(entries: readonly Entry[], layout: Layout): string[] {
  const { one, of } = shareOfOneCause(entries);
  if (of === 0) return [];
  const others = entries
    .filter(hasSeveralCauses)
    .map(({ name, severalCauses = 'no reason is given' }) => `${name} (${severalCauses})`);
  const share = `One cause is printed for ${one} of ${of} faults (${((100 * one) / of).toFixed(1)} %)`;
  return [
    layout.paragraph('', others.length === 0 ? `${share}.` : `${share}; several for ${others.join(', ')}.`),
  ];
}

/** How many faults under circumstances were found, and which were not. */
function circumstanceLines(entries: readonly Entry[], layout: Layout): string[] {
  const { missed, of, share } = foundUnderCircumstances(entries);
  if (of === 0) return [];
  const found = `Under circumstances ${of - missed.length} of ${of} faults were found (${(100 * share).toFixed(1)} %; at least ${100 * leastFound} % must be)`;
  const names = missed.map(({ name }) => name).join(', ');
  return [layout.paragraph('', missed.length === 0 ? `${found}.` : `${found}; not ${names}.`)];
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

function judged(entry: Entry): string {
  const { kind, turned, open, causes, group } = entry;
  if (kind === 'pair') return causes.join('; ');
  if (group !== undefined && !isFound(entry)) return ['not found', ...turned].join(' ');
  if (kind === 'fault' || turned.length > 0) return turned.length === 0 ? 'nothing turned' : turned.join(' ');
  return open.length === 0 ? 'conforms' : `conforms; open: ${open.join(' ')}`;
}

/** What the matrix comes to. */
export function totalLines(entries: readonly Entry[], milliseconds: number, layout: Layout): string[] {
  const requests = entries.reduce((sum, entry) => sum + entry.requests, 0);
  const wrong = entries.filter((entry) => differences(entry).length > 0);
  const counted = (kind: Entry['kind'], name: string, plural?: string): string =>
    count(entries.filter((entry) => entry.kind === kind).length, name, plural);
  const turned = new Set(entries.flatMap(({ turned }) => turned));
  const hasPairs = entries.some(({ kind }) => kind === 'pair');
  const pairs = hasPairs ? `, and ${counted('pair', 'pair of faults', 'pairs of faults')}` : '';
  const whole = `${counted('fault', 'fault')}, turning ${count(turned.size, 'requirement')}, ${hasPairs ? '' : 'and '}${counted('variant', 'conforming variant')}${pairs}; ${integer(requests)} requests in ${duration(milliseconds)}.`;
  const isExact = entries.every(({ group }) => group === undefined);
  const expected = isExact ? 'Each turned exactly what it should.' : 'Nothing turned that should not.';
  const verdict =
    wrong.length === 0 ? expected : `Not as they should be: ${wrong.map(({ name }) => name).join(', ')}.`;
  return [
    '',
    layout.paragraph('', whole),
    layout.paragraph('', verdict),
    ...circumstanceLines(entries, layout),
    ...causeLines(entries, layout),
  ];
}

/** A conforming limiter that is accused: its seed, what it is, and of what. */
export function randomCaseLines({ seed, description, accusations }: RandomCase): string[] {
  return [`NOT --seed=${seed}`, `      ${description}`, ...accusations.map((line) => `      ${line}`)];
}

/** How many conforming limiters were accused, and how often each row was left open. */
export function randomTotalLines(cases: readonly RandomCase[], milliseconds: number): string[] {
  const accused = cases.filter(({ accusations }) => accusations.length > 0);
  const open = new Map<string, number>();
  for (const id of cases.flatMap((one) => one.open)) open.set(id, (open.get(id) ?? 0) + 1);
  const rows = [...open].toSorted(([a], [b]) => a.localeCompare(b));
  return [
    '',
    `${accused.length} of ${count(cases.length, 'random limiter')} that conform accused, in ${duration(milliseconds)}.`,
    `Left open: ${rows.map(([id, times]) => `${id} ${times}`).join(', ') || 'nothing'}.`,
  ];
}
