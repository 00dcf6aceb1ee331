import { isFixedWindow, algorithmNames, type AlgorithmName } from '../limiter/limiter.js';
import type { History } from '../history/history.js';
import {
  contentErrors,
  isAdmitted,
  isRejected,
  isServed,
  laggingClock,
  reportsRemaining,
  waitEnds,
} from '../history/observation.js';
import { both, exactly, type Interval } from '../interval.js';
import { tolerances } from '../tolerances.js';
import { bits } from './bits.js';
import { isContradicted, type Explanation, type Hypothesis } from './hypothesis.js';

/** What a limiter costs that does one of these, in bits; and one that is hardly rarer than those that don't. */
const habit = 1;
const hardlyRarer = 0.1;
export const steps = 3;
/** Parts that fade explain nearly everything that comes back little by little: they convict nobody, and excuse hardly more than what nobody knows. */
const inParts = bits.unknown - 1;

export function plainHypothesis({ plan, windowMs }: History, algorithm: AlgorithmName): Hypothesis {
  return {
    algorithm,
    bits: 0,
    limit: plan.perMinute,
    windowMs,
    chargesRejected: false,
    uncharged: new Set(),
    rules: {},
    partition: 'none',
    shownLess: 0,
    believesRemaining: true,
  };
}

/** The usual limiters that conform: of each algorithm those whose rejections count and don't, and that read Remaining before. */
export function usualHypotheses(history: History): Hypothesis[] {
  const rejects = history.own.some(isRejected);
  const shown = readsBefore(history) ? [0, -1] : [0];
  return algorithmNames.flatMap((name) => {
    const plain = plainHypothesis(history, name);
    // In a fixed window a rejected request changes nothing.
    const isSame = !rejects || isFixedWindow(name);
    const each = isSame ? [plain] : [plain, { ...plain, bits: hardlyRarer, chargesRejected: true }];
    return shown.flatMap((shownLess) =>
      each.map((one) => ({ ...one, bits: one.bits - shownLess * habit, shownLess })),
    );
  });
}

/** Whether Remaining may be read before the request is counted: all is left behind one, or one just before a rejection. */
function readsBefore({ own }: History): boolean {
  return own.some(({ headers: { remaining, limit, period }, ...one }, index) => {
    const isLast = remaining === 1 && own[index + 1]?.outcome === 'rejected';
    return isServed(one) && period === 'minute' && remaining !== undefined && (remaining === limit || isLast);
  });
}

/** What less usual limiters do that conform, in the order in which it is tried: the same limiter with such a habit. */
export const habits: ReadonlyArray<(one: Explanation, history: History) => Hypothesis[]> = [
  otherPhaseOf,
  freeErrorsOf,
  laggingOf,
  steppedOf,
  inPartsOf,
];

/** Windows that begin at another moment than the clock's minute. */
function otherPhaseOf({ hypothesis }: Explanation, history: History): Hypothesis[] {
  const phase = /clock|counter/u.test(hypothesis.algorithm) ? phaseTold(history) : undefined;
  return phase ? [{ ...hypothesis, bits: hypothesis.bits + habit, phase }] : [];
}

/** A clock that is ahead of the `Date` that it writes. */
function laggingOf({ hypothesis }: Explanation, history: History): Hypothesis[] {
  const clock = laggingClock(history.clock);
  return clock ? [{ ...hypothesis, bits: hypothesis.bits + habit, clock }] : [];
}

/** Such a share of the Resets and Retry-Afters names one and the same end, if windows begin at any moment. */
const shareOfPhase = 2 / 3;

/** The clock by which windows of a minute end when most responses say that they do; undefined if they don't agree. */
function phaseTold({ own, windowMs, ...history }: History): Interval | undefined {
  const clock = laggingClock(history.clock) ?? history.clock;
  const rounded = tolerances.resetRoundingMs;
  const ends = own.flatMap((one): Interval[] => {
    const { reset, period } = one.headers;
    if (reset !== undefined && clock && period === 'minute')
      return [[reset - clock[1] - rounded, reset - clock[0] + rounded]];
    // Beside a Reset a wait tells nothing: one that is always a whole window ends when no window does.
    const wait = isRejected(one) ? waitEnds(one, clock) : undefined;
    return wait === undefined ? [] : [[wait - 2 * rounded, wait + rounded]];
  });
  for (const [first, last] of ends) {
    let phase: Interval = [-last, -first];
    const agreeing = ends.filter(([from, to]) => {
      const windows = Math.round((to + phase[0]) / windowMs) * windowMs;
      const common = both(phase, [windows - to, windows - from]);
      phase = common ?? phase;
      return common !== undefined;
    });
    if (agreeing.length >= ends.length * shareOfPhase) return phase;
  }
  return undefined;
}

/** Errors that use nothing, or give back what they have used. */
function freeErrorsOf({ hypothesis }: Explanation, { own }: History): Hypothesis[] {
  const errors = [...own.entries()].filter(
    ([, one]) => isAdmitted(one) && contentErrors.has(one.status ?? 0),
  );
  // Behind one that is counted Remaining falls by more than the next request uses.
  const counted = errors.filter(([index]) => {
    const [before, next] = [own[index - 1], own[index + 1]];
    const [was = 0, is = was] = [before, next].map((one) => one?.headers.remaining);
    return was - is > Number(next !== undefined && !isRejected(next));
  });
  if (errors.length === 0 || 2 * counted.length > errors.length) return [];
  return [false, true].map((givesBackLate) => ({
    ...hypothesis,
    bits: hypothesis.bits + hardlyRarer,
    uncharged: contentErrors,
    givesBackLate,
  }));
}

/** Seconds after which a bucket is refilled, or a log forgets, if not evenly: a minute is divided into so many. */
const divisions = [1, 2, 3, 5, 6, 10, 12, 15, 20, 30];

/** A clock of whole seconds; and longer steps by the clock. */
export function steppedOf(
  explanation: Pick<Explanation, 'hypothesis' | 'findings'>,
  { own, ...history }: History,
): Hypothesis[] {
  const { hypothesis } = explanation;
  const clock = hypothesis.clock ?? history.clock;
  const [first] = own;
  const isBucket = hypothesis.algorithm === 'token bucket';
  const seconds = bySteps(hypothesis, 1_000, clock && [-clock[1], -clock[0]]);
  // Without Remaining a log in parts would explain each window that is too short.
  const comesBack = isBucket || (reportsRemaining(own) && hypothesis.algorithm === 'sliding log');
  // Longer steps show by more or less at once than comes back evenly.
  if (!clock || !comesBack || !isContradicted(explanation)) return [seconds];
  // At the end of a step, a clock that is not quite known would excuse all of it.
  const begins = [0, 0.5, 1].map((part) => exactly(-clock[0] - part * (clock[1] - clock[0])));
  if (isBucket && first) begins.push(exactly(first.sentAt), exactly(first.receivedAt));
  return [
    seconds,
    ...begins.flatMap((from) => divisions.map((length) => bySteps(hypothesis, length * 1_000, from))),
  ];
}

/** The same limiter by a clock that goes by steps of so many milliseconds. */
function bySteps(hypothesis: Hypothesis, ms: number, from: Interval | undefined): Hypothesis {
  return { ...hypothesis, bits: hypothesis.bits + steps, steps: { ms, from } };
}

/** A sliding counter that sums parts of a window, by whole seconds or not. */
function inPartsOf(explanation: Explanation, history: History): Hypothesis[] {
  const { hypothesis } = explanation;
  const clock = hypothesis.phase ?? laggingClock(history.clock) ?? history.clock;
  if (hypothesis.algorithm !== 'sliding counter' || !clock || !isContradicted(explanation)) return [];
  const from: Interval = [-clock[1], -clock[0]];
  return [hypothesis, bySteps(hypothesis, 1_000, from)].flatMap((one) =>
    divisions.map((length) => ({ ...one, bits: one.bits + inParts, parts: { ms: length * 1_000, from } })),
  );
}
