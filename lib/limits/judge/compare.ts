import { isAdmitted, isRejected, type Observation } from '../history/observation.js';
import { plus, type Interval } from '../interval.js';
import type { AnyModel } from '../limiter/limiter.js';
import { tolerances } from '../tolerances.js';
import { bits, enoughMs, othersBits } from './bits.js';
import type { Moment, Way } from './follow.js';
import { totalOf, type Finding } from './hypothesis.js';

const epsilon = 1e-6;
const slackMs = tolerances.resetRoundingMs;

/** Compares a burst with what a way expects: admissions first, then rejections, then what the headers say. */
export function compare(way: Way, moment: Moment): Way[] {
  // Of what was sent before the run a first Remaining shows something, and has room for it.
  if (!way.earlier?.burst && way.isPast && (aboveRoom(way, moment) > 0 || usedBefore(moment) === 0))
    return [];
  admissions(way, moment);
  return rejections(way, moment).map(({ way: one, full }) => {
    if (full && moment.hypothesis.believesRemaining) compareOn429(one, moment);
    charge(one, moment, full);
    compareReset(one, moment);
    return one;
  });
}

/** Notes what a way could not derive. Findings of one kind that follow each other quickly are one event. */
function find(
  way: Way,
  { load: { burst } }: Moment,
  found: Omit<Finding, 'burst' | 'bits'>,
  first: number,
  further: number = bits.further,
): void {
  const cost = isFurther(way, found.kind, burst.at[0]) ? further : first;
  way.score[found.kind === 'other time' ? 'times' : 'behaviour'] += cost;
  way.found.push({ ...found, burst, bits: cost });
}

function isFurther(last: Way, kind: Finding['kind'], since: number): boolean {
  for (let way: Way | undefined = last; way?.burst; way = way.earlier) {
    if (since - way.burst.at[1] > tolerances.stretchMs) return false;
    if (way.found.some((one) => one.kind === kind)) return true;
  }
  return false;
}

/** Adds what requests of other clients cost: those who had the time cost no more than some bits in all. */
export function addOthersBits({ score, others }: Way, count: number, withinMs: number): void {
  score[withinMs < enoughMs ? 'behaviour' : 'others'] += othersBits(others, count, withinMs);
}

/** Adds requests of other clients, which were sent at some time since all was known. @param most so many at the most */
function addOthers(way: Way, moment: Moment, found: Omit<Finding, 'burst' | 'bits'>, most: number): void {
  const { model, load } = moment;
  const { burst } = load;
  const { others, score } = way;
  const within = timeOfOthers(way, moment);
  const before = totalOf(score);
  addOthersBits(way, found.count, within);
  way.found.push({ ...found, burst, bits: totalOf(score) - before, within });
  way.others = { seen: others.seen + 1, count: others.count + found.count, ms: others.ms + within };
  way.state = model.charge(way.state, sinceKnown(way, moment), [found.count, Math.max(found.count, most)]);
}

/** When a Remaining has last shown all. */
function knownSince({ knownAt, earlier }: Way, { load: { at } }: Moment): number {
  return knownAt ?? earlier?.burst?.at[1] ?? at[0];
}

/** The time in which others may have sent what is noticed now. */
function sinceKnown(way: Way, moment: Moment): Interval {
  const { at } = moment.load;
  return [Math.min(knownSince(way, moment), at[0]), at[1]];
}

/** Milliseconds since a Remaining has last shown all, or since the window began. */
function timeOfOthers(way: Way, moment: Moment): number {
  const { model, load } = moment;
  const since = Math.max(knownSince(way, moment), model.began(way.state, load.at));
  return Math.max(1, load.burst.at[1] - since);
}

/** Requests that would be admitted at the most, if a rounded count may admit one early. */
function mostWhole(room: number, { admissionSlack }: AnyModel): number {
  return Math.max(0, admissionSlack > 0 ? Math.ceil(room - epsilon) : Math.floor(room + epsilon));
}

/** Requests that would be admitted at the least, if a rounded count may reject one early. */
function leastWhole(room: number, { admissionSlack }: AnyModel): number {
  const whole = Math.floor(room + epsilon);
  return room - whole > 0.01 ? whole - admissionSlack : whole;
}

/** More was admitted than there was room for. Requests of other clients only take room away. */
function admissions(way: Way, moment: Moment): void {
  const { model, hypothesis, load } = moment;
  const room = way.before;
  const count = load.limited - mostWhole(room[1], model);
  if (count <= 0 || hypothesis.leaks || isExcused(moment)) return;
  const { observations } = load.burst;
  find(way, moment, { kind: 'excess', observations, count, room }, bits.excess);
}

/** A race loses what is counted at the same time, and what a rejection gives back may be used at once. */
function isExcused({ hypothesis, load: { burst, rejected } }: Moment): boolean {
  const { overlapping, rejection } = hypothesis;
  return burst.overlapping && (overlapping === 'lost' || (rejection === 'empties' && rejected.length > 0));
}

/** What rejections show: that nothing is left (`full`), that others took what was left, or that there is no reason. */
function rejections(way: Way, moment: Moment): Array<{ readonly way: Way; readonly full: boolean }> {
  const { hypothesis, load } = moment;
  const { rejected, admitted } = load;
  if (rejected.length === 0) return [{ way, full: false }];
  const room = way.before;
  const missing = Math.max(0, room[0] - admitted[1]);
  const spurious = (observations: readonly Observation[]) => {
    const one = { ...way, score: { ...way.score }, found: [...way.found] };
    const cost = bits.spurious + Math.min(bits.mostLeft, Math.log2(1 + missing));
    const count = observations.length;
    const found = { kind: 'spurious rejection', observations, count, room } as const;
    find(one, moment, found, cost, bits.furtherRejection);
    return { way: one, full: false };
  };
  const { rules } = hypothesis;
  const exempt = rejected.filter(({ operation }) => operation !== null && rules[operation]?.exempt === true);
  if (exempt.length > 0) return [spurious(exempt)];
  const left = leastLeft(way, moment);
  if (left <= 0) return [{ way, full: true }];
  if (isRejectedOtherwise(moment)) return [{ way, full: false }];
  const without = spurious(rejected);
  addOthers(way, moment, { kind: 'filled by others', observations: rejected, count: left, room }, left);
  return [{ way, full: true }, without];
}

/** What is left at the least when a burst rejects. */
function leastLeft({ before }: Way, { model, load: { admitted, spare } }: Moment): number {
  return leastWhole(before[0], model) - admitted[1] - spare;
}

/** Whether the hypothesis rejects for another reason than its limit: a lock, a limit of one operation, or a second limit. */
function isRejectedOtherwise({ hypothesis, history, load: { rejected, burst } }: Moment): boolean {
  const { rules, second, overlapping } = hypothesis;
  if (burst.overlapping && overlapping === 'rejected') return true;
  if (rejected.every(({ operation }) => operation !== null && rules[operation]?.capped)) return true;
  if (!second) return false;
  const [from, to] = [burst.at[0] - second.windowMs, burst.at[1]];
  const recent = history.own.filter((one) => isAdmitted(one) && one.sentAt > from && one.sentAt <= to);
  return recent.length >= second.limit;
}

/** A rejection that reports requests left, though none are. The room says whether the run itself has used them all. */
function compareOn429(way: Way, moment: Moment): void {
  const { model, hypothesis, load } = moment;
  // Nothing remaining may stand for less than nothing.
  const leftBy = ({ headers: { remaining = 0 } }: Observation): number =>
    remaining > 0 ? remaining + hypothesis.shownLess : 0;
  // Something may come back from the rejection to the reading of what is left.
  const whole = (room: number): number => Math.max(0, Math.floor(room + epsilon));
  const back = leastLeft(way, moment) <= 0 ? whole(way.before[1]) - whole(way.before[0]) : 0;
  const observations = load.rejected.filter(
    (one) => one.headers.period === 'minute' && leftBy(one) > model.rounding + load.spare + back,
  );
  const [first] = observations;
  if (!first) return;
  const room: Interval = [0, way.before[1] - load.limited];
  const count = leftBy(first);
  find(way, moment, { kind: 'remaining too high', observations, count, room }, bits.tooHigh);
}

/** By how much Remaining is above what can be left, the burst's highest compared first: others lower it at any time. */
function aboveRoom({ before }: Way, moment: Moment, rounding = moment.model.rounding): number {
  const { hypothesis, load } = moment;
  if (!hypothesis.believesRemaining || isExcused(moment) || load.leftBefore === 0) return 0;
  return Math.max(0, load.leftBefore + hypothesis.shownLess - Math.floor(before[1] + epsilon) - rounding);
}

/** What a first Remaining shows as used before. */
function usedBefore({ hypothesis, load: { reporting, limited } }: Moment): number | undefined {
  const lowest = reporting.at(-1)?.headers.remaining;
  if (lowest === undefined || !hypothesis.believesRemaining) return undefined;
  return Math.max(0, hypothesis.limit - lowest - hypothesis.shownLess - limited);
}

/** Compares what the headers say with what is left, charges the burst, and keeps the states that agree with it. */
function charge(way: Way, moment: Moment, full: boolean): void {
  const { model, hypothesis, load } = moment;
  const { at, admitted, charged429, rejected, limited, burst } = load;
  const shown = compareRemaining(way, moment);
  way.state = model.charge(way.state, at, plus(admitted, charged429));
  const rejects = rejected.length > 0;
  if (rejects && hypothesis.rejection === 'renews')
    way.state =
      model.endingIn?.(way.state, plus(at, [hypothesis.windowMs, hypothesis.windowMs])) ?? way.state;
  const left = shown ?? leftBy(moment, full);
  if (rejects && hypothesis.rejection === 'empties')
    [way.state] = model.initial(at).map(({ state }) => state);
  else if (left) way.state = model.narrow(way.state, at, left);
  // Behind a rejection nobody else is admitted until something comes back.
  const isKnown = shown || (full && !burst.overlapping && !hypothesis.chargesRejected);
  if (isKnown && limited === admitted[1]) way.knownAt = burst.at[1];
}

/** What a burst leaves by its outcomes: who was admitted had room, and who was rejected had none. */
function leftBy({ model, load }: Moment, full: boolean): Interval | undefined {
  const { burst, spare, limited, admitted } = load;
  if (burst.overlapping) return undefined;
  if (full) return [-Infinity, spare + (model.rounding > 0 ? 1 + model.admissionSlack : 0)];
  return limited > 0 && limited === admitted[1] ? [-model.admissionSlack, Infinity] : undefined;
}

/** Compares Remaining with what is left, and gives what it shows of the room after the burst, if anything. */
function compareRemaining(way: Way, moment: Moment): Interval | undefined {
  const { model, hypothesis, load } = moment;
  const { reporting, at, admitted, charged429, givenBack } = load;
  const lowest = reporting.at(-1)?.headers.remaining;
  if (lowest === undefined || !hypothesis.believesRemaining) return undefined;
  const room = model.room(way.state, at);
  // Two whole counts have no fraction to round; a bucket always has one, be it only in its arithmetic.
  const isWhole = model.admissionSlack > 0 && room.every((one) => Math.abs(one - Math.round(one)) < epsilon);
  const rounding = isWhole ? 0 : model.rounding;
  const above = aboveRoom(way, moment, rounding);
  if (above > 0) {
    const found = { kind: 'remaining too high', observations: reporting, count: above, room } as const;
    find(way, moment, found, bits.tooHigh);
    return undefined;
  }
  // The lowest may be of the window before, and says nothing of what is left of this one.
  if (model.isAcross?.(way.state)) return undefined;
  const left = lowest + hypothesis.shownLess + givenBack;
  const unreported = admitted[1] - load.reported;
  const shown: Interval = [
    lowest === 0 ? -Infinity : left - unreported - charged429[1] - rounding,
    left + (rounding > 0 ? 1 : 0),
  ];
  // Nothing is known of what was sent before.
  if (!way.earlier?.burst) {
    way.score.behaviour += bits.past * Math.log2(1 + (usedBefore(moment) ?? 0));
    return shown;
  }
  const count = Math.floor(room[0] - admitted[1] + epsilon) - left - rounding;
  // More may have come in the place of ours that was not counted, or of one that has just come back.
  const unsure = admitted[1] - admitted[0] + 1;
  const most = Math.min(Math.floor(room[1] - admitted[0] + epsilon) - left, Math.max(0, count) + unsure);
  if (count > 0) {
    const observations = reporting.slice(-1);
    addOthers(way, moment, { kind: 'hidden requests', observations, count, room }, most);
  } else {
    way.others = { ...way.others, ms: way.others.ms + timeOfOthers(way, moment) };
    if (most > 0) way.state = model.charge(way.state, sinceKnown(way, moment), [0, most]);
  }
  return shown;
}

/** A Reset that names none of the times that the limiter knows, or the one to which a 429 has put the window's end off. */
function compareReset(way: Way, moment: Moment): void {
  const { model, hypothesis, history, load } = moment;
  const clock = hypothesis.clock ?? history.clock;
  const last = load.burst.observations.at(-1);
  const { reset, period } = last?.headers ?? {};
  if (!last || !clock || load.burst.overlapping || reset === undefined || period !== 'minute') return;
  // A bucket that is refilled by steps is whole at the end of one.
  const later = hypothesis.algorithm === 'token bucket' ? (hypothesis.steps?.ms ?? 0) : 0;
  const named: Interval = [reset - clock[1] - Math.max(slackMs, later), reset - clock[0] + slackMs];
  const expected = model.resets(way.state, load.at);
  if (expected.some(([from, to]) => from <= named[1] && to >= named[0])) return;
  if (hypothesis.rejection === 'putsOff' && isRejected(last))
    way.state = model.endingIn?.(way.state, named) ?? way.state;
  else
    find(way, moment, { kind: 'other time', observations: [last], count: 1, room: [0, 0] }, bits.otherTime);
}
