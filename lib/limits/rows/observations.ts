import type { Judgement } from '../../verdict/judgement.js';
import { ApiResponse } from '../../session/api-response.js';
import { Inconclusive } from '../../verdict/outcome.js';
import { behavesLike, unexplained } from '../diagnose/certificate.js';
import { explained } from '../diagnose/diagnose.js';
import { totalOf, type Diagnosis } from '../diagnose/hypothesis.js';
import { isFixedWindow } from '../limiter/limiter.js';
import type { LimitEvidence } from '../limit-evidence.js';
import { ranking } from '../tolerances.js';

/** What the record says of the algorithm, and how surely. */
export function algorithmOf(diagnosis: Diagnosis): { readonly name: string; readonly certainty: string } {
  const { conforming, deviation, best, history } = diagnosis;
  if (history.own.length < 2) return { name: 'unknown', certainty: 'unknown' };
  if (deviation) return { name: behavesLike(diagnosis), certainty: 'likely' };
  const named = namedAlgorithms(diagnosis);
  if (named.length > 1) return { name: named.join(' or '), certainty: 'ambiguous' };
  if (totalOf(best) > ranking.near) return { name: behavesLike(diagnosis), certainty: 'likely' };
  const [, next] = conforming.filter(
    ({ hypothesis }, index) => index === 0 || hypothesis.algorithm !== best.hypothesis.algorithm,
  );
  const ahead = next ? totalOf(next) - totalOf(best) : Number.POSITIVE_INFINITY;
  return { name: named.join(), certainty: ahead >= ranking.margin ? 'certain' : 'likely' };
}

/** Algorithms that explain the history nearly equally well. */
function namedAlgorithms({ conforming, best }: Diagnosis): string[] {
  const near = conforming.filter((one) => totalOf(one) - totalOf(best) <= ranking.named);
  return [...new Set(near.map(({ hypothesis }) => hypothesis.algorithm))];
}

/** LIMIT-11: which algorithm limits, as far as the explanation proves it. */
export function observeAlgorithm(judgement: Judgement, { diagnosis, history, facts }: LimitEvidence): void {
  if (history.own.length === 0) throw new Inconclusive(facts.stopped ?? 'nothing was sent');
  const { name, certainty } = algorithmOf(diagnosis);
  judgement.observe('algorithm', `${name} (${certainty})`);
  const open = unexplained(diagnosis.best);
  if (open.length > 0) judgement.observe('left unexplained', open.join('; '));
}

/** LIMIT-13: what counts against the limit, where counting it and not counting it explain the history differently. */
export function observeCosts(judgement: Judgement, { diagnosis, history, facts }: LimitEvidence): void {
  for (const status of [400, 404]) {
    const errors = history.own.filter((one) => one.status === status);
    if (errors.length === 0) continue;
    const [counted, free] = [false, true].map((isFree) => dearness(diagnosis, status, isFree));
    const behaviour = stated((free ?? 0) - (counted ?? 0));
    judgement.observe(
      String(status),
      behaviour,
      ...errors.slice(0, 2).map(({ exchange }) => new ApiResponse(exchange)),
    );
  }
  const unauthorized = history.others.filter(({ status }) => status === 401);
  const quiet = diagnosis.otherTraffic === 0 && diagnosis.past !== undefined && !diagnosis.deviation;
  if (unauthorized.length > 0 && quiet) {
    judgement.observe(
      '401',
      'does not use the limit of a valid key up',
      ...unauthorized.slice(0, 1).map(({ exchange }) => new ApiResponse(exchange)),
    );
  }
  const rejected = history.own.filter(({ outcome }) => outcome === 'rejected');
  if (rejected.length > 0) {
    judgement.observe(
      '429',
      rejectedBehaviour(diagnosis),
      ...rejected.slice(0, 1).map(({ exchange }) => new ApiResponse(exchange)),
    );
  }
  if (judgement.checks === 0) throw new Inconclusive(facts.stopped ?? 'no request that could tell was sent');
}

/** What the best explanation costs if requests with this status count, or don't. */
function dearness({ best, history }: Diagnosis, status: number, isFree: boolean): number {
  const uncharged = new Set(best.hypothesis.uncharged);
  if (isFree) uncharged.add(status);
  else uncharged.delete(status);
  const explanation = explained(history, { ...best.hypothesis, uncharged });
  return explanation ? totalOf(explanation) : Number.POSITIVE_INFINITY;
}

function stated(difference: number): string {
  if (Math.abs(difference) < ranking.stated) return 'not shown: the responses fit both';
  return difference > 0 ? 'uses the limit up like any other request' : 'does not use the limit up';
}

function rejectedBehaviour({ best, history }: Diagnosis): string {
  if (isFixedWindow(best.hypothesis.algorithm)) return 'no effect: the window ends when it would have ended';
  const [counted, free] = [true, false].map((chargesRejected) => {
    const explanation = explained(history, { ...best.hypothesis, chargesRejected });
    return explanation ? totalOf(explanation) : Number.POSITIVE_INFINITY;
  });
  return stated((free ?? 0) - (counted ?? 0));
}
