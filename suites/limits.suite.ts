import type { Evidence } from '../lib/evidence/evidence.js';
import { curlOf, repeated } from '../lib/evidence/curl.js';
import { judgeDay } from '../lib/limits/day.js';
import {
  isAdmitted,
  isRejected,
  isServed,
  reportsRemaining,
  responsesOf,
  waitEnds,
  type History,
  type LimitFacts,
  type Observation,
  type WalkAround,
} from '../lib/limits/history/history.js';
import { algorithmOf, seconds, unexplained } from '../lib/limits/judge/certificate.js';
import { follow } from '../lib/limits/judge/follow.js';
import type { Explanation, Hypothesis } from '../lib/limits/judge/hypothesis.js';
import { including } from '../lib/limits/judge/load.js';
import { isFixedWindow } from '../lib/limits/limiter/algorithms.js';
import type { LimitEvidence } from '../lib/limits/limits-of-run.js';
import { commandOfCreation, commandOfRejection, exhausting } from '../lib/limits/rows/commands.js';
import { judgeAdmission, judgeVantagePoints } from '../lib/limits/rows/odds.js';
import { comesBackAtOnce, judgeReset, judgeServedAfterRetryAfter } from '../lib/limits/rows/waits.js';
import { bits, dayMs, plus, tolerances } from '../lib/limits/tolerances.js';
import { check, failed, observed, open, wrongHeader, type Check, type Checks } from '../lib/verdict/check.js';
import { Inconclusive, NotApplicable, NotTested } from '../lib/verdict/outcome.js';
import { requirement, type ProbeAndRule } from '../lib/verdict/requirement.js';
import { leaveNothing } from '../lib/verdict/verbs.js';

/** The limits of a plan (section 8). What a limiter admits is judged by the odds of what explains it; headers and pairs of requests here. */

/** One series of requests serves all of these requirements; the first one that is judged sends it. */
function byLimits(judge: (limits: LimitEvidence, evidence: Evidence) => Checks): ProbeAndRule<undefined> {
  return {
    phase: 'limits',
    probe: ({ limits }) => limits(),
    *rule(evidence) {
      const { limits } = evidence.parts;
      if (!limits) return;
      try {
        yield* judge(limits, evidence);
      } catch (error) {
        // What a run has seen too little of to judge, because it stopped, says why it stopped.
        const { stopped } = limits.facts;
        throw error instanceof Inconclusive && stopped !== undefined ? new Inconclusive(stopped) : error;
      }
    },
  };
}

requirement(
  'LIMIT-01',
  byLimits((limits) => judgeAdmission(limits, 'LIMIT-01')),
);
requirement(
  'LIMIT-02',
  byLimits((limits) => judgeAdmission(limits, 'LIMIT-02')),
);
requirement(
  'LIMIT-03',
  byLimits((limits) => judgeAdmission(limits, 'LIMIT-03')),
);

function rejectionsIn(observations: readonly Observation[]): Observation[] {
  const rejections = observations.filter(isRejected);
  if (rejections.length === 0) throw new Inconclusive('no 429 was seen');
  return rejections;
}

/** Every 429 carries a `Retry-After` that RFC 9110 10.2.3 allows, and that asks for no more than the exhausted window. */
requirement(
  'LIMIT-04',
  byLimits((evidence) => {
    const { history, day } = evidence;
    return rejectionsIn([...history.own, ...day]).map((rejection) => {
      const { sentAt, phase, headers } = rejection;
      const { retryAfter } = headers;
      const windowMs = phase === 'day' ? dayMs : history.windowMs;
      // A date by an unknown clock says nothing of the time until then.
      const isUnknown = retryAfter?.form === 'date' && !history.clock;
      const end = waitEnds({ ...rejection, receivedAt: sentAt }, history.clock) ?? Number.POSITIVE_INFINITY;
      const isUsable = isUnknown || end - sentAt <= windowMs + tolerances.longestWaitMs;
      return check(isUsable, responsesOf(rejection), () => ({
        message: 'a 429 has no Retry-After that a client can keep',
        expected: `Retry-After: whole seconds from 1 to ${windowMs / 1000}, or an HTTP date within that time`,
        received: retryAfter ? `Retry-After: ${retryAfter.text}` : 'no Retry-After',
        reproduce: commandOfRejection(rejection, evidence),
        fact: wrongHeader('Retry-After', retryAfter ? [retryAfter.text] : []),
      }));
    });
  }),
);

requirement('LIMIT-05', byLimits(judgeServedAfterRetryAfter));

/** `Retry-After` and Reset name the same moment, within two seconds. */
requirement(
  'LIMIT-06',
  byLimits((evidence) => {
    const made = rejectionsIn(evidence.history.own).flatMap((rejection): Check | [] => {
      const apart = apartMs(rejection, evidence.history);
      if (apart === undefined) return [];
      const agree = Math.abs(apart) <= tolerances.agreementMs || apart <= latestBack(rejection, evidence);
      return check(agree, responsesOf(rejection), () => ({
        message: 'Retry-After and X-RateLimit-Reset are more than two seconds apart',
        expected: 'both name the same moment',
        received: `Retry-After: ${rejection.headers.retryAfter?.text ?? ''}, ${seconds(Math.abs(apart))} ${apart < 0 ? 'before' : 'after'} Reset`,
        reproduce: commandOfRejection(rejection, evidence),
        fact: wrongHeader('Retry-After', ['not Reset']),
      }));
    });
    if (made.length === 0)
      throw new NotApplicable('no 429 carried a Retry-After and a Reset of the minute that can be compared');
    return made;
  }),
);

/** By how much `Retry-After` is after Reset (negative: before); what clocks leave open counts in its favour. */
function apartMs({ headers, sentAt, receivedAt }: Observation, { clock }: History): number | undefined {
  const { retryAfter, reset, period } = headers;
  // With the Reset of the day nothing is compared that may be the minute's.
  if (!retryAfter || retryAfter.form === 'malformed' || reset === undefined || period === 'day')
    return undefined;
  if (retryAfter.form === 'date') return retryAfter.date - reset;
  if (!clock) return undefined;
  const wait = retryAfter.seconds * 1000 - reset;
  const [least, most] = plus([sentAt, receivedAt], plus(clock, [wait, wait]));
  return Math.max(least, Math.min(0, most));
}

/**
 * How much later than Reset the next single request may come back if the limit comes back bit by bit, whatever Reset means
 * then. Never, if the limit comes back at once.
 */
function latestBack(rejection: Observation, { diagnosis: { possible }, history }: LimitEvidence): number {
  const bitByBit = possible.filter((one) => !comesBackAtOnce(one));
  const isElsewhere = ({ traced }: Explanation): boolean =>
    traced.find(including(rejection))?.isOtherTime === true;
  if (bitByBit.length < possible.length && bitByBit.every(isElsewhere)) return Number.NEGATIVE_INFINITY;
  // A rejection that counts pushes the limit back.
  if (possible.some(({ hypothesis }) => hypothesis.chargesRejected)) return Number.POSITIVE_INFINITY;
  return tolerances.agreementMs + history.windowMs / (rejection.headers.limit || history.plan.perMinute);
}

requirement(
  'LIMIT-07',
  byLimits(({ facts }, evidence) => {
    const { overLimit } = evidence.refused;
    if (facts.readOnly) throw new NotTested('a read-only run creates nothing');
    if (overLimit.length === 0) throw new Inconclusive('no creation was rejected with 429');
    const message = 'a creation that was rejected with 429 added an animal all the same';
    return leaveNothing(evidence, overLimit, message, (...shown) => commandOfCreation(...shown, facts));
  }),
);

/** A request so soon after a 429 comes while the key is over its limit, whatever the 429 says. */
const stillOverMs = 1_000;

/** While one key is over its limit, another is served. */
requirement(
  'LIMIT-08',
  byLimits(function* ({ facts, history, diagnosis }) {
    const { own, others } = history;
    if (history.walkAround) yield walkedAround(history.walkAround, facts);
    if (facts.otherCaller === undefined) throw new NotTested('a second key is needed (--other-api-key)');
    const second = others.filter(({ caller, status }) => caller === facts.otherCaller && status !== 401);
    // What has a limit of its own says nothing of another operation's.
    const isApart = diagnosis.deviation?.id === 'apart';
    /** The rejection of the plan's key that was its last response. */
    const rejectionAt = ({ sentAt, operation }: Observation): Observation | undefined => {
      const last = own.findLast(
        (one) => one.status !== null && one.receivedAt <= sentAt && (!isApart || one.operation === operation),
      );
      return last && isRejected(last) && sentAt <= last.receivedAt + stillOverMs ? last : undefined;
    };
    const beside = second.filter((one) => rejectionAt(one) && (isAdmitted(one) || isRejected(one)));
    if (beside.length === 0)
      throw new Inconclusive('no response to the second key came while the first was over its limit');
    const rejected = beside.filter(isRejected);
    const [first] = rejected;
    const over = first && rejectionAt(first);
    if (!over) return void (yield { held: beside.length });
    if (!second.some((one) => isAdmitted(one) && !rejectionAt(one)))
      return void (yield open(
        'the second key was rejected, and never served while the first was not over its limit',
      ));
    yield failed(responsesOf(over, ...rejected.slice(0, 2)), {
      message: 'a second key is rejected with 429 while the first one is over its limit',
      expected: 'served: limits are counted for each caller',
      received: `${rejected.length} of ${beside.length} rejected`,
      reproduce: `${exhausting(over.exchange, facts.plan)}; ${curlOf(first.exchange.request)}`,
    });
  }),
);

/** Who names another client's address is no other caller. */
function walkedAround({ before, forged }: WalkAround, { plan }: LimitFacts): Check {
  const was = before.headers.remaining;
  const inTurn = repeated.countedInTurn([curlOf(before.exchange.request)], plan.perMinute + 1);
  return failed(responsesOf(before, forged), {
    message:
      'the limit can be walked around: a request that names another client’s address (X-Forwarded-For, X-Real-IP, Forwarded) is counted apart',
    expected: `less than ${was} remaining, as for any request with this key`,
    received: `${forged.headers.remaining} remaining, right after ${was}`,
    reproduce: `${inTurn}; ${curlOf(forged.exchange.request)}`,
  });
}

requirement(
  'LIMIT-09',
  byLimits((limits) => judgeAdmission(limits, 'LIMIT-09')),
);
requirement('LIMIT-10', byLimits(judgeDay));

/** Which algorithm limits, as far as the explanation proves it. */
requirement(
  'LIMIT-11',
  byLimits(function* ({ diagnosis, history }) {
    if (history.own.length === 0) throw new Inconclusive('nothing was sent');
    const { name, certainty } = algorithmOf(diagnosis);
    yield observed('algorithm', `${name} (${certainty})`);
    const assumed = unexplained(diagnosis.best);
    if (assumed.length > 0) yield observed('left unexplained', assumed.join('; '));
  }),
);

/** What a client meets that ignores 429, with whichever key it was tried. */
requirement(
  'LIMIT-12',
  byLimits(function* ({ sent, history: { clock, others } }) {
    const all = [...sent, ...others].toSorted((a, b) => a.sentAt - b.sentAt);
    const tried = all.filter(({ phase }) => phase === 'ban');
    if (tried.length === 0)
      throw new NotTested('a ban is provoked only on a key given for it (--observe-ban=KEY)');
    const over = tried.findIndex(isRejected);
    // What time gives back meanwhile is served.
    const [first, ...ignored] = over < 0 ? [] : tried.slice(over).filter((one) => !isServed(one));
    const last = ignored.at(-1);
    if (!first || !last) throw new Inconclusive('no 429 was seen that could be ignored');
    const asked = (one: Observation): number =>
      Math.round(((waitEnds(one, clock) ?? one.receivedAt) - one.receivedAt) / 1000);
    const index = ignored.findIndex((one) => !isRejected(one) || asked(one) > asked(first) + 5);
    const changed = ignored[index];
    const behaviour = !changed
      ? 'each is rejected with 429 as the first one was'
      : isRejected(changed)
        ? `from response ${index + 1} on, Retry-After is ${asked(changed)} s instead of ${asked(first)} s: the key is banned for a time`
        : `response ${index + 1} is ${changed.status ?? 'missing'} instead of 429`;
    yield observed(`${ignored.length} requests in spite of a 429`, behaviour, (changed ?? first).exchange);
    const final = all.findLast(({ phase }) => phase === 'ban afterwards') ?? last;
    const is = isServed(final) ? 'is served again' : `still gets ${final.status ?? 'no response'}`;
    const waited = Math.round((final.receivedAt - last.receivedAt) / 1000);
    yield observed('the key afterwards', `${is} after ${waited} s`, final.exchange);
  }),
);

/** What counts against the limit, if counting it and not counting it explain the history differently. */
requirement(
  'LIMIT-13',
  byLimits(({ diagnosis, history }) => {
    const { best, deviation, otherTraffic } = diagnosis;
    const { algorithm, renewedBy, uncharged } = best.hypothesis;
    /** Which of two ways to count explains the history better. */
    const dearerOf = (free: Partial<Hypothesis>, counted: Partial<Hypothesis>): string => {
      const cost = (change: Partial<Hypothesis>): number =>
        follow({ ...best.hypothesis, ...change }, history)?.total ?? Number.POSITIVE_INFINITY;
      const difference = cost(free) - cost(counted);
      if (!(Math.abs(difference) >= bits.named)) return 'not shown: the responses fit both';
      return difference > 0 ? 'uses the limit up like any other request' : 'does not use the limit up';
    };
    const behaviourOf = (status: number): string => {
      if (status !== 429) {
        const counted = new Set([...uncharged].filter((one) => one !== status));
        return dearerOf({ uncharged: new Set([...uncharged, status]) }, { uncharged: counted });
      }
      if (renewedBy?.includes('rejected')) return 'puts the end of the window off';
      return isFixedWindow(algorithm) && !deviation
        ? 'no effect: the window ends when it would have ended'
        : dearerOf({ chargesRejected: false }, { chargesRejected: true });
    };
    const made = [400, 404, 429].flatMap((status): Check[] => {
      const seen = history.own.filter((one) => one.status === status).slice(0, 2);
      return seen.length > 0 ? [observed(String(status), behaviourOf(status), ...responsesOf(...seen))] : [];
    });
    const unauthorized = history.others.find(({ status }) => status === 401);
    if (unauthorized && otherTraffic === 0 && reportsRemaining(history.own) && !deviation)
      made.push(observed('401', 'does not use the limit of a valid key up', unauthorized.exchange));
    if (made.length === 0) throw new Inconclusive('no request that could tell was sent');
    return made;
  }),
);

requirement('LIMIT-14', byLimits(judgeReset));
requirement('LIMIT-15', byLimits(judgeVantagePoints));
