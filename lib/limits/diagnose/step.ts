import type { Burst, History } from '../history/history.js';
import { isAdmitted, isRejected, rejectedAgain, type Observation } from '../history/observation.js';
import { plus, type Interval } from '../interval.js';
import { isFixedWindow, type AnyModel } from '../limiter/limiter.js';
import { coincidence, deviationPrices, hypothesisPrices, prices, tolerances } from '../tolerances.js';
import type { Explanation, Finding, Hypothesis } from './hypothesis.js';

const epsilon = 1e-6;
const slackMs = tolerances.resetRoundingMs;
const dayMs = 86_400_000;

/** What a burst asks of a limiter, by a hypothesis. */
interface Load {
  readonly burst: Burst;
  /** By the limiter's clock. */
  readonly at: Interval;
  /** Cost of what was admitted and could have been rejected; and of the dearest, which a little less room may admit. */
  readonly limited: number;
  readonly dearest: number;
  /** What was admitted uses, or may have been, at the least and at the most; and what was rejected. */
  readonly admitted: Interval;
  readonly charged429: Interval;
  /** What is given back, and may still be counted in the last Remaining. */
  readonly givenBack: Interval;
  readonly rejected: readonly Observation[];
  /** What may be left when they are rejected: less than the dearest of them uses. */
  readonly spare: number;
  /** Admitted requests that report what remains of the minute, the highest first. */
  readonly reporting: readonly Observation[];
  /** What as many of the cheapest use; and what was left at the least, as Remaining shows, before any of them. */
  readonly reported: number;
  readonly leftBefore: number;
  /** What remained of the day, if the headers of what was admitted describe it. */
  readonly dayRemaining: number | undefined;
}

/** One way in which the limiter may have come to where it is. */
export interface Way extends Pick<Explanation, 'behaviour' | 'times'> {
  readonly state: unknown;
  /** What was found at the last burst. */
  readonly found: readonly Finding[];
  /** How often Remaining has shown other clients, how many of their requests, and the milliseconds in which it would have. */
  readonly others: { readonly seen: number; readonly count: number; readonly ms: number };
  /** When the window before ended, if another client's request has begun the one of the last burst. */
  readonly openedAfter?: Interval | undefined;
  /** What was paid for other clients that come as windows begin. */
  readonly punctual: number;
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
  /** What remained of the day, if the headers describe it. */
  readonly dayRoom?: number;
}

/** A burst, and what it meets. */
interface Moment {
  readonly model: AnyModel;
  readonly hypothesis: Hypothesis;
  readonly history: History;
  readonly load: Load;
}

/** What a request uses up if it is admitted. */
function costOf({ operation, count }: Observation, { rules }: Hypothesis): number {
  return count * (operation === null ? 1 : (rules[operation]?.cost ?? 1));
}

function isExempt({ operation }: Observation, { rules }: Hypothesis): boolean {
  return operation !== null && rules[operation]?.exempt === true;
}

const known = new WeakMap<Burst, Record<string, Load>>();

/** What a burst asks is the same for all hypotheses that count alike. */
export function loadOf(burst: Burst, hypothesis: Hypothesis): Load {
  const { rules, uncharged, chargesRejected, givesBackLate, overlapping, steps } = hypothesis;
  const as = JSON.stringify([rules, uncharged.size, chargesRejected, givesBackLate, overlapping]);
  const loads = known.get(burst) ?? {};
  known.set(burst, loads);
  const load = (loads[as] ??= countedLoadOf(burst, hypothesis));
  return steps ? { ...load, at: begunBy(burst.at, steps) } : load;
}

function countedLoadOf(burst: Burst, hypothesis: Hypothesis): Load {
  const { observations, overlapping } = burst;
  const rejected: Observation[] = [];
  const reporting: Observation[] = [];
  const costs: number[] = [];
  let [limited, dearest, free, spare] = [0, 0, 0, 0];
  let admitted: Interval = [0, 0];
  let charged429: Interval = [0, 0];
  let dayRemaining: number | undefined;
  for (const observation of observations) {
    const { outcome, operation, headers, status, count } = observation;
    const isFree = status !== null && hypothesis.uncharged.has(status);
    const full = isFree ? 0 : costOf(observation, hypothesis);
    if (isFree) free += costOf(observation, hypothesis);
    if (outcome === 'rejected') {
      rejected.push(observation);
      // A dear request may have used up what was left before it was rejected.
      const part = Math.max(0, full - count);
      spare = Math.max(spare, part);
      charged429 = plus(charged429, hypothesis.chargesRejected ? [count, count + part] : [0, part]);
      continue;
    }
    if (outcome === 'admitted' && headers.period === 'day' && headers.remaining !== undefined)
      dayRemaining = Math.min(dayRemaining ?? headers.remaining, headers.remaining);
    // What the specification does not list, or has no valid key, may never reach the limiter; what is never rejected may
    // count up to the limit.
    const isKnown = operation !== null && status !== 401;
    const isSure = outcome === 'admitted' && isKnown && !isExempt(observation, hypothesis);
    admitted = plus(admitted, [isSure ? full : 0, full]);
    if (!isSure) continue;
    limited += full;
    dearest = Math.max(dearest, full / count);
    costs.push(full);
    if (headers.remaining !== undefined && headers.period === 'minute') reporting.push(observation);
  }
  reporting.sort((a, b) => (b.headers.remaining ?? 0) - (a.headers.remaining ?? 0));
  costs.sort((a, b) => a - b);
  let [reported, leftBefore] = [0, 0];
  for (const [index, { headers }] of reporting.entries()) {
    reported += costs[index] ?? 1;
    const { remaining = 0 } = headers;
    if (remaining > 0) leftBefore = Math.max(leftBefore, remaining + reported);
  }
  if (overlapping && hypothesis.overlapping === 'lost') admitted = [Math.min(1, admitted[0]), admitted[1]];
  const givenBack: Interval = [
    hypothesis.givesBackLate && !overlapping ? free : 0,
    hypothesis.givesBackLate || overlapping ? free : 0,
  ];
  return {
    burst,
    at: burst.at,
    limited,
    dearest,
    admitted,
    charged429,
    givenBack,
    rejected,
    spare,
    reporting,
    reported,
    leftBefore,
    dayRemaining,
  };
}

/** A limiter whose clock goes by steps takes a request at the step that had begun. */
function begunBy([first, last]: Interval, { ms, from }: NonNullable<Hypothesis['steps']>): Interval {
  if (!from) return [first - ms, last];
  const begun = (time: number, since: number): number => from[0] + Math.floor((time - since) / ms) * ms;
  return [begun(first, from[1]), begun(last, from[0])];
}

/** The ways on from a way at a burst: whatever is found costs something. */
export function waysOn(earlier: Way, moment: Moment): Way[] {
  const { model, hypothesis, load } = moment;
  const { burst, at } = load;
  return model.possibleAt(earlier.state, at).flatMap(({ state, cost, openedAfter }) => {
    const isOne = burst.observations.length === 1;
    // One request is of one window, and so are several between which Remaining only falls.
    if (model.isAcross?.(state) && (isOne || fallsEvenly(burst))) return [];
    const [least, most] = roomBefore(earlier, state, moment);
    const before: Interval = [least, isOne ? Math.min(most, hypothesis.capacity) : most];
    const begun: Way = {
      ...earlier,
      earlier,
      burst,
      state,
      before,
      behaviour: earlier.behaviour + cost,
      found: [],
      openedAfter,
    };
    const way = openedAfter ? openedByOthers(begun, moment) : begun;
    // Of what was sent before the run a first Remaining shows something, and has room for it.
    const isPast = !earlier.burst && earlier.behaviour > 0;
    if (isPast && (aboveRoom(way, moment, model.rounding) > 0 || pastIn(moment) === 0)) return [];
    return rejections(admissions(way, moment), moment).flatMap(([one, full]) => {
      const shown = full && hypothesis.believesRemaining ? comparedOn429(one, moment) : one;
      const compared = comparedWithDay(shown, moment);
      const gap = withCoveredGap(compared, moment);
      return [compared, ...(gap ? [gap] : [])].map((other) => charged(other, moment, full));
    });
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

/** What another client's request costs that has begun the window. */
function openedByOthers(way: Way, moment: Moment): Way {
  const { extra, paid = 0 } = sinceBeginning(way, moment);
  const price = prices['hidden requests'].first + extra;
  const behaviour = way.behaviour + Math.max(0, price - paid);
  return { ...way, behaviour, punctual: Math.max(way.punctual, price) };
}

/** Whether Remaining falls by one with each request of a burst. */
function fallsEvenly({ observations, overlapping }: Burst): boolean {
  const [first, last] = [observations[0], observations.at(-1)].map(
    (one) => one?.headers.remaining ?? Number.NaN,
  );
  return !overlapping && (first ?? 0) - (last ?? 0) === observations.length - 1;
}

interface Found extends Omit<Finding, 'burst' | 'price'> {
  /** The milliseconds in which requests of other clients must have come. */
  readonly within?: number | undefined;
  /** What is added for a coincidence. */
  readonly extra?: number;
  /** What has been paid already for clients that come as windows begin, if these are such clients. */
  readonly paid?: number | undefined;
}

/** A way with one more finding, priced as part of the stretch that it belongs to. */
function withFinding(way: Way, { load: { burst } }: Moment, found: Found): Way {
  const { kind, count, observations, room, within, extra = 0, paid } = found;
  const invented = kind === 'hidden requests' || kind === 'filled by others';
  // Other clients that Remaining has shown are no surprise.
  const { first, further } = prices[invented && way.others.count > 0 ? 'hidden requests' : kind];
  const isFurther = burst.at[0] - (way.latest[kind] ?? Number.NEGATIVE_INFINITY) <= tolerances.stretchMs;
  const whole = (isFurther ? further : first) + (invented ? Math.log2(Math.max(1, count)) / 2 : 0) + extra;
  const alone = Math.max(0, whole - (paid ?? 0));
  const price = within === undefined ? alone : Math.min(alone, steadyPrice(way.others, count, within));
  const isTime = kind === 'other time';
  return {
    ...way,
    behaviour: way.behaviour + (isTime ? 0 : price),
    times: way.times + (isTime ? price : 0),
    found: [...way.found, { kind, observations, count, room, burst, price }],
    latest: { ...way.latest, [kind]: burst.at[1] },
    others:
      kind === 'hidden requests'
        ? { seen: way.others.seen + 1, count: way.others.count + count, ms: way.others.ms + (within ?? 0) }
        : way.others,
    punctual: Math.max(way.punctual, paid === undefined ? 0 : whole),
  };
}

/**
 * What is added for other clients that must have come since a window began. Clients that come as windows begin do so again,
 * and are paid for once: as far as a look just as a window begins tells them from a smaller limit.
 */
function sinceBeginning(
  { earlier, punctual, state, openedAfter: after }: Way,
  { model, hypothesis, history: { clock, windowMs }, load: { burst, at } }: Moment,
): { readonly extra: number; readonly paid: number | undefined } {
  const [first] = burst.observations;
  const { remaining, reset, period } = first?.headers ?? {};
  const isTold =
    clock &&
    isFixedWindow(hypothesis.algorithm) &&
    period === 'minute' &&
    remaining !== undefined &&
    (!after || reset !== undefined);
  const begun: Interval =
    isTold && after && reset !== undefined
      ? [reset - clock[1] - windowMs - slackMs, reset - clock[0] - windowMs + slackMs]
      : [model.began(state, at), at[1]];
  const before = earlier?.burst?.observations.at(-1)?.sentAt ?? begun[0];
  const until = burst.overlapping || !first ? at[1] : first.receivedAt;
  // Clients know full minutes, and when the window ends that has rejected them.
  const isKnown = after ? begun[0] <= after[1] && begun[1] >= after[0] : !hypothesis.otherPhase;
  const extra = coincidence(until - Math.max(model.began(state, at), begun[0], before), isKnown);
  // Those who are paid for each time must not convict by one coincidence.
  return isTold
    ? { extra, paid: punctual }
    : { extra: Math.min(hypothesisPrices.mostCoincidence, extra), paid: undefined };
}

/** How much likelier it is, in bits, that so many requests of others came at another rate than those that are known. */
function steadyPrice(known: Way['others'], count: number, ms: number): number {
  const { knownRate: rate } = tolerances;
  const bits = (requests: number, time: number): number => requests * Math.log2(requests / time);
  if (known.seen < rate.seen || known.count < rate.count) return Number.POSITIVE_INFINITY;
  return bits(count, ms) + bits(known.count, known.ms) - bits(count + known.count, ms + known.ms);
}

/** The same with requests of other clients, which were sent at some time since then. @param least so many were counted */
function withOthers(
  way: Way,
  moment: Moment,
  found: Found,
  { since = lastAt(way, moment), least = found.count } = {},
): Way {
  const { at } = moment.load;
  const state = moment.model.charge(way.state, [Math.min(since, at[0]), at[1]], [least, found.count]);
  return { ...withFinding(way, moment, found), state };
}

/** When the burst before had its last response. */
function lastAt({ earlier }: Way, { load }: Moment): number {
  return earlier?.burst?.at[1] ?? load.at[0];
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
  if (count <= 0) return way;
  if (hypothesis.leaks) return { ...way, behaviour: way.behaviour + count * deviationPrices.leaked };
  // A race needs room for one at least.
  if (isExcused(moment) && (most > 0 || hypothesis.overlapping !== 'lost')) return way;
  return withFinding(way, moment, { kind: 'excess', observations: load.burst.observations, count, room });
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
  const spurious = (observations: Load['rejected']): readonly [Way, false] => [
    withFinding(way, moment, { kind: 'spurious rejection', observations, count: observations.length, room }),
    false,
  ];
  const exempt = rejected.filter((one) => isExempt(one, hypothesis));
  if (exempt.length > 0) return [spurious(exempt)];
  const left = leastWhole(room[0], model) - admitted[1] - Math.max(0, costOf(first, hypothesis) - 1);
  if (left <= 0) return [[way, true]];
  if (isRejectedOtherwise(way, moment))
    return [[{ ...way, behaviour: way.behaviour + brokenAgain(moment) }, false]];
  return [
    [withOthers(way, moment, { kind: 'filled by others', observations: rejected, count: left, room }), true],
    spurious(rejected),
  ];
}

/** Whether the hypothesis rejects for another reason than its limit: a lock, a hold, a limit of one operation, or a second limit. */
function isRejectedOtherwise(
  { earlier }: Way,
  { hypothesis, history, load: { rejected, burst } }: Moment,
): boolean {
  const { rules, second, overlapping, rejection } = hypothesis;
  if (rejection === 'holds' && earlier?.burst?.observations.some(isRejected)) return true;
  if (burst.overlapping && overlapping === 'rejected') return true;
  if (rejected.every(({ operation }) => operation !== null && rules[operation]?.capped)) return true;
  if (!second) return false;
  const [from, to] = [burst.at[0] - second.windowMs, burst.at[1]];
  const recent = history.own.filter(
    ({ outcome, sentAt }) => outcome === 'admitted' && sentAt > from && sentAt <= to,
  );
  return recent.length >= second.limit;
}

/** What a hold costs that also outlasts the time that its own 429 names. */
function brokenAgain({ hypothesis, history: { own, clock }, load: { burst } }: Moment): number {
  if (hypothesis.rejection !== 'holds') return 0;
  const before = own.filter(({ sentAt }) => sentAt <= burst.at[0]);
  const again = rejectedAgain(before.slice(before.findLastIndex(isAdmitted) + 1), clock);
  return again.length > 1 && again.at(-1) === before.at(-1) ? deviationPrices.rare : 0;
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
  const count = leftBy(first);
  return withFinding(way, moment, { kind: 'remaining too high', observations, count, room });
}

/** Headers that describe the day show other clients, too, who may also have used up the minute. */
function comparedWithDay(way: Way, moment: Moment): Way {
  const { hypothesis, history, load } = moment;
  const { burst, admitted, at, dayRemaining } = load;
  const { observations } = burst;
  if (dayRemaining === undefined || !hypothesis.believesRemaining)
    return way.dayRoom === undefined ? way : { ...way, dayRoom: way.dayRoom - admitted[0] };
  const next = { ...way, dayRoom: dayRemaining };
  if (way.dayRoom === undefined) return next;
  const { perDay } = history.plan;
  const refilled = Math.ceil((perDay * (at[1] - lastAt(way, moment))) / dayMs) + tolerances.remainingRounding;
  const room: Interval = [way.dayRoom - admitted[1], way.dayRoom - admitted[0] + refilled];
  const above = dayRemaining - room[1];
  // Far above is a new day.
  if (above > 0 && dayRemaining < perDay - 2 * admitted[1])
    return withFinding(next, moment, { kind: 'remaining too high', observations, count: above, room });
  const count = room[0] - dayRemaining;
  const found = { kind: 'hidden requests', observations, count, room } as const;
  // What the minute rejected may count for the day.
  return count > 0 ? withOthers(next, moment, found, { least: 0 }) : next;
}

/** What Remaining shows as used, and requests explain that may not have been counted: it may be other clients all the same. */
function withCoveredGap(way: Way, moment: Moment): Way | undefined {
  const { model, hypothesis, load } = moment;
  const { at, admitted, limited, reporting } = load;
  const lowest = reporting.at(-1)?.headers.remaining;
  if (
    lowest === undefined ||
    !way.earlier?.burst ||
    model.admissionSlack > 0 ||
    !hypothesis.believesRemaining
  )
    return undefined;
  const room = model.room(way.state, at);
  if (model.rounding === 0 && admitted[1] === limited && room[1] - room[0] < 1) return undefined;
  const count = Math.floor(room[1] - admitted[0] + epsilon) - lowest - hypothesis.shownLess;
  if (count <= 0) return undefined;
  const observations = reporting.slice(-1);
  const extra = asIfNothingCame(way, moment, count);
  const within = timeOfOthers(way, moment);
  const found = { kind: 'hidden requests', observations, count, room: way.before, extra, within } as const;
  return withOthers(way, moment, found, { since: way.knownAt });
}

/** By how much Remaining is above what can be left, the burst's highest compared first: others lower it at any time. */
function aboveRoom({ before }: Way, moment: Moment, rounding: number): number {
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
  const isKnown = shown && limited === admitted[1] && charged429[0] === charged429[1];
  const next = {
    state,
    knownAt: isKnown ? at[1] : seen.knownAt,
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
    return [withFinding(way, moment, found), undefined];
  }
  // The lowest may be of the window before, and says nothing of what is left of this one.
  if (model.isAcross?.(way.state)) return [way, undefined];
  const left = lowest + hypothesis.shownLess;
  const shown: Interval = [
    lowest === 0 ? -Infinity : left + givenBack[0] - (admitted[1] - load.reported) - charged429[1] - rounding,
    left + givenBack[1] + (rounding > 0 ? 1 : 0),
  ];
  // Nothing is known of what was sent before.
  if (!way.earlier?.burst) {
    const past = hypothesisPrices.past * Math.log2(1 + (pastIn(moment) ?? 0));
    return [{ ...way, behaviour: way.behaviour + past }, shown];
  }
  const count = Math.floor(room[0] - admitted[1] + epsilon) - left - givenBack[1] - rounding;
  const within = timeOfOthers(way, moment);
  if (count <= 0) return [{ ...way, others: { ...way.others, ms: way.others.ms + (within ?? 0) } }, shown];
  const began = model.began(way.state, at);
  const isLater = began > (way.earlier?.burst?.at[0] ?? began);
  const { extra: sudden, paid } =
    way.openedAfter || isLater ? sinceBeginning(way, moment) : { extra: 0, paid: undefined };
  const extra = sudden + asIfNothingCame(way, moment, count);
  const observations = reporting.slice(-1);
  const found = { kind: 'hidden requests', observations, count, room, extra, paid, within } as const;
  return [withOthers(way, moment, found, { since: way.knownAt }), shown];
}

/**
 * Milliseconds since a Remaining has last shown all, or since the window began. Undefined for a bucket: one that others use
 * steadily looks like one that refills more slowly.
 */
function timeOfOthers(way: Way, moment: Moment): number | undefined {
  const { at } = moment.load;
  const began = moment.model.began(way.state, at);
  if (!Number.isFinite(began)) return undefined;
  const since = Math.max(way.knownAt ?? lastAt(way, moment), began);
  return Math.max(1, at[1] - since);
}

/** Others that took just what had come back, so that Remaining goes on as if nothing had: one chance in so many, in bits. */
function asIfNothingCame({ earlier }: Way, { load }: Moment, count: number): number {
  const before = earlier?.burst?.observations.at(-1)?.headers.remaining;
  const lowest = load.reporting.at(-1)?.headers.remaining ?? 0;
  return before !== undefined && lowest === before - load.limited ? Math.log2(count) : 0;
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
  const { clock } = history;
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
  if (!fits && !isPutOff)
    return withFinding(way, moment, { kind: 'other time', observations: [last], count: 1, room: [0, 0] });
  const isNamed = hypothesis.otherPhase || isPutOff;
  return isNamed && model.endingIn ? { ...way, state: model.endingIn(way.state, named) } : way;
}
