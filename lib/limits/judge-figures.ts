import { Inconclusive, NotTested } from '../verdict/outcome.js';
import type { Failure as Claim, Judgement } from '../verdict/judgement.js';
import { dayUsedUp } from './day-used-up.js';
import { uncountedStatuses, type LimitEvidence } from './evidence.js';
import { leastRoom, mostAdmitted } from './honest.js';
import { isFixedWindow } from './identify.js';
import { admitted, answerOf, refused, type Seen } from './seen.js';
import { toldApart } from './told-apart.js';
import { viewOf } from './told.js';
import { figuresOf, type Surroundings, type UseFigures, type UseKind, type WindowUse } from './window-use.js';

/** LIMIT-01: no 429 before the plan's figure, in one window used up in sequence. */
export function judgeFigureAdmitted(judgement: Judgement, evidence: LimitEvidence): void {
  const { use, figures } = usable(evidence, 'sequence');
  judgeEnough(judgement, evidence, use, figures);
}

/** LIMIT-02: the request over the limit gets 429, and not one more is admitted, in the same window. */
export function judgeOverLimitRefused(judgement: Judgement, evidence: LimitEvidence): void {
  const { use, figures } = usable(evidence, 'sequence');
  if (judgeNotTooMany(judgement, evidence, use, figures)) return;
  judgeWindowLength(judgement, evidence);
  const last = use.requests.find((request) => !admitted(request));
  if (last && refused(last)) {
    judgement.held();
    return;
  }
  if (last && figures.consumed >= figures.expected) {
    const claim = {
      message: `the request over the limit is answered ${last.status === null ? 'by nothing' : `with ${last.status}`} in the place of 429`,
      expected: '429',
      received: String(answerOf(last)),
    };
    judgement.fail(answerOf(last), claim);
    return;
  }
  if (last) throw new Inconclusive(brokenReason(figures));
  unlessBurstRefused(evidence, figures);
  judgement.held();
  judgement.note(
    `In sequence no limit was reached, as it refills meanwhile; the burst of LIMIT-03 reached it.`,
  );
}

/**
 * Where every request of a window was admitted, and time explains it, a burst tells whether there is a limit: it leaves
 * no time.
 * @throws Inconclusive where none was refused either, or too few.
 */
function unlessBurstRefused(evidence: LimitEvidence, { consumed, span, allowance }: UseFigures): void {
  const { perMinute } = evidence.plan;
  const { burst } = evidence.uses;
  const figures = burst && !burst.unfit ? figuresOf(burst, surroundings(evidence)) : undefined;
  if (figures && figures.refusals > 0 && figures.consumed <= perMinute + figures.allowance) return;
  throw new Inconclusive(
    `${consumed} requests in ${seconds(span)} were all admitted: a limiter that refills explains ${allowance} above the figure of ${perMinute}, and more were not sent`,
  );
}

/** LIMIT-03: a burst over many connections is admitted up to the figure, no less and no more. */
export function judgeBurst(judgement: Judgement, evidence: LimitEvidence): void {
  const { use, figures } = usable(evidence, 'burst');
  if (judgeNotTooMany(judgement, evidence, use, figures)) return;
  judgeEnough(judgement, evidence, use, figures);
}

/** LIMIT-09: a window used by all three operations in turn admits the figure, no more and no less. */
export function judgeOneLimitForAll(judgement: Judgement, evidence: LimitEvidence): void {
  const { use, figures } = usable(evidence, 'mixed');
  if (judgeNotTooMany(judgement, evidence, use, figures)) return;
  judgeBehindRefusal(judgement, evidence, use);
  if (figures.refusals === 0 && figures.consumed >= figures.expected) {
    unlessBurstRefused(evidence, figures);
    if (toldApart(use.requests, evidence)) {
      throw new Inconclusive(
        'Remaining does not show that the operations share one limit, and a refill may explain that none was refused',
      );
    }
  }
  judgeEnough(judgement, evidence, use, figures);
  const operations = new Set(use.requests.filter(admitted).map(({ exchange }) => exchange.operation));
  if (operations.size < 3 && judgement.findings.length === 0) {
    const reason = evidence.readOnly
      ? 'a read-only run leaves createPet out'
      : `only ${[...operations].join(' and ')} could be asked`;
    throw evidence.readOnly ? new NotTested(reason) : new Inconclusive(reason);
  }
}

/**
 * Between two refusals of one operation the others are refused too. What a window that slides or refills gives back
 * meanwhile is allowed for.
 */
function judgeBehindRefusal(
  judgement: Judgement,
  { plan, windowMs }: LimitEvidence,
  { requests, light }: WindowUse,
): void {
  const first = requests.find(refused);
  const again = requests.findLast(
    (seen) => refused(seen) && seen.exchange.operation === first?.exchange.operation,
  );
  if (!first || !again) return;
  const between = requests.filter(
    (seen) => admitted(seen) && seen.sentAt > first.sentAt && seen.sentAt < again.sentAt,
  );
  const refill = Math.ceil((plan.perMinute * (again.at - first.sentAt)) / windowMs);
  if (between.length <= 1 + refill + light.length) return;
  const operations = [...new Set(between.map(({ exchange }) => exchange.operation))].join(' and ');
  const claim = {
    message: `${operations} is admitted when ${first.exchange.operation} is over the limit`,
    expected: '429: one limit for all operations',
    received: `${between.length} admitted between two 429`,
  };
  judgement.fail([answerOf(first), ...between.slice(0, 2).map(answerOf), answerOf(again)], claim);
}

/** A window that comes back in less than a minute admits the figure more often than once a minute. */
function judgeWindowLength(judgement: Judgement, evidence: LimitEvidence): void {
  judgeWholeAgain(judgement, evidence);
  const [first] = evidence.recoveries;
  if (!first || judgement.findings.length > 0) return;
  const other = evidence.otherWindow();
  const { plan, windowMs } = evidence;
  if (!other || other.windowMs > windowMs) return;
  const claim = {
    message: `requests come back sooner than a minute allows, as in a window of about ${seconds(other.windowMs)}`,
    expected: `${plan.perMinute} requests a minute`,
    received: `answers that a ${other.name} of about ${seconds(other.windowMs)} explains, and none of a minute`,
  };
  judgement.fail([answerOf(first.refusal), answerOf(first.look)], claim);
}

/** All of a fixed window is there again in less than a minute, twice in a row: the first may be the end of a minute. */
function judgeWholeAgain(judgement: Judgement, { recoveries, plan, windowMs }: LimitEvidence): void {
  const whole = recoveries.filter(
    ({ by, look }) =>
      by === 'Retry-After' &&
      admitted(look) &&
      viewOf(look.told, plan, windowMs) === 'minute' &&
      (look.told.remaining ?? 0) >= plan.perMinute - 1,
  );
  whole.forEach(({ look }, index) => {
    const next = whole[index + 1]?.look;
    if (!next) return;
    const apart = next.sentAt - look.sentAt;
    const claim = {
      message: `the window of a minute begins anew after ${seconds(apart)}`,
      expected: `${plan.perMinute} requests a minute`,
      received: `all ${plan.perMinute} of them again after ${seconds(apart)}`,
    };
    judgement.check(apart >= windowMs - 3_000, [answerOf(look), answerOf(next)], () => claim);
  });
}

function usable(evidence: LimitEvidence, kind: UseKind): { use: WindowUse; figures: UseFigures } {
  const use = evidence.uses[kind];
  if (!use) throw new Inconclusive(evidence.stopped ?? 'no window could be used up for it');
  if (use.unfit !== undefined) throw new Inconclusive(use.unfit);
  return { use, figures: figuresOf(use, surroundings(evidence)) };
}

export function surroundings(evidence: LimitEvidence): Surroundings {
  const { plan, windowMs, identification, costs, history, earlier } = evidence;
  const { mayRefill } = identification;
  const uncounted = uncountedStatuses(costs);
  const fixedWindows = isFixedWindow(identification);
  const honest = { ...evidence, counts: ({ status }: Seen) => status !== null && !uncounted.has(status) };
  const all = [...earlier, ...history];
  return {
    plan,
    windowMs,
    uncounted,
    mayRefill,
    fixedWindows,
    leastRoom(look) {
      if (!isSure(identification)) return undefined;
      return leastRoom(look, { ...honest, before: all.filter(({ sentAt }) => sentAt < look.sentAt) });
    },
    mostAdmitted({ requests, light }) {
      const held = fixedWindows ? light.filter((seen) => !isOtherWindow(seen, requests[0])) : light;
      return mostAdmitted(requests, { ...honest, before: isSure(identification) ? held : [] });
    },
  };
}

/** By their Reset two answers are of different windows: another client may have begun the later one. */
function isOtherWindow({ told }: Seen, other: Seen | undefined): boolean {
  if (told.reset === undefined || other?.told.reset === undefined) return false;
  return Math.abs(told.reset.at - other.told.reset.at) > 2_000;
}

/** One algorithm explains it better than the others, or any of several does. */
function isSure({ candidates, certainty }: LimitEvidence['identification']): boolean {
  return candidates.length > 1 || certainty === 'certain' || certainty === 'likely';
}

/** True where more was admitted than the figure and the time explain: then it is a finding. */
function judgeNotTooMany(
  judgement: Judgement,
  evidence: LimitEvidence,
  use: WindowUse,
  figures: UseFigures,
): boolean {
  const { perMinute } = evidence.plan;
  const { consumed, allowance } = figures;
  // Of a window that slides, the suite's own requests just before hold a part.
  const held = Math.max(0, -allowance);
  const beyond = consumed + held - perMinute;
  const explained = allowance > 0 ? `, ${allowance} more by refill in ${seconds(figures.span)}` : '';
  const over = consumed > perMinute + allowance;
  const evidenceOf = use.requests.filter(admitted).slice(perMinute + allowance, perMinute + allowance + 3);
  const beside = held > 0 ? `, with ${held} of the suite's own just before` : '';
  const claim: Claim = {
    message: `${consumed + held} requests were admitted in one window${beside}, ${beyond} more than the plan's ${perMinute}${ways[use.kind]}`,
    expected: `at most ${perMinute} admitted${explained}, then 429`,
    received: `${consumed} admitted in ${seconds(figures.span)}, ${figures.refusals} refused`,
  };
  judgement.check(!over, evidenceOf.map(answerOf), () => claim);
  if (!over && beyond > 0) {
    judgement.note(
      `${beyond} more than ${perMinute} were admitted, which a refill over ${seconds(figures.span)} explains.`,
    );
  }
  return over;
}

/** Whether the figure was reached. Each admission is a comparison. */
function judgeEnough(
  judgement: Judgement,
  evidence: LimitEvidence,
  use: WindowUse,
  figures: UseFigures,
): void {
  const { perMinute } = evidence.plan;
  const missing = figures.expected - figures.consumed;
  if (missing <= 0) {
    // In sequence what was lost was sent when the figure had been reached.
    if (figures.lost > 0 && use.kind !== 'sequence') throw new Inconclusive(brokenReason(figures));
    for (let one = 0; one < figures.consumed; one += 1) judgement.held();
    if (figures.expected < perMinute) {
      judgement.note(
        `${perMinute - figures.expected} of the ${perMinute} were still used up by the suite's requests before.`,
      );
    }
    return;
  }
  const refusal = use.requests.find(refused);
  if (figures.lost + figures.broken >= missing) throw new Inconclusive(brokenReason(figures));
  if (!refusal) throw new Inconclusive(`the window was not used up: ${figures.consumed} requests were sent`);
  if (dayUsedUp(refusal, evidence)) throw new Inconclusive("the day's requests are used up");
  if (othersSeen(evidence)) {
    throw new Inconclusive('other clients use the key, and may have used up what is missing');
  }
  const claim: Claim = {
    message: `429 after ${figures.consumed} of the plan's ${perMinute} requests in one window${ways[use.kind]}`,
    expected: `${figures.expected} requests admitted`,
    received: `${figures.consumed} admitted, then ${String(answerOf(refusal))}`,
  };
  judgement.fail(answerOf(refusal), claim);
}

/** Whether any window of the run showed requests of others on this key, or nothing but others explains the answers. */
export function othersSeen(evidence: LimitEvidence): boolean {
  const known = seenOthers.get(evidence) ?? lookForOthers(evidence);
  seenOthers.set(evidence, known);
  return known;
}

/** Asked of each refusal of a burst; the answer is the same. */
const seenOthers = new WeakMap<LimitEvidence, boolean>();

function lookForOthers(evidence: LimitEvidence): boolean {
  const around = surroundings(evidence);
  const seen = Object.values(evidence.uses).some((use) => {
    const { others, consumed, expected } = figuresOf(use, around);
    return use.others > 0 || (others.certain > 0 && consumed < expected);
  });
  return seen || evidence.othersPossible();
}

function brokenReason({ lost, broken }: UseFigures): string {
  const parts = [
    ...(lost > 0 ? [`${lost} requests got no answer`] : []),
    ...(broken > 0 ? [`${broken} were answered with other errors`] : []),
  ];
  return `${parts.join(' and ')}, so that it can't be known how many the limiter admitted`;
}

const ways = {
  sequence: '',
  mixed: ', used by all three operations in turn',
  burst: ', in a burst over many connections',
} as const satisfies Record<UseKind, string>;

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 2 : 0)} s`;
}
