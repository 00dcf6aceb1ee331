import type { History } from '../history/history.js';
import type { Interval } from '../interval.js';
import type { AnyModel } from '../limiter/models.js';
import { coincidence, deviationPrices, hypothesisPrices, tolerances } from '../tolerances.js';
import type { Hypothesis } from './hypothesis.js';
import { costOf, isExempt, type Load } from './load.js';
import { withFinding, type Path } from './path.js';

const epsilon = 1e-6;
const dayMs = 86_400_000;

/** A burst, and what it meets. */
interface Moment {
  readonly model: AnyModel;
  readonly hypothesis: Hypothesis;
  readonly history: History;
  readonly load: Load;
  /** When the burst before had its last response. */
  readonly since: number;
}

/** The ways on from a path at a burst: whatever is found on the way costs something. */
export function waysOn(path: Path, moment: Moment): Path[] {
  const { model, hypothesis, load } = moment;
  return model.possibleAt(path.state, load.at).flatMap(({ state, cost }) => {
    // One request is of one window.
    if (!load.overlapping && model.isAcross?.(state)) return [];
    const room = model.room(state, load.at);
    const over = excessOf(room, moment);
    const leaked = hypothesis.leaks && over > 0 ? over * deviationPrices.leaked : 0;
    const begun: Path = { ...path, state, before: room, behaviour: path.behaviour + cost + leaked };
    // What a first Remaining leaves no room for was not sent before the run.
    if (load.first && path.behaviour > 0 && isTooHigh(begun, moment)) return [];
    const found = { kind: 'excess', observations: load.burst.observations, count: over, room } as const;
    const admitted = over > 0 && !isExcused(room, moment) ? withFinding(begun, load, found) : begun;
    return rejections(admitted, moment).flatMap(([one, full]) => {
      const hidden = withCoveredGap(one, moment);
      return [one, ...(hidden ? [hidden] : [])].map((way) => settled(way, moment, full));
    });
  });
}

/** Requests that would be admitted at the most, if a rounded count may admit one early. */
function mostWhole(room: number, { admissionSlack }: AnyModel): number {
  return Math.max(0, admissionSlack > 0 ? Math.ceil(room - epsilon) : Math.floor(room + epsilon));
}

/** Requests that would be admitted at the least, if a rounded count may reject one early. */
function leastWhole(room: number, { admissionSlack }: AnyModel): number {
  const whole = Math.floor(room + epsilon);
  return admissionSlack > 0 && room - whole > 0.01 ? whole - admissionSlack : whole;
}

/** How many more were admitted than there was room for. Requests of other clients only take room away. */
function excessOf(room: Interval, { model, load: { limited, dearest } }: Moment): number {
  return limited - mostWhole(room[1], model) - Math.max(0, dearest - 1);
}

/** A race loses what is counted at the same time; what was exhausted before stays exhausted. */
function isExcused(room: Interval, { model, hypothesis, load }: Moment): boolean {
  const races = load.overlapping && hypothesis.overlapping === 'lost';
  return hypothesis.leaks || (races && mostWhole(room[1], model) > 0);
}

/** What rejections show: that nothing is left (`full`), that others took what was left, or that there is no reason. */
function rejections(path: Path, moment: Moment): Array<readonly [path: Path, full: boolean]> {
  const { model, hypothesis, load, since } = moment;
  const { rejected, admitted, uncertain, at, overlapping, reporting } = load;
  const [first] = rejected;
  if (!first) return [[path, false]];
  const room = path.before;
  const exempt = rejected.filter((one) => isExempt(one, hypothesis));
  const spurious = (observations: Load['rejected']): Path =>
    withFinding(path, load, { kind: 'spurious rejection', observations, count: observations.length, room });
  if (exempt.length > 0) return [[spurious(exempt), false]];
  const wanted = Math.max(1, costOf(first, hypothesis));
  const left = leastWhole(room[0], model) - admitted[1] - uncertain - (wanted - 1);
  if (left <= 0) return [[path, true]];
  if (isRejectedOtherwise(moment)) return [[path, false]];
  // Remaining may show them; in a burst it shows no more than the rejections do.
  const isShown = reporting.at(-1)?.headers.remaining === 0 && hypothesis.believesRemaining && !overlapping;
  const kind = isShown ? 'hidden requests' : 'filled by others';
  const filled = withFinding(path, load, { kind, observations: rejected, count: left, room });
  return [
    [{ ...filled, state: model.chargeHidden(filled.state, since, at, left) }, true],
    [spurious(rejected), false],
  ];
}

/** Whether the hypothesis rejects for another reason than its limit: a lock, a limit of one operation, or a second limit. */
function isRejectedOtherwise({
  hypothesis,
  history,
  load: { rejected, overlapping, burst },
}: Moment): boolean {
  const { rules, second } = hypothesis;
  if (overlapping && hypothesis.overlapping === 'rejected') return true;
  if (rejected.every(({ operation }) => operation !== null && rules[operation]?.capped)) return true;
  if (!second) return false;
  const { limit, windowMs } = second;
  const recent = history.own.filter(
    ({ outcome, sentAt }) =>
      outcome === 'admitted' && sentAt > burst.at[0] - windowMs && sentAt <= burst.at[1],
  );
  return recent.length >= limit;
}

/** What Remaining shows as used, and requests explain that may not have been counted: it may be other clients all the same. */
function withCoveredGap(path: Path, { model, hypothesis, load, since }: Moment): Path | undefined {
  const { at, admitted, reporting, uncertain, first } = load;
  const lowest = reporting.at(-1)?.headers.remaining;
  if (lowest === undefined || first || model.admissionSlack > 0 || !hypothesis.believesRemaining)
    return undefined;
  const room = model.room(path.state, at);
  if (model.rounding === 0 && uncertain === 0 && room[1] - room[0] < 1) return undefined;
  const count = Math.floor(room[1] - admitted[0] + epsilon) - lowest - hypothesis.shownLess;
  if (count <= 0) return undefined;
  const observations = reporting.slice(-1);
  const found = withFinding(path, load, { kind: 'hidden requests', observations, count, room: path.before });
  return { ...found, state: model.chargeHidden(path.state, path.knownAt ?? since, at, count) };
}

/** Compares what the headers say with what is left, charges the burst, and keeps the states that agree with it. */
function settled(path: Path, moment: Moment, full: boolean): Path {
  const { model, hypothesis, load } = moment;
  const { at, admitted, uncertain, rejected, overlapping, partly, limited } = load;
  const after429 = full ? comparedOn429(path, moment) : path;
  const { path: seen, shown } = compared(comparedWithDay(after429, moment), moment);
  const more = hypothesis.chargesRejected ? rejected.length : 0;
  const charged = model.charge(seen.state, at, [admitted[0] + more, admitted[1] + uncertain + more + partly]);
  const known =
    shown ??
    (overlapping
      ? undefined
      : full
        ? ([-Infinity, model.rounding > 0 ? 1 + model.admissionSlack : 0] as const)
        : limited > 0 && limited === admitted[1]
          ? ([-model.admissionSlack, Infinity] as const)
          : undefined);
  const isRejected = rejected.length > 0;
  const renewed =
    isRejected && hypothesis.renewedBy === 'rejections' ? model.renew?.(charged, at) : undefined;
  const emptied = isRejected && hypothesis.emptied ? model.initial(at)[0]?.state : undefined;
  const begun = emptied ?? renewed ?? charged;
  const state = known && emptied === undefined ? model.narrow(begun, at, known) : begun;
  const knownAt = shown && uncertain + partly === 0 ? at[1] : seen.knownAt;
  return comparedWithReset({ ...seen, state, knownAt }, moment);
}

/** A rejection that reports requests left, though none are. The room says whether the run itself has used them all. */
function comparedOn429(path: Path, { model, hypothesis, load }: Moment): Path {
  const observations = load.rejected.filter(
    ({ headers }) => headers.period === 'minute' && (headers.remaining ?? 0) > model.rounding,
  );
  if (observations.length === 0 || !hypothesis.believesRemaining) return path;
  const room: Interval = [0, path.before[1] - load.admitted[0]];
  const count = observations[0]?.headers.remaining ?? 1;
  return withFinding(path, load, { kind: 'remaining too high', observations, count, room });
}

/** Compares Remaining with what is left; `shown` is what it shows of the room after the burst. */
function compared(path: Path, moment: Moment): { readonly path: Path; readonly shown?: Interval } {
  const { model, hypothesis, load, since } = moment;
  const { reporting, at, admitted, uncertain, silent, rejected, overlapping } = load;
  const lowest = reporting.at(-1)?.headers.remaining;
  if (lowest === undefined || !hypothesis.believesRemaining) return { path };
  const room = model.room(path.state, at);
  // Two whole counts have no fraction to round; a bucket always has one, be it only in its arithmetic.
  const isWhole = model.admissionSlack > 0 && room.every((one) => Math.abs(one - Math.round(one)) < epsilon);
  const rounding = isWhole ? 0 : model.rounding;
  const count = tooHigh(path, moment, rounding);
  if (count > 0)
    return {
      path: withFinding(path, load, { kind: 'remaining too high', observations: reporting, count, room }),
    };
  // The lowest may be of the window before, and says nothing of what is left of this one.
  if (model.isAcross?.(path.state)) return { path };
  const left = lowest + hypothesis.shownLess;
  const behind = uncertain + silent + load.partly + (hypothesis.chargesRejected ? rejected.length : 0);
  const growth = overlapping
    ? Math.max(0, model.room(path.state, [at[1], at[1]])[1] - model.room(path.state, [at[0], at[0]])[1])
    : 0;
  const shown: Interval = [
    lowest === 0 ? -Infinity : left - behind - rounding,
    left + growth + (rounding > 0 ? 1 : 0),
  ];
  if (load.first) {
    const past = Math.max(0, hypothesis.limit - left - admitted[0]);
    const behaviour = path.behaviour + hypothesisPrices.past * Math.log2(1 + past);
    return { path: { ...path, behaviour }, shown };
  }
  const hidden = Math.floor(room[0] - admitted[1] - uncertain + epsilon) - left - rounding;
  if (hidden <= 0) return { path, shown };
  const began = model.began(path.state, at);
  const extra = began > since ? coincidence(at[1] - began) : 0;
  const observations = reporting.slice(-1);
  const found = withFinding(path, load, {
    kind: 'hidden requests',
    observations,
    count: hidden,
    room,
    extra,
  });
  return {
    path: { ...found, state: model.chargeHidden(path.state, path.knownAt ?? since, at, hidden) },
    shown,
  };
}

function isTooHigh(path: Path, moment: Moment): boolean {
  return moment.hypothesis.believesRemaining && tooHigh(path, moment, moment.model.rounding) > 0;
}

/** By how much Remaining is above what can be left, the burst's highest compared first: others lower it at any time. */
function tooHigh({ before }: Path, { hypothesis, load }: Moment, rounding: number): number {
  if (load.overlapping && hypothesis.overlapping === 'lost') return 0;
  let used = 0;
  let most = 0;
  for (const [index, { headers }] of load.reporting.entries()) {
    used += load.costs[index] ?? 1;
    const { remaining = 0 } = headers;
    const left = Math.floor(before[1] + epsilon) - used + rounding;
    if (remaining > 0) most = Math.max(most, remaining + hypothesis.shownLess - left);
  }
  return most;
}

/** Headers that describe the day show other clients, too: what they use is charged to the minute. */
function comparedWithDay(path: Path, { model, hypothesis, history, load, since }: Moment): Path {
  const { admitted, at, uncertain, burst } = load;
  const { dayRoom } = path;
  const shown = burst.observations.flatMap(({ headers, outcome }) =>
    headers.period === 'day' && outcome === 'admitted' ? (headers.remaining ?? []) : [],
  );
  const lowest = Math.min(...shown);
  if (shown.length === 0 || !hypothesis.believesRemaining)
    return dayRoom === undefined ? path : { ...path, dayRoom: dayRoom - admitted[0] };
  const next = { ...path, dayRoom: lowest };
  if (dayRoom === undefined) return next;
  const { perDay } = history.plan;
  const refilled = Math.ceil((perDay * (at[1] - since)) / dayMs) + tolerances.remainingRounding;
  const room: Interval = [dayRoom - admitted[1] - uncertain, dayRoom - admitted[0] + refilled];
  const observations = burst.observations;
  // Far above is a new day.
  if (lowest > room[1] && lowest < perDay - 2 * admitted[1])
    return withFinding(next, load, {
      kind: 'remaining too high',
      observations,
      count: lowest - room[1],
      room,
    });
  const count = room[0] - lowest;
  if (count <= 0) return next;
  const found = withFinding(next, load, { kind: 'hidden requests', observations, count, room });
  return { ...found, state: model.chargeHidden(path.state, since, at, count) };
}

/** A Reset that names none of the times that the limiter knows. */
function comparedWithReset(path: Path, { model, hypothesis, history: { clock }, load }: Moment): Path {
  const [only] = load.burst.observations;
  if (!clock || load.overlapping || only?.headers.reset === undefined || only.headers.period !== 'minute')
    return path;
  const { reset } = only.headers;
  const slack = tolerances.resetRoundingMs;
  const named: Interval = [reset - clock[1] - slack, reset - clock[0] + slack];
  const fits = model.resets(path.state, load.at).some(([from, to]) => from <= named[1] && to >= named[0]);
  if (!fits)
    return withFinding(path, load, { kind: 'other time', observations: [only], count: 1, room: [0, 0] });
  const state = hypothesis.otherPhase ? model.narrowByReset?.(path.state, named) : undefined;
  return state === undefined ? path : { ...path, state };
}
