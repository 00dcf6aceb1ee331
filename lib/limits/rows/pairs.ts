import { curlOf, repeated } from '../../evidence/curl.js';
import { failed, open, type Check, type Checks } from '../../verdict/check.js';
import { Inconclusive, NotTested } from '../../verdict/outcome.js';
import { limitIn, seconds } from '../judge/certificate.js';
import { diagnose, nearest } from '../judge/judge.js';
import { findingsOf, type Explanation } from '../judge/hypothesis.js';
import { vantagePointOf } from '../judge/load.js';
import {
  isAdmitted,
  isRejected,
  responsesOf,
  type Observation,
  type WalkAround,
  type LimitFacts,
} from '../history/history.js';
import { ofTheMinute, type LimitEvidence } from '../limits-of-run.js';
import { exhausting } from './commands.js';

/** A request so soon after a 429 comes while the key is over its limit, whatever the 429 says. */
const stillOverMs = 1_000;

/** LIMIT-08: while one key is over its limit, another is served. */
export function* judgePerCaller({ facts, history, diagnosis }: LimitEvidence): Checks {
  const { own, others } = history;
  if (history.walkAround) yield walkedAround(history.walkAround, facts);
  if (facts.otherCaller === undefined) throw new NotTested('a second key is needed (--other-api-key)');
  const second = others.filter(({ caller, status }) => caller === facts.otherCaller && status !== 401);
  if (second.length === 0) throw new Inconclusive('the second key was not tried, or is rejected with 401');
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
