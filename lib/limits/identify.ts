import { compareWithModels, type Comparison, type CompareOptions } from './compare.js';
import { isFixed, refills, type AlgorithmName } from './models.js';
import { refused, type Seen } from './seen.js';
import { viewOf } from './told.js';

/** Which algorithm limits (LIMIT-11), as far as a client can tell. */
export interface Identification {
  /** Those that explain everything seen, or the most of it; the likeliest first. */
  readonly candidates: readonly AlgorithmName[];
  /** Those that explain nearly as much, where others may have used the key: they are not ruled out. */
  readonly rivals: readonly AlgorithmName[];
  /** `certain`: this one explains all of it and every other is contradicted. */
  readonly certainty: 'certain' | 'likely' | 'ambiguous' | 'unknown';
  /** None explains all of it: the figure that is applied may be another than the one that is told. */
  readonly contradicted: boolean;
  /** What it was read from: seconds since the first request, and Remaining (or 429). */
  readonly trace: string;
  /** Whether refused requests use the limit up; undefined where both explain what was seen. */
  readonly countsRefusals: boolean | undefined;
  /** Whether the passing of time may explain admissions above the figure. */
  readonly mayRefill: boolean;
}

type Explanations = Pick<Identification, 'candidates' | 'rivals'>;

/** The algorithms that are not ruled out. */
export function possibleAlgorithms({ candidates, rivals }: Explanations): readonly AlgorithmName[] {
  return [...candidates, ...rivals];
}

/** Whether nothing but fixed windows is left as an explanation. */
export function isFixedWindow(explanations: Explanations): boolean {
  const possible = possibleAlgorithms(explanations);
  return possible.length > 0 && possible.every(isFixed);
}

/** Whether requests may come back one by one. */
export function mayComeOneByOne(explanations: Explanations): boolean {
  return possibleAlgorithms(explanations).some((name) => !isFixed(name));
}

export interface IdentifyOptions extends CompareOptions {
  /** Whether others may have used the key: then nearly as good an explanation may be the right one. */
  readonly disturbed?: () => boolean;
}

/** Names the algorithm that explains what was seen, from the requests of one key in the order of sending. */
export function identify(requests: readonly Seen[], options: IdentifyOptions): Identification {
  const trace = traceOf(requests, options);
  const comparisons = compareWithModels(requests, options);
  const discriminating = comparisons.some(({ contradictions }) => contradictions > 0);
  if (comparisons.every(({ points }) => points === 0) || !discriminating) {
    return {
      candidates: [],
      rivals: [],
      certainty: 'unknown',
      contradicted: false,
      trace,
      countsRefusals: undefined,
      mayRefill: true,
    };
  }
  const least = Math.min(...comparisons.map(({ contradictions }) => contradictions));
  const winners = byTimes(comparisons.filter(({ contradictions }) => contradictions === least));
  const candidates = [...new Set(winners.map(({ name }) => name))];
  const others = comparisons.filter(
    ({ name, contradictions }) => contradictions > least && !candidates.includes(name),
  );
  const near = least > 0 && options.disturbed?.() === true ? others.filter(isNear(least)) : [];
  const rivals = [...new Set(near.map(({ name }) => name))];
  return {
    candidates,
    rivals,
    certainty: certaintyOf(candidates, least, others),
    contradicted: least > 0,
    trace,
    countsRefusals: countsRefusals(winners),
    mayRefill: possibleAlgorithms({ candidates, rivals }).some((name) => refills[name]),
  };
}

/** Where several explain the answers, the times that these name tell them apart: whose window ends at Reset, say. */
function byTimes(winners: readonly Comparison[]): readonly Comparison[] {
  const least = Math.min(...winners.map(({ otherTimes }) => otherTimes));
  return winners.filter(({ otherTimes }) => otherTimes === least);
}

function certaintyOf(
  candidates: readonly AlgorithmName[],
  contradictions: number,
  others: readonly Comparison[],
): Identification['certainty'] {
  if (candidates.length > 1) return 'ambiguous';
  if (contradictions === 0) return 'certain';
  return others.some(isNear(contradictions)) ? 'ambiguous' : 'likely';
}

function isNear(least: number) {
  return ({ contradictions }: Comparison): boolean => contradictions < 2 * least;
}

function countsRefusals(winners: readonly Comparison[]): boolean | undefined {
  const said = new Set(winners.map((winner) => winner.countsRefusals));
  return said.size === 1 ? [...said][0] : undefined;
}

/** Points that a reader can follow: where something begins, ends, or changes its course. */
const mostPoints = 24;

function traceOf(requests: readonly Seen[], { plan, windowMs }: CompareOptions): string {
  const [first] = requests;
  if (!first) return '';
  const points = requests.flatMap((request, index) => {
    const before = requests[index - 1];
    const after = requests[index + 1];
    const edge =
      !before ||
      !after ||
      request.sentAt - before.sentAt > windowMs / 120 ||
      after.sentAt - request.sentAt > windowMs / 120 ||
      refused(before) !== refused(request);
    if (!edge) return [];
    const time = ((request.sentAt - first.sentAt) / 1000).toFixed(1);
    const shown = request.told.remaining === undefined ? '-' : String(request.told.remaining);
    const view = viewOf(request.told, plan, windowMs) === 'day' ? ' (day)' : '';
    return [`${time} s: ${refused(request) ? '429' : `${shown}${view}`}`];
  });
  const kept = points.length <= mostPoints ? points : [...points.slice(0, mostPoints - 1), '…'];
  return kept.join('; ');
}
