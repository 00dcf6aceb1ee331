import type { History, Observation } from '../history/history.js';
import { models } from '../limiter/algorithms.js';
import { begunBy, bits, both, exactly, plus, tolerances, type Interval } from '../tolerances.js';
import type { Explanation, Hypothesis, Traced } from './hypothesis.js';
import {
  addOthers,
  addOthersBits,
  chargeOthers,
  find,
  isRejectedOtherwise,
  loadOf,
  partsOf,
  timeOfOthers,
  totalOf,
  type Way,
} from './load.js';

/** Before anything is known. */
const fresh = {
  before: exactly(0),
  found: [],
  atLeisure: 0,
  others: { count: 0, ms: 0 },
  otherTimes: 0,
};

/**
 * Lets a hypothesis follow a history: its explanation is the cheapest way through. What the limiter counts apart is followed
 * apart. @param bound gives up, with undefined, above so many bits
 */
export function follow(
  hypothesis: Hypothesis,
  history: History,
  bound = Number.POSITIVE_INFINITY,
): Explanation | undefined {
  const { steps, phase, clock = history.clock } = hypothesis;
  const model = models[hypothesis.algorithm]({ ...hypothesis, clock: phase ?? clock });
  const all: Way[] = [];
  let score = { behaviour: hypothesis.bits, atLeisure: 0 };
  for (const bursts of partsOf(history, hypothesis.partition)) {
    let ways: Way[] = [];
    for (const burst of bursts) {
      const at = steps ? begunBy(burst.at, steps) : burst.at;
      const step = { model, hypothesis, history, load: loadOf(burst, hypothesis), at };
      const arriving = ways.map((earlier): Way => ({ ...earlier, ...step, earlier }));
      // Before the first burst the key was not used, or it was.
      const beginnings = model.initial(at).map((state, index): Way => {
        const behaviour = score.behaviour + index * bits.past;
        return { ...fresh, ...step, ...score, behaviour, state };
      });
      ways = cheapest((arriving.length > 0 ? arriving : beginnings).flatMap(waysOn));
      const [best] = ways;
      if (!best || totalOf(best) > bound) return undefined;
    }
    const [last] = ways;
    if (last) score = { behaviour: last.behaviour, atLeisure: last.atLeisure };
    for (let way = last; way; way = way.earlier) all.push(way);
  }
  all.sort((a, b) => a.load.burst.at[0] - b.load.burst.at[0]);
  return {
    hypothesis,
    findings: all.flatMap(({ found }) => found),
    traced: all.map(tracedOf),
    total: totalOf(score),
    atLeisure: Math.min(score.atLeisure, bits.mostOthers),
  };
}

/** What was expected at a burst. */
function tracedOf({ model, load: { burst }, state, before, otherTimes, earlier }: Way): Traced {
  const after = model.room(state, exactly(burst.at[1]));
  return { burst, before, after, isOtherTime: otherTimes > (earlier?.otherTimes ?? 0) };
}

/** The cheapest ways to different states. */
function cheapest(ways: Way[]): Way[] {
  if (ways.length === 1) return ways;
  const kept = new Map<string, Way>();
  const most = Math.min(...ways.map(totalOf)) + bits.hopeless;
  for (const way of ways.toSorted((a, b) => totalOf(a) - totalOf(b))) {
    if (totalOf(way) > most || kept.size === bits.states) break;
    const key = JSON.stringify(way.state);
    if (!kept.has(key)) kept.set(key, way);
  }
  return [...kept.values()];
}

/** The ways on from a way at a burst: admissions are compared first, then rejections, then what the headers say. */
function waysOn(arriving: Way): Way[] {
  const { model, load, at } = arriving;
  return model.possibleAt(arriving.state, at).flatMap(({ state, openedAfter }) => {
    // One request is of one window.
    if (model.isAcross?.(state) && load.burst.observations.length === 1) return [];
    const way: Way = { ...arriving, state, before: model.room(state, at), found: [] };
    if (openedAfter) addOthersBits(way, 1, at[1] - openedAfter[0]);
    compareAdmissions(way);
    return compareRejections(way);
  });
}

/** How many requests a room is enough for. */
function whole(room: number): number {
  return Math.floor(room + epsilon);
}
const epsilon = 1e-6;

/** More was admitted than there was room for. Requests of other clients only take room away. */
function compareAdmissions(way: Way): void {
  const { hypothesis, load, before } = way;
  const count = load.limited - Math.max(0, whole(before[1]));
  if (count <= 0 || hypothesis.leaks || isExcused(way)) return;
  find(way, { kind: 'excess', observations: load.burst.observations, count }, bits.excess);
}

/** A race loses what is counted at the same time, and what a rejection gives back may be used at once. */
function isExcused({ hypothesis: { overlapping, isEmptied }, load: { burst, rejected } }: Way): boolean {
  return burst.overlapping && (overlapping === 'lost' || (isEmptied === true && rejected.length > 0));
}

/** What rejections show: that nothing is left, that others took what was left, or that there is no reason. */
function compareRejections(way: Way): Way[] {
  const { hypothesis, load, history } = way;
  const { rejected } = load;
  if (rejected.length === 0) return [leave(way, false)];
  const left = leastLeft(way);
  if (left <= 0) return [leave(way, true)];
  if (isRejectedOtherwise(load, hypothesis, history)) return [leave(way, false)];
  const spurious: Way = { ...way };
  const cost = bits.spurious + Math.min(bits.mostLeft, Math.log2(1 + left));
  const found = { kind: 'spurious rejection', observations: rejected, count: rejected.length } as const;
  find(spurious, found, cost, bits.furtherRejection);
  addOthers(way, { kind: 'filled by others', observations: rejected, count: left }, left);
  return [leave(way, true), leave(spurious, false)];
}

/** What is left at the least when a burst rejects. */
function leastLeft({ before, load: { admitted, spare } }: Way): number {
  return Math.max(0, whole(before[0])) - admitted[1] - spare;
}

/** Charges a burst, and keeps the states that agree with what it shows. @param isFull whether a rejection shows that nothing is left */
function leave(way: Way, isFull: boolean): Way {
  const { model, hypothesis, load, at } = way;
  const { admitted, used, rejected, limited, burst } = load;
  if (isFull) compareOn429(way);
  const shown = compareRemaining(way);
  way.state = model.charge(way.state, at, used);
  const { renewedBy, isEmptied, windowMs } = hypothesis;
  if (burst.observations.some(({ outcome }) => renewedBy?.includes(outcome)))
    way.state = model.endingIn?.(way.state, plus(at, exactly(windowMs))) ?? way.state;
  const left = shown ?? leftBy(way, isFull);
  if (rejected.length > 0 && isEmptied) [way.state] = model.initial(at);
  else if (left) way.state = model.narrow(way.state, at, left);
  // Behind a rejection nobody else is admitted until something comes back.
  const isKnown = shown || (isFull && !burst.overlapping && !hypothesis.chargesRejected);
  if (isKnown && limited === admitted[1]) way.knownAt = burst.at[1];
  compareReset(way);
  return way;
}

/** A Reset that names no moment that the limiter knows, once or more often, tells algorithms apart, and convicts nobody. */
function compareReset(way: Way): void {
  const { model, hypothesis, history, load, at } = way;
  const { clock = history.clock } = hypothesis;
  const { reset, period } = load.burst.observations.at(-1)?.headers ?? {};
  if (!clock || load.burst.overlapping || reset === undefined || period !== 'minute') return;
  const rounded = tolerances.resetRoundingMs;
  const named: Interval = [reset - clock[1] - rounded, reset - clock[0] + rounded];
  if (both(named, model.resets(way.state, at))) return;
  if (way.otherTimes === 0) way.behaviour += bits.otherTime;
  way.otherTimes += 1;
}

/** What a burst leaves by its outcomes: who was admitted had room, and who was rejected had none. */
function leftBy({ model, load }: Way, isFull: boolean): Interval | undefined {
  const { burst, spare, limited, admitted } = load;
  if (burst.overlapping) return undefined;
  if (isFull) return [-Infinity, spare + model.rounding];
  return limited > 0 && limited === admitted[1] ? [0, Infinity] : undefined;
}

/** A rejection that reports requests left, though none are. The room says whether the run itself has used them all. */
function compareOn429(way: Way): void {
  const { model, hypothesis, load, before } = way;
  // Nothing remaining may stand for less than nothing.
  const leftOf = ({ headers: { remaining = 0 } }: Observation): number =>
    remaining > 0 ? remaining + hypothesis.shownLess : 0;
  // Something may come back from the rejection to the reading of what is left.
  const back = leastLeft(way) <= 0 ? Math.max(0, whole(before[1])) - Math.max(0, whole(before[0])) : 0;
  const observations = load.rejected.filter(
    (one) => one.headers.period === 'minute' && leftOf(one) > model.rounding + load.spare + back,
  );
  const [first] = observations;
  if (!first || !hypothesis.believesRemaining) return;
  const room: Interval = [0, before[1] - load.limited];
  find(way, { kind: 'remaining too high', observations, count: leftOf(first), room }, bits.tooHigh);
}

/** Compares Remaining with what is left, and gives what it shows of the room after the burst, if anything. */
function compareRemaining(way: Way): Interval | undefined {
  const { model, hypothesis, load, at, before } = way;
  const { lowest, reported, admitted, used } = load;
  if (lowest === undefined || !hypothesis.believesRemaining) return undefined;
  const { rounding } = model;
  const { remaining = 0 } = lowest.headers;
  const left = remaining + hypothesis.shownLess;
  // What it shows was left before those that report it; others lower it at any time.
  const above = left + reported - whole(before[1]) - rounding;
  if (remaining > 0 && above > 0 && !isExcused(way)) {
    find(way, { kind: 'remaining too high', observations: [lowest], count: above }, bits.tooHigh);
    return undefined;
  }
  // The lowest may be of the window before, and says nothing of what is left of this one.
  if (model.isAcross?.(way.state)) return undefined;
  const least = remaining === 0 ? -Infinity : left - (used[1] - reported) - rounding;
  const shown: Interval = [least, left + rounding];
  // Nothing is known of what was sent before.
  if (!way.earlier) {
    way.behaviour += bits.past * Math.log2(1 + Math.max(0, hypothesis.limit - left - load.limited));
    return shown;
  }
  const room = model.room(way.state, at);
  const count = whole(room[0] - admitted[1]) - left - rounding;
  // More may have come in the place of ours that was not counted, or of one that has just come back.
  const unsure = admitted[1] - admitted[0] + 1;
  const most = Math.min(whole(room[1] - admitted[0]) - left, Math.max(0, count) + unsure);
  if (count > 0) addOthers(way, { kind: 'hidden requests', observations: [lowest], count }, most);
  else {
    way.others = { ...way.others, ms: way.others.ms + timeOfOthers(way) };
    if (most > 0) chargeOthers(way, [0, most]);
  }
  return shown;
}
