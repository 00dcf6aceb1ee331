import type { History } from '../history/history.js';
import { isRejected, type Observation } from '../history/observation.js';
import { exactly, plus, type Interval } from '../interval.js';
import type { AnyModel } from '../limiter/limiter.js';
import { tolerances } from '../tolerances.js';
import { bits, enoughMs, othersBits, type Others } from './bits.js';
import { totalOf, type Finding, type Hypothesis, type Score } from './hypothesis.js';
import { isRejectedOtherwise, type Load } from './load.js';

/** One way in which the limiter may have come to where it is behind a burst: a copy of the way up to it, which is then changed. */
export interface Way {
  readonly model: AnyModel;
  readonly hypothesis: Hypothesis;
  readonly history: History;
  /** The way up to the burst; undefined at the first one. */
  readonly earlier?: Way | undefined;
  readonly load: Load;
  /** When it came, by the limiter's clock. */
  readonly at: Interval;
  /** What was left before it, and what was found at it. */
  readonly before: Interval;
  readonly found: Finding[];
  /** Whether a rejection shows that nothing is left. */
  isFull: boolean;
  state: unknown;
  readonly score: { -readonly [Part in keyof Score]: Score[Part] };
  others: Others;
  /** When a Remaining last left nothing open: other clients may have sent since. */
  knownAt?: number | undefined;
}

type Found = Omit<Finding, 'burst' | 'bits'>;

const epsilon = 1e-6;
const slackMs = tolerances.resetRoundingMs;

/** How many requests a room is enough for. */
function whole(room: number): number {
  return Math.max(0, Math.floor(room + epsilon));
}

/** Compares a burst with what a way expects: admissions first, then rejections, then what the headers say. */
export function compare(way: Way): Way[] {
  admissions(way);
  const ways = rejections(way);
  for (const one of ways) {
    if (one.isFull && one.hypothesis.believesRemaining) compareOn429(one);
    charge(one);
    compareReset(one);
  }
  return ways;
}

/** Notes what a way could not derive. Findings of one kind that follow each other quickly are one event. */
function find(way: Way, found: Found, first: number, further: number = bits.further): void {
  const { load, score } = way;
  const cost = isFurther(way, found.kind) ? further : first;
  score[found.kind === 'other time' ? 'times' : 'behaviour'] += cost;
  way.found.push({ ...found, burst: load.burst, bits: cost });
}

function isFurther(last: Way, kind: Finding['kind']): boolean {
  const [since] = last.load.burst.at;
  for (let way: Way | undefined = last; way; way = way.earlier) {
    if (since - way.load.burst.at[1] > tolerances.quickMs) return false;
    if (way.found.some((one) => one.kind === kind)) return true;
  }
  return false;
}

/** Adds what requests of other clients cost: those who had the time cost no more than some bits in all. */
export function addOthersBits({ score, others }: Way, count: number, withinMs: number): void {
  score[withinMs < enoughMs ? 'behaviour' : 'others'] += othersBits(others, count, withinMs);
}

/** Adds requests of other clients, which were sent at some time since all was known. @param most so many at the most */
function addOthers(way: Way, found: Found, most: number): void {
  const { load, others, score } = way;
  const within = timeOfOthers(way);
  const before = totalOf(score);
  addOthersBits(way, found.count, within);
  way.found.push({ ...found, burst: load.burst, bits: totalOf(score) - before, within });
  way.others = { count: others.count + found.count, ms: others.ms + within };
  chargeOthers(way, [found.count, Math.max(found.count, most)]);
}

/** When a Remaining has last shown all; if none has, when the step before was over. */
function knownSince({ knownAt, earlier, load }: Way): number {
  return knownAt ?? earlier?.load.burst.at[1] ?? load.burst.at[0];
}

/** Counts what others may have sent since then. */
function chargeOthers(way: Way, count: Interval): void {
  const { model, at } = way;
  way.state = model.charge(way.state, [Math.min(knownSince(way), at[0]), at[1]], count);
}

/** Milliseconds since a Remaining has last shown all, or since the window began. */
function timeOfOthers(way: Way): number {
  const since = Math.max(knownSince(way), way.model.began(way.state, way.at));
  return Math.max(1, way.load.burst.at[1] - since);
}

/** More was admitted than there was room for. Requests of other clients only take room away. */
function admissions(way: Way): void {
  const { hypothesis, load, before: room } = way;
  const count = load.limited - whole(room[1]);
  if (count <= 0 || hypothesis.leaks || isExcused(way)) return;
  find(way, { kind: 'excess', observations: load.burst.observations, count, room }, bits.excess);
}

/** A race loses what is counted at the same time, and what a rejection gives back may be used at once. */
function isExcused({ hypothesis, load: { burst, rejected } }: Way): boolean {
  const { overlapping, rejection } = hypothesis;
  return burst.overlapping && (overlapping === 'lost' || (rejection === 'empties' && rejected.length > 0));
}

/** What rejections show: that nothing is left, that others took what was left, or that there is no reason. */
function rejections(way: Way): Way[] {
  const { hypothesis, load, before: room } = way;
  const { rejected, admitted } = load;
  if (rejected.length === 0) return [way];
  const exempt = rejected.filter(({ operation }) => operation && hypothesis.rules[operation]?.exempt);
  const observations = exempt.length > 0 ? exempt : rejected;
  const left = leastLeft(way);
  const spurious = (): Way => {
    const one = { ...way, score: { ...way.score }, found: [...way.found] };
    const missing = Math.max(0, room[0] - admitted[1]);
    const cost = bits.spurious + Math.min(bits.mostLeft, Math.log2(1 + missing));
    const found = { kind: 'spurious rejection', observations, count: observations.length, room } as const;
    find(one, found, cost, bits.furtherRejection);
    return one;
  };
  if (exempt.length > 0) return [spurious()];
  if (left > 0 && isRejectedOtherwise(load, hypothesis, way.history)) return [way];
  const others = left > 0 ? [spurious()] : [];
  if (left > 0) addOthers(way, { kind: 'filled by others', observations, count: left, room }, left);
  way.isFull = true;
  return [way, ...others];
}

/** What is left at the least when a burst rejects. */
function leastLeft({ before, load: { admitted, spare } }: Way): number {
  return whole(before[0]) - admitted[1] - spare;
}

/** A rejection that reports requests left, though none are. The room says whether the run itself has used them all. */
function compareOn429(way: Way): void {
  const { model, hypothesis, load, before } = way;
  // Nothing remaining may stand for less than nothing.
  const leftBy = ({ headers: { remaining = 0 } }: Observation): number =>
    remaining > 0 ? remaining + hypothesis.shownLess : 0;
  // Something may come back from the rejection to the reading of what is left.
  const back = leastLeft(way) <= 0 ? whole(before[1]) - whole(before[0]) : 0;
  const observations = load.rejected.filter(
    (one) => one.headers.period === 'minute' && leftBy(one) > model.rounding + load.spare + back,
  );
  const [first] = observations;
  if (!first) return;
  const room: Interval = [0, before[1] - load.limited];
  find(way, { kind: 'remaining too high', observations, count: leftBy(first), room }, bits.tooHigh);
}

/** Compares what the headers say with what is left, charges the burst, and keeps the states that agree with it. */
function charge(way: Way): void {
  const { model, hypothesis, load, at, isFull } = way;
  const { admitted, used, rejected, limited, burst } = load;
  const shown = compareRemaining(way);
  way.state = model.charge(way.state, at, used);
  const rejects = rejected.length > 0;
  if (rejects && hypothesis.rejection === 'renews')
    way.state = model.endingIn?.(way.state, plus(at, exactly(hypothesis.windowMs))) ?? way.state;
  const left = shown ?? leftBy(way);
  if (rejects && hypothesis.rejection === 'empties')
    [way.state] = model.initial(at).map(({ state }) => state);
  else if (left) way.state = model.narrow(way.state, at, left);
  // Behind a rejection nobody else is admitted until something comes back.
  const isKnown = shown || (isFull && !burst.overlapping && !hypothesis.chargesRejected);
  if (isKnown && limited === admitted[1]) way.knownAt = burst.at[1];
}

/** What a burst leaves by its outcomes: who was admitted had room, and who was rejected had none. */
function leftBy({ model, load, isFull }: Way): Interval | undefined {
  const { burst, spare, limited, admitted } = load;
  if (burst.overlapping) return undefined;
  if (isFull) return [-Infinity, spare + model.rounding];
  return limited > 0 && limited === admitted[1] ? [0, Infinity] : undefined;
}

/** Compares Remaining with what is left, and gives what it shows of the room after the burst, if anything. */
function compareRemaining(way: Way): Interval | undefined {
  const { model, hypothesis, load, at, before } = way;
  const { lowest, reported, admitted, used } = load;
  if (lowest === undefined || !hypothesis.believesRemaining) return undefined;
  const { rounding } = model;
  const { remaining = 0 } = lowest.headers;
  const remains = remaining + hypothesis.shownLess;
  const room = model.room(way.state, at);
  // What it shows was left before those that report it; others lower it at any time.
  const above = remains + reported - Math.floor(before[1] + epsilon) - rounding;
  if (remaining > 0 && above > 0 && !isExcused(way)) {
    find(way, { kind: 'remaining too high', observations: [lowest], count: above, room }, bits.tooHigh);
    return undefined;
  }
  // The lowest may be of the window before, and says nothing of what is left of this one.
  if (model.isAcross?.(way.state)) return undefined;
  const left = remains + load.givenBack;
  const least = remaining === 0 ? -Infinity : left - (used[1] - reported) - rounding;
  const shown: Interval = [least, left + rounding];
  // Nothing is known of what was sent before.
  if (!way.earlier) {
    const sent = Math.max(0, hypothesis.limit - remains - load.limited);
    way.score.behaviour += bits.past * Math.log2(1 + sent);
    return shown;
  }
  const count = Math.floor(room[0] - admitted[1] + epsilon) - left - rounding;
  // More may have come in the place of ours that was not counted, or of one that has just come back.
  const unsure = admitted[1] - admitted[0] + 1;
  const most = Math.min(Math.floor(room[1] - admitted[0] + epsilon) - left, Math.max(0, count) + unsure);
  if (count > 0) addOthers(way, { kind: 'hidden requests', observations: [lowest], count, room }, most);
  else {
    way.others = { ...way.others, ms: way.others.ms + timeOfOthers(way) };
    if (most > 0) chargeOthers(way, [0, most]);
  }
  return shown;
}

/** A Reset that names none of the times that the limiter knows, or the one to which a 429 has put the window's end off. */
function compareReset(way: Way): void {
  const { model, hypothesis, history, load, at } = way;
  const clock = hypothesis.clock ?? history.clock;
  const last = load.burst.observations.at(-1);
  const { reset, period } = last?.headers ?? {};
  if (!last || !clock || load.burst.overlapping || reset === undefined || period !== 'minute') return;
  // A bucket that is refilled by steps is whole at the end of one.
  const later = hypothesis.algorithm === 'token bucket' ? (hypothesis.steps?.ms ?? 0) : 0;
  const named: Interval = [reset - clock[1] - Math.max(slackMs, later), reset - clock[0] + slackMs];
  const expected = model.resets(way.state, at);
  if (expected.some(([from, to]) => from <= named[1] && to >= named[0])) return;
  if (hypothesis.rejection === 'putsOff' && isRejected(last))
    way.state = model.endingIn?.(way.state, named) ?? way.state;
  else find(way, { kind: 'other time', observations: [last], count: 1, room: [0, 0] }, bits.otherTime);
}
