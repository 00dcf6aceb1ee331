import type { Burst, History } from '../history/history.js';
import { isAdmitted, isRejected, type Observation } from '../history/observation.js';
import { plus, type Interval } from '../interval.js';
import { models, type AnyModel } from '../limiter/limiter.js';
import { tolerances } from '../tolerances.js';
import { bits, enoughMs, othersBits, type Others } from './bits.js';
import { partsOf } from './counters.js';
import {
  totalOf,
  type Explanation,
  type Finding,
  type Hypothesis,
  type Score,
  type Traced,
} from './hypothesis.js';
import { loadOf, type Load } from './load.js';

const epsilon = 1e-6;
const slackMs = tolerances.resetRoundingMs;

/** One way in which the limiter may have come to where it is. */
interface Way {
  readonly state: unknown;
  readonly score: Score;
  /** Whether the key was used before the history begins. */
  readonly isPast: boolean;
  /** What was found at the last burst. */
  readonly found: readonly Finding[];
  readonly others: Others;
  /** When each kind of finding was last made. */
  readonly latest: Partial<Record<Finding['kind'], number>>;
  /** The last burst, what was left before it, and the way up to it. */
  readonly burst?: Burst;
  readonly before: Interval;
  readonly earlier?: Way;
  /** When a Remaining last left nothing open: other clients may have sent since. */
  readonly knownAt?: number | undefined;
  /** The most that the last Remaining allowed to be left, and when. */
  readonly shown?: { readonly at: number; readonly most: number } | undefined;
}

/** A burst, and what it meets. */
interface Moment {
  readonly model: AnyModel;
  readonly hypothesis: Hypothesis;
  readonly history: History;
  readonly load: Load;
}

/**
 * Lets a hypothesis follow a history: its explanation is the cheapest way through. What the limiter counts apart is followed
 * apart. @param bound gives up, with undefined, above so many bits
 */
export function follow(
  hypothesis: Hypothesis,
  history: History,
  bound = Number.POSITIVE_INFINITY,
): Explanation | undefined {
  const findings: Finding[] = [];
  const traced: Traced[] = [];
  let score: Score = { behaviour: hypothesis.bits + limitBits(hypothesis, history), others: 0, times: 0 };
  for (const bursts of partsOf(history, hypothesis.partition)) {
    const last = lastOf(bursts, score, { hypothesis, history, bound });
    if (!last) return undefined;
    ({ score } = last.way);
    const before = traced.length;
    for (let way: Way | undefined = last.way; way?.burst; way = way.earlier) {
      const { burst, before: left, state, found } = way;
      findings.push(...found);
      traced.splice(before, 0, {
        burst,
        before: left,
        after: last.model.room(state, [burst.at[1], burst.at[1]]),
      });
    }
  }
  findings.sort((a, b) => a.burst.at[0] - b.burst.at[0]);
  return { hypothesis, findings, traced, score, total: totalOf(score) };
}

/** What it costs that the headers tell another limit than the plan's, and it is not the one in force. */
function limitBits({ limit }: Hypothesis, { own, plan }: History): number {
  const told = own.find(({ headers }) => headers.period === 'minute')?.headers.limit ?? plan.perMinute;
  return [plan.perMinute, limit].includes(told) ? 0 : bits.otherLimit;
}

function lastOf(
  bursts: readonly Burst[],
  score: Score,
  { hypothesis, history, bound }: { hypothesis: Hypothesis; history: History; bound: number },
): { readonly way: Way; readonly model: AnyModel } | undefined {
  const isUnlimited = hypothesis.deviation?.id === 'no limit';
  const model = models[hypothesis.algorithm]({
    ...hypothesis,
    past: isUnlimited ? 0 : hypothesis.limit,
    clock: hypothesis.phase ?? hypothesis.clock ?? history.clock,
  });
  let ways: readonly Way[] = [];
  for (const [index, burst] of bursts.entries()) {
    const load = loadOf(burst, hypothesis);
    if (index === 0)
      ways = model.initial(load.at).map(({ state, cost }) => ({
        state,
        score: { ...score, behaviour: score.behaviour + cost },
        isPast: cost > 0,
        found: [],
        latest: {},
        others: { seen: 0, count: 0, ms: 0 },
        before: [0, 0],
      }));
    ways = cheapest(ways.flatMap((way) => waysOn(way, { model, hypothesis, history, load })));
    const [best] = ways;
    if (!best || totalOf(best.score) > bound) return undefined;
  }
  const [way] = ways;
  return way && { way, model };
}

/** The cheapest ways to different states. */
function cheapest(ways: readonly Way[]): readonly Way[] {
  if (ways.length < 2) return ways;
  const kept = new Map<string, Way>();
  const sorted = ways
    .map((way) => ({ way, total: totalOf(way.score) }))
    .toSorted((a, b) => a.total - b.total);
  const most = (sorted[0]?.total ?? 0) + bits.hopeless;
  for (const { way, total } of sorted) {
    if (total > most || kept.size === bits.states) break;
    const key = JSON.stringify(way.state);
    if (!kept.has(key)) kept.set(key, way);
  }
  return [...kept.values()];
}

/** The ways on from a way at a burst: whatever is found costs something. */
function waysOn(earlier: Way, moment: Moment): Way[] {
  const { model, hypothesis, load } = moment;
  const { burst, at } = load;
  return model.possibleAt(earlier.state, at).flatMap(({ state, cost, openedAfter }) => {
    const isOne = burst.observations.length === 1;
    // One request is of one window, and so are several between which Remaining only falls.
    if (model.isAcross?.(state) && (isOne || fallsEvenly(burst))) return [];
    const [least, most] = roomBefore(earlier, state, moment);
    const before: Interval = [least, isOne ? Math.min(most, hypothesis.limit) : most];
    const begun: Way = { ...earlier, earlier, burst, state, before, found: [] };
    const opened = openedAfter ? withOthersBits(begun, 1, at[1] - openedAfter[0]) : begun;
    const way = plusBits(opened, cost);
    // Of what was sent before the run a first Remaining shows something, and has room for it.
    const isPast = !earlier.burst && earlier.isPast;
    if (isPast && (aboveRoom(way, moment) > 0 || pastIn(moment) === 0)) return [];
    return rejections(admissions(way, moment), moment).map(([one, full]) =>
      charged(full && hypothesis.believesRemaining ? comparedOn429(one, moment) : one, moment, full),
    );
  });
}

/** What is left before a burst: of a sliding counter no more than what was last shown, and what comes back evenly since. */
function roomBefore({ shown }: Way, state: unknown, { model, hypothesis, load: { at } }: Moment): Interval {
  const [least, most] = model.room(state, at);
  if (!shown || model.admissionSlack === 0) return [least, most];
  const { limit, windowMs, chargesRejected } = hypothesis;
  // Rejections that count come back, too.
  const back = ((at[1] - shown.at) * limit * (chargesRejected ? 2 : 1)) / windowMs;
  return [least, Math.max(least, Math.min(most, shown.most + back))];
}

/** Whether Remaining falls by one with each request of a burst. */
function fallsEvenly({ observations, overlapping }: Burst): boolean {
  const [first, last] = [observations[0], observations.at(-1)].map(
    (one) => one?.headers.remaining ?? Number.NaN,
  );
  return !overlapping && (first ?? 0) - (last ?? 0) === observations.length - 1;
}

function plusBits(way: Way, more: number): Way {
  return more === 0 ? way : { ...way, score: { ...way.score, behaviour: way.score.behaviour + more } };
}

/** A way with what requests of other clients cost: those who had the time cost no more than some bits in all. */
function withOthersBits(way: Way, count: number, withinMs: number): Way {
  const cost = othersBits(way.others, count, withinMs);
  return withinMs < enoughMs
    ? plusBits(way, cost)
    : { ...way, score: { ...way.score, others: way.score.others + cost } };
}

/** A way with one more finding. Findings of one kind that follow each other quickly are one event. */
function withFinding(
  way: Way,
  { load: { burst } }: Moment,
  found: Omit<Finding, 'burst' | 'bits'>,
  first: number,
  further: number = bits.further,
): Way {
  const { kind } = found;
  const isFurther = burst.at[0] - (way.latest[kind] ?? Number.NEGATIVE_INFINITY) <= tolerances.stretchMs;
  const cost = isFurther ? further : first;
  const isTime = kind === 'other time';
  const { score } = way;
  return {
    ...way,
    score: isTime ? { ...score, times: score.times + cost } : { ...score, behaviour: score.behaviour + cost },
    found: [...way.found, { ...found, burst, bits: cost }],
    latest: { ...way.latest, [kind]: burst.at[1] },
  };
}

/** The same with requests of other clients, which were sent at some time since all was known. @param least so many were counted */
function withOthers(
  way: Way,
  moment: Moment,
  found: Omit<Finding, 'burst' | 'bits'>,
  least = found.count,
): Way {
  const { model, load } = moment;
  const { at, burst } = load;
  const since = way.knownAt ?? way.earlier?.burst?.at[1] ?? at[0];
  const within = timeOfOthers(way, moment);
  const priced = withOthersBits(way, found.count, within);
  const { seen, count, ms } = way.others;
  const cost = totalOf(priced.score) - totalOf(way.score);
  return {
    ...priced,
    found: [...way.found, { ...found, burst, bits: cost, within }],
    others: { seen: seen + 1, count: count + found.count, ms: ms + within },
    state: model.charge(way.state, [Math.min(since, at[0]), at[1]], [least, found.count]),
  };
}

/** Milliseconds since a Remaining has last shown all, or since the window began. */
function timeOfOthers(way: Way, { model, load: { at, burst } }: Moment): number {
  const since = way.knownAt ?? way.earlier?.burst?.at[1] ?? burst.at[0];
  return Math.max(1, burst.at[1] - Math.max(since, model.began(way.state, at)));
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
function admissions(way: Way, moment: Moment): Way {
  const { model, hypothesis, load } = moment;
  const room = way.before;
  const most = mostWhole(room[1], model);
  const count = load.limited - most - Math.max(0, load.dearest - 1);
  if (count <= 0 || hypothesis.leaks) return way;
  // A race needs room for one at least.
  if (isExcused(moment) && (most > 0 || hypothesis.overlapping !== 'lost')) return way;
  return withFinding(
    way,
    moment,
    { kind: 'excess', observations: load.burst.observations, count, room },
    bits.excess,
  );
}

/** A race loses what is counted at the same time, and what a rejection gives back may be used at once. */
function isExcused({ hypothesis, load: { burst, rejected } }: Moment): boolean {
  const { overlapping, rejection } = hypothesis;
  return burst.overlapping && (overlapping === 'lost' || (rejection === 'empties' && rejected.length > 0));
}

/** What rejections show: that nothing is left (`full`), that others took what was left, or that there is no reason. */
function rejections(way: Way, moment: Moment): Array<readonly [way: Way, full: boolean]> {
  const { model, hypothesis, load } = moment;
  const { rejected, admitted } = load;
  const [first] = rejected;
  if (!first) return [[way, false]];
  const room = way.before;
  const missing = Math.max(0, room[0] - admitted[1]);
  const spurious = (observations: Load['rejected']): readonly [Way, false] => [
    withFinding(
      way,
      moment,
      { kind: 'spurious rejection', observations, count: observations.length, room },
      bits.spurious + Math.min(bits.mostLeft, Math.log2(1 + missing)),
      bits.furtherRejection,
    ),
    false,
  ];
  const { rules } = hypothesis;
  const costOf = ({ operation }: Observation): number =>
    operation === null ? 1 : (rules[operation]?.cost ?? 1);
  const exempt = rejected.filter(({ operation }) => operation !== null && rules[operation]?.exempt === true);
  if (exempt.length > 0) return [spurious(exempt)];
  const left = leastWhole(room[0], model) - admitted[1] - Math.max(0, costOf(first) - 1);
  if (left <= 0) return [[way, true]];
  if (isRejectedOtherwise(moment)) return [[way, false]];
  return [
    [withOthers(way, moment, { kind: 'filled by others', observations: rejected, count: left, room }), true],
    spurious(rejected),
  ];
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
function comparedOn429(way: Way, moment: Moment): Way {
  const { model, hypothesis, load } = moment;
  // Nothing remaining may stand for less than nothing.
  const leftBy = ({ headers: { remaining = 0 } }: Observation): number =>
    remaining > 0 ? remaining + hypothesis.shownLess : 0;
  const observations = load.rejected.filter(
    (one) => one.headers.period === 'minute' && leftBy(one) > model.rounding + load.spare,
  );
  const [first] = observations;
  if (!first) return way;
  const room: Interval = [0, way.before[1] - load.limited];
  return withFinding(
    way,
    moment,
    { kind: 'remaining too high', observations, count: leftBy(first), room },
    bits.tooHigh,
  );
}

/** By how much Remaining is above what can be left, the burst's highest compared first: others lower it at any time. */
function aboveRoom({ before }: Way, moment: Moment, rounding = moment.model.rounding): number {
  const { hypothesis, load } = moment;
  if (!hypothesis.believesRemaining || isExcused(moment) || load.leftBefore === 0) return 0;
  return Math.max(0, load.leftBefore + hypothesis.shownLess - Math.floor(before[1] + epsilon) - rounding);
}

/** Compares what the headers say with what is left, charges the burst, and keeps the states that agree with it. */
function charged(way: Way, moment: Moment, full: boolean): Way {
  const { model, hypothesis, load } = moment;
  const { at, admitted, charged429, rejected, limited } = load;
  const [seen, shown] = compared(way, moment);
  let state = model.charge(seen.state, at, plus(admitted, charged429));
  const rejects = rejected.length > 0;
  if (rejects && hypothesis.rejection === 'renews')
    state = model.endingIn?.(state, plus(at, [hypothesis.windowMs, hypothesis.windowMs])) ?? state;
  const left = shown ?? leftBy(moment, full);
  if (rejects && hypothesis.rejection === 'empties') state = model.initial(at)[0]?.state;
  else if (left) state = model.narrow(state, at, left);
  const isExact = limited === admitted[1] && charged429[0] === charged429[1];
  // Behind a rejection nobody else is admitted until something comes back.
  const isKnown = isExact && (shown || (full && !load.burst.overlapping && !hypothesis.chargesRejected));
  const next = {
    state,
    knownAt: isKnown ? load.burst.at[1] : seen.knownAt,
    shown: left && left[1] < Infinity ? { at: at[0], most: left[1] } : seen.shown,
  };
  return comparedWithReset({ ...seen, ...next }, moment);
}

/** What a burst leaves by its outcomes: who was admitted had room, and who was rejected had none. */
function leftBy({ model, load }: Moment, full: boolean): Interval | undefined {
  const { burst, spare, limited, admitted } = load;
  if (burst.overlapping) return undefined;
  if (full) return [-Infinity, spare + (model.rounding > 0 ? 1 + model.admissionSlack : 0)];
  return limited > 0 && limited === admitted[1] ? [-model.admissionSlack, Infinity] : undefined;
}

/** Compares Remaining with what is left: what it shows of the room after the burst, if anything. */
function compared(way: Way, moment: Moment): readonly [way: Way, shown: Interval | undefined] {
  const { model, hypothesis, load } = moment;
  const { reporting, at, admitted, charged429, givenBack } = load;
  const lowest = reporting.at(-1)?.headers.remaining;
  if (lowest === undefined || !hypothesis.believesRemaining) return [way, undefined];
  const room = model.room(way.state, at);
  // Two whole counts have no fraction to round; a bucket always has one, be it only in its arithmetic.
  const isWhole = model.admissionSlack > 0 && room.every((one) => Math.abs(one - Math.round(one)) < epsilon);
  const rounding = isWhole ? 0 : model.rounding;
  const above = aboveRoom(way, moment, rounding);
  if (above > 0) {
    const found = { kind: 'remaining too high', observations: reporting, count: above, room } as const;
    return [withFinding(way, moment, found, bits.tooHigh), undefined];
  }
  // The lowest may be of the window before, and says nothing of what is left of this one.
  if (model.isAcross?.(way.state)) return [way, undefined];
  const left = lowest + hypothesis.shownLess;
  const shown: Interval = [
    lowest === 0 ? -Infinity : left + givenBack[0] - (admitted[1] - load.reported) - charged429[1] - rounding,
    left + givenBack[1] + (rounding > 0 ? 1 : 0),
  ];
  // Nothing is known of what was sent before.
  if (!way.earlier?.burst) return [plusBits(way, bits.past * Math.log2(1 + (pastIn(moment) ?? 0))), shown];
  const count = Math.floor(room[0] - admitted[1] + epsilon) - left - givenBack[1] - rounding;
  if (count > 0) {
    const observations = reporting.slice(-1);
    return [withOthers(way, moment, { kind: 'hidden requests', observations, count, room }), shown];
  }
  const { others } = way;
  return [{ ...way, others: { ...others, ms: others.ms + timeOfOthers(way, moment) } }, shown];
}

/** What a first Remaining shows as used before. */
function pastIn({ hypothesis, load: { reporting, limited } }: Moment): number | undefined {
  const lowest = reporting.at(-1)?.headers.remaining;
  if (lowest === undefined || !hypothesis.believesRemaining) return undefined;
  return Math.max(0, hypothesis.limit - lowest - hypothesis.shownLess - limited);
}

/** A Reset that names none of the times that the limiter knows, or the one to which a 429 has put the window's end off. */
function comparedWithReset(way: Way, moment: Moment): Way {
  const { model, hypothesis, history, load } = moment;
  const clock = hypothesis.clock ?? history.clock;
  const last = load.burst.observations.at(-1);
  const { reset, period } = last?.headers ?? {};
  if (!last || !clock || load.burst.overlapping || reset === undefined || period !== 'minute') return way;
  // A bucket that is refilled by steps is whole at the end of one.
  const later = Math.max(slackMs, hypothesis.algorithm === 'token bucket' ? (hypothesis.steps?.ms ?? 0) : 0);
  const named: Interval = [reset - clock[1] - later, reset - clock[0] + slackMs];
  const expected = model.resets(way.state, load.at);
  const fits = expected.some(([from, to]) => from <= named[1] && to >= named[0]);
  const isLater = expected.every(([, to]) => named[0] > to + tolerances.agreementMs);
  const isPutOff = hypothesis.rejection === 'putsOff' && isLater && isRejected(last);
  if (!fits && !isPutOff) {
    const found = { kind: 'other time', observations: [last], count: 1, room: [0, 0] } as const;
    return withFinding(way, moment, found, bits.otherTime);
  }
  return isPutOff && model.endingIn ? { ...way, state: model.endingIn(way.state, named) } : way;
}
