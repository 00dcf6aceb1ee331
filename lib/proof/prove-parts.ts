import { count } from '../explain/count.js';
import { catalogue, classOf } from '../specification/catalogue.js';
import type { Profile } from '../verdict/requirement.js';
import { parts, type Part, type ProofCase } from './cases.js';
import { differences, isFound, prove, type Entry } from './matrix.js';

interface Proving {
  /** The names of faults and variants; all if undefined. */
  readonly only?: readonly string[] | undefined;
  readonly profile?: Profile | undefined;
  /** Keeps the evidence of each run in a folder; what is there is judged again. */
  readonly evidence?: string | undefined;
  /** How many cases are drawn of the parts that draw theirs, and the seed that they are drawn from. */
  readonly sample?: number | undefined;
  readonly seed?: number | undefined;
}

/** The share of the faults under circumstances that must be found. */
const leastFound = 0.93;

const print = (lines: readonly string[]): void => console.log(lines.join('\n'));

/** Proves cases, prints each, and gives whether everything is as it must be. */
export async function proveParts(chosen: readonly Part[], proving: Proving): Promise<boolean> {
  const { only, profile, evidence, sample, seed = 1 } = proving;
  // A case of the circumstances is named after its fault: `limit-one-more + sliding-log`.
  const isWanted = ({ name }: ProofCase): boolean => only?.includes(name.split(' + ')[0] ?? name) ?? true;
  const began = performance.now();
  const entries: Entry[] = [];
  for (const part of chosen)
    for (const one of parts[part](seed, sample).filter(isWanted)) {
      // The limits are tried in the same way by every profile.
      const entry = await prove(one, part === 'functional' ? profile : 'standard', evidence);
      entries.push(entry);
      print(entryLines(entry));
    }
  print(totalLines(entries, performance.now() - began));
  const unseen = only === undefined && chosen.includes('functional') ? blindTo(entries) : [];
  if (unseen.length > 0) print([`No fault turned ${unseen.join(', ')}.`]);
  const { missed, hidden } = underCircumstances(entries);
  const isEachRight = entries.every((entry) => differences(entry).length === 0);
  return isEachRight && unseen.length === 0 && missed.length <= (1 - leastFound) * hidden.length;
}

function underCircumstances(entries: readonly Entry[]) {
  const hidden = entries.filter(({ group }) => group !== undefined);
  return { hidden, missed: hidden.filter((entry) => !isFound(entry)) };
}

/** One fault or variant: whether the suite found exactly what there is, what turned, and what is not as it should be. */
export function entryLines(entry: Entry): string[] {
  const wrong = differences(entry);
  const mark = wrong.length === 0 ? 'ok ' : 'NOT';
  return [
    `${mark} ${entry.name.padEnd(38)}  ${judged(entry)}`,
    ...wrong.map((line) => `      ${line}`),
    ...(wrong.length === 0 ? [] : [`      ${entry.title}`]),
  ];
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
  const listed = (some: readonly Entry[]): string => some.map(({ name }) => name).join(', ') || 'none';
  const turned = new Set(entries.flatMap(({ turned }) => turned));
  const requests = entries.reduce((sum, entry) => sum + entry.requests, 0);
  const wrong = entries.filter((entry) => differences(entry).length > 0);
  const { missed, hidden } = underCircumstances(entries);
  // Circumstances may be defects of their own.
  const plain = entries.filter((one) => one.kind === 'fault' && !one.group && one.turned.length > 0);
  const ofOneCause = plain.filter(({ causes }) => causes.length === 1);
  return [
    '',
    `${counted('fault', 'fault')}, turning ${count(turned.size, 'requirement')}`,
    `${counted('variant', 'conforming variant')}, ${counted('pair', 'pair of faults', 'pairs of faults')}`,
    `${count(requests, 'request')} in ${(milliseconds / 1_000).toFixed(1)} s`,
    wrong.length === 0 ? 'Each turned exactly what it should.' : `Not as they should be: ${listed(wrong)}.`,
    `Found under circumstances: ${hidden.length - missed.length} of ${hidden.length}, not ${listed(missed)}`,
    `One cause is printed for ${ofOneCause.length} of ${plain.length} faults.`,
  ];
}
