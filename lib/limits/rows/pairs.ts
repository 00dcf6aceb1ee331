import { operationNames } from '../../evidence/recorded-exchange.js';
import { curlOf, repeated } from '../../evidence/curl.js';
import { plain } from '../../verdict/reproduce.js';
import { failed, note, open, wrongHeader, type Check, type Checks } from '../../verdict/check.js';
import { Inconclusive, NotTested } from '../../verdict/outcome.js';
import { limitIn, seconds, tooHighCertificate, type Certificate } from '../judge/certificate.js';
import { diagnose } from '../judge/judge.js';
import { findingsOf, nearest, type Explanation, type Finding } from '../judge/hypothesis.js';
import { vantagePointOf } from '../judge/load.js';
import {
  isAdmitted,
  isRejected,
  isServed,
  responsesOf,
  type History,
  type LimitFacts,
  type Observation,
  type WalkAround,
} from '../history/history.js';
import { ofTheMinute, type LimitEvidence } from '../limits-of-run.js';
import { tolerances } from '../tolerances.js';
import { exhausting } from './commands.js';
import { factOfLimiter } from './odds.js';

/** What may come back between two requests that are compared: less than what one of them uses. */
const mostRefill = 0.4;
/** So many pairs in which it did not fall may be chance. */
const mostStill = 3;
/** Requests of others do not come once between each two of so many: once has a chance of 0.37 at most (Poisson). */
const fewestAlike = 8;
/** What nearly each request does, whatever is wrong about what is admitted. */
const nearlyEach = 0.9;
/** Observations that a finding shows. */
const mostShown = 6;

/** RATE-05: Remaining falls by what was sent, by the odds and as pairs of requests show it. Only what shows in Remaining is this row's. */
export function* judgeRemainingFalls(evidence: LimitEvidence): Checks {
  const { history } = evidence;
  const told = history.own.filter((one) => isAdmitted(one) && one.headers.remaining !== undefined);
  const isQuick = told.some((one, index) => one.sentAt - (told[index - 1]?.sentAt ?? 0) < tolerances.quickMs);
  if (!isQuick)
    throw new Inconclusive(
      'no two responses with an X-RateLimit-Remaining from 0 to Limit came quickly enough to see it fall',
    );
  const falls = fallsIn(history);
  const countsDown = falls.filter(({ by }) => by === 1).length >= falls.length * nearlyEach;
  // Of a limiter that counts down and rejects nothing there is nothing to explain, which takes long.
  const isPlain = countsDown && !history.own.some(isRejected) && !isWrong(falls, false);
  if (isPlain) return void (yield { held: told.length - 1 });
  const { deviation, twin, otherTraffic } = evidence.diagnosis;
  const isViolated =
    deviation?.violates.includes('RATE-05') === true && (deviation.id === 'remaining' || !countsDown);
  // A limit for each operation is LIMIT-09's to judge: each one's Remaining falls by itself.
  const isApart = deviation?.id === 'apart';
  if (!isViolated && !isWrong(falls, isApart)) {
    if (otherTraffic > 0) yield note('Remaining also falls by requests of other clients.');
    return void (yield { held: told.length - 1 });
  }
  const tooHigh = tooHighIn(twin);
  const { sentence, observations } = tooHigh ? tooHighCertificate(tooHigh, history) : wrongFalls(told, falls);
  yield failed(responsesOf(...observations), {
    message: `X-RateLimit-Remaining does not fall by one for each request${isViolated ? `: the limiter ${deviation.says}` : ''}`,
    expected: 'one less for each request in a window',
    received: sentence,
    reproduce: commandOfRemaining(observations, history),
    fact: isViolated
      ? factOfLimiter(evidence.diagnosis)
      : wrongHeader('X-RateLimit-Remaining', ['not falling']),
  });
}

/** A 429 that reports more than can be left, as the run itself has used it up. */
function tooHighIn(explanation: Explanation): Finding | undefined {
  return findingsOf(explanation, 'remaining too high').find(
    ({ observations, room }) => room[1] < 1 && observations.every(isRejected),
  );
}

/** What a request that quickly follows another one shows: by how much Remaining fell, and what may have come back meanwhile. */
interface Fall {
  readonly before: Observation;
  readonly next: Observation;
  readonly by: number;
  readonly back: number;
}

function fallsIn({ own, plan, windowMs }: History): Fall[] {
  // Once it has fallen to 0 it can't fall any more.
  const fell = own.some(({ headers }) => (headers.remaining ?? 0) > 0);
  return own.flatMap((next, index) => {
    const before = own[index - 1];
    const [was, is] = [before?.headers.remaining, next.headers.remaining];
    if (!before || was === undefined || is === undefined || !isAdmitted(next)) return [];
    const ms = next.receivedAt - before.sentAt;
    const back = (ms * plan.perMinute) / windowMs;
    const isOneLimit = next.headers.period === before.headers.period && !(was === 0 && fell);
    const isQuick = ms <= tolerances.quickMs && back <= mostRefill && next.sentAt >= before.receivedAt;
    return isOneLimit && isQuick ? [{ before, next, by: was - is, back }] : [];
  });
}

/** Whether Remaining stands still or rises (as a window begins, once in many requests), or falls by another number. */
function isWrong(falls: readonly Fall[], isApart: boolean): boolean {
  const isOf = (name: string) => (one: Fall) =>
    one.next.operation === name && isServed(one.before) && isServed(one.next);
  const isUneven = [falls, ...operationNames.map((name) => falls.filter(isOf(name)))].some((some) => {
    const back = Math.ceil(some.reduce((sum, one) => sum + one.back, 0));
    const still = some.filter(({ by }) => by <= 0).length - back;
    const rises = some.filter(({ by }) => by < -1).length;
    return (still >= mostStill && still > some.length / 2) || rises > mostStill + some.length / 10;
  });
  // What more than half of them are, if anything.
  const usual = falls.map(({ by }) => by).toSorted((a, b) => a - b)[Math.floor(falls.length / 2)] ?? 0;
  const alike = falls.filter(({ by }) => by === usual).length;
  return (isUneven && !isApart) || (usual > 1 && alike >= Math.max(fewestAlike, falls.length * nearlyEach));
}

/** Some that follow each other, the first pair that does not fall by one among them. */
function wrongFalls(told: readonly Observation[], falls: readonly Fall[]): Certificate {
  const first = falls.find(({ by }) => by !== 1)?.before;
  const from = told.findIndex((one) => one === first);
  const observations = told.slice(Math.max(0, from - 1)).slice(0, mostShown);
  const values = observations.map((one) => `${one.headers.remaining ?? '?'} (${one.operation ?? 'other'})`);
  return { sentence: values.join(', '), observations };
}

/** Sends what shows it again: behind a 429, or in the window after it, if it is shown there. */
function commandOfRemaining(observations: readonly Observation[], { own, plan, windowMs }: History): string {
  const curls = observations.slice(0, 4).map(({ exchange }) => curlOf(plain(exchange.request)));
  const shown = repeated.eachShowing('X-RateLimit-Remaining', curls);
  const first = own.find(isRejected);
  const last = observations.at(-1);
  if (!first || !last || last.sentAt < first.sentAt) return shown;
  return `${exhausting(first.exchange, plan)}; ${last.sentAt > first.sentAt + windowMs / 2 ? 'sleep 61; ' : ''}${shown}`;
}

/** A request so soon after a 429 comes while the key is over its limit, whatever the 429 says. */
const stillOverMs = 1_000;

/** LIMIT-08: while one key is over its limit, another is served. */
export function* judgePerCaller({ facts, history, diagnosis }: LimitEvidence): Checks {
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
}

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

/** LIMIT-15: a key has one limit, wherever its requests come from. */
export function* judgeVantagePoints(evidence: LimitEvidence): Checks {
  const { vantagePoints: points = [], plan } = evidence.facts;
  if (points.length < 2)
    throw new NotTested(
      'it takes a second vantage point: name two source addresses of this machine with --local-address=A,B (its IPv4 and its IPv6 address are two)',
    );
  const history = ofTheMinute({ ...evidence.history, own: evidence.sent });
  const sent = history.own.filter(({ phase }) => phase === 'vantage points');
  const [first] = sent;
  if (!first) throw new Inconclusive('nothing was sent from all vantage points together');
  const sentFrom = (point: string): Observation[] => sent.filter((one) => vantagePointOf(one) === point);
  const silent = points.filter((point) => sentFrom(point).every(({ status }) => status === null));
  if (silent.length > 0) return void (yield open(`no response came to ${silent.join(' and ')}`));
  const { conforming, faulty } = diagnose(history);
  const admitted = sent.filter(isAdmitted);
  const isExceeded = (one: Explanation): boolean =>
    findingsOf(one, 'excess').some(({ observations }) => observations.some((seen) => sent.includes(seen)));
  const exceeded = nearest(conforming).map(isExceeded);
  if (!exceeded.every(Boolean)) {
    if (exceeded.some(Boolean))
      return void (yield open('it depends on the algorithm whether too many were admitted together'));
    if (!sent.some(isRejected))
      throw new Inconclusive('no request from the vantage points reached the limit');
    // Who takes some of the limit elsewhere takes it here, too: LIMIT-01 judges it.
    return void (yield { held: admitted.length });
  }
  const span = (admitted.at(-1)?.receivedAt ?? 0) - (admitted[0]?.sentAt ?? 0);
  const { id, says: apart = '' } = faulty[0]?.hypothesis.deviation ?? {};
  const says = id === 'counters' ? apart : 'counts one key in several places';
  const curl = curlOf({ ...first.exchange.request, localAddress: undefined });
  const from = curl.replace(' -i ', ' -i --interface "$a" ');
  const fromEach = repeated.countedInTurn([from], Math.ceil((plan.perMinute + 1) / points.length));
  /** The first values of Remaining that a vantage point was told. */
  const remainingOf = (point: string): string => {
    const told = sentFrom(point).map(({ headers, status }) => headers.remaining ?? `status ${status}`);
    return `${point}: ${told.slice(0, 6).join(', ')} remaining at first`;
  };
  yield failed(responsesOf(...admitted.slice(0, points.length), ...admitted.slice(-1)), {
    message: `the same key was admitted ${admitted.length} times in ${seconds(span)} from ${points.length} vantage points together: the limiter ${says}`,
    expected: `${limitIn(history)} together, wherever they come from, then 429`,
    received: points.map(remainingOf).join('; '),
    reproduce: `for a in ${points.join(' ')}; do ${fromEach}; done`,
    fact: { kind: 'limiter', deviation: 'apart', says },
  });
}
