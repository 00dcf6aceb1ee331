import { curlOf, repeated } from '../../evidence/curl.js';
import { failed, open, type Checks } from '../../verdict/check.js';
import { Inconclusive, NotTested } from '../../verdict/outcome.js';
import { limitIn, seconds } from '../judge/certificate.js';
import { diagnose, nearest } from '../judge/judge.js';
import { findingsOf, type Explanation } from '../judge/hypothesis.js';
import { vantagePointOf } from '../judge/load.js';
import { ofTheMinute } from '../history/left-out.js';
import { isRejected, responsesOf, type Observation } from '../history/observation.js';
import type { LimitEvidence } from '../limit-evidence.js';

/** LIMIT-15: a key has one limit, wherever its requests come from. */
export function* judgeVantagePoints(evidence: LimitEvidence): Checks {
  const { facts } = evidence;
  const { vantagePoints = [] } = facts;
  if (vantagePoints.length < 2)
    throw new NotTested(
      'it takes a second vantage point: name two source addresses of this machine with --local-address=A,B (its IPv4 and its IPv6 address are two)',
    );
  const history = ofTheMinute({ ...evidence.history, own: evidence.sent });
  const sent = history.own.filter(({ phase }) => phase === 'vantage points');
  if (sent.length === 0) throw new Inconclusive('nothing was sent from all vantage points together');
  const missing = vantagePoints.filter(
    (point) => !sent.some((one) => one.status !== null && vantagePointOf(one) === point),
  );
  if (missing.length > 0) return void (yield open(withoutResponse(missing, sent)));
  const diagnosis = diagnose(history);
  const excesses = nearest(diagnosis.conforming).map((one) => hasExcess(one, sent));
  const admitted = sent.filter(({ outcome }) => outcome === 'admitted');
  if (excesses.every(Boolean)) {
    const span = (admitted.at(-1)?.receivedAt ?? 0) - (admitted[0]?.sentAt ?? 0);
    const likely = diagnosis.faulty.map(({ hypothesis }) => hypothesis.deviation);
    const says = likely.find((one) => one?.id === 'counters')?.says ?? 'counts one key in several places';
    return void (yield failed(
      responsesOf(...admitted.slice(0, vantagePoints.length), ...admitted.slice(-1)),
      {
        message: `the same key was admitted ${admitted.length} times in ${seconds(span)} from ${vantagePoints.length} vantage points together: the limiter ${says}`,
        expected: `${limitIn(history)} together, wherever they come from, then 429`,
        received: vantagePoints.map((point) => sequenceOf(point, sent)).join('; '),
        reproduce: sent[0] && loopOf(vantagePoints, sent[0], history.plan.perMinute),
        fact: { kind: 'limiter', deviation: 'apart', says },
      },
    ));
  }
  if (excesses.some(Boolean))
    return void (yield open('it depends on the algorithm whether too many were admitted together'));
  if (!sent.some(isRejected)) throw new Inconclusive('no request from the vantage points reached the limit');
  // Who takes some of the limit elsewhere takes it here, too: LIMIT-01 judges it.
  yield { held: admitted.length };
}

function hasExcess(explanation: Explanation, sent: readonly Observation[]): boolean {
  return findingsOf(explanation, 'excess').some(({ observations }) =>
    observations.some((one) => sent.includes(one)),
  );
}

function withoutResponse(points: readonly string[], sent: readonly Observation[]): string {
  const failed = sent.find((one) => points.includes(vantagePointOf(one)))?.exchange.failure?.message;
  return `no response came to ${points.join(' and ')}${failed === undefined ? '' : `: ${failed}`}`;
}

/** The Remaining of the responses to a vantage point, in order. */
function sequenceOf(point: string, sent: readonly Observation[]): string {
  const own = sent.filter((one) => vantagePointOf(one) === point);
  const shown = own
    .slice(0, 6)
    .map(({ headers, status }) => headers.remaining ?? `status ${status ?? 'none'}`);
  return `${point}: ${shown.join(', ')}${own.length > shown.length ? ', …' : ''} remaining`;
}

/** A loop that sends the request from each vantage point, so often that the limit is exceeded. */
function loopOf(points: readonly string[], { exchange }: Observation, perMinute: number): string {
  const from = curlOf({ ...exchange.request, localAddress: undefined }).replace(
    ' -i ',
    ' -i --interface "$a" ',
  );
  const times = Math.ceil((perMinute + 1) / points.length);
  return `for a in ${points.join(' ')}; do ${repeated.countedInTurn([from], times)}; done`;
}
