import { animalsOf } from '../session/animal.js';
import { isAccepted } from '../session/creation.js';
import { Inconclusive, NotTested } from '../verdict/outcome.js';
import type { Judgement } from '../verdict/judgement.js';
import type { CreationListing, LimitEvidence } from './evidence.js';
import { isFixedWindow } from './identify.js';
import { admitted, answerOf, refused } from './seen.js';

/** LIMIT-07: a creation that is refused with 429 adds no animal. */
export function judgeRefusedWithoutEffect(judgement: Judgement, evidence: LimitEvidence): void {
  const { refusedCreations, control, listings } = evidence;
  if (evidence.readOnly) throw new NotTested('a read-only run creates nothing');
  if (refusedCreations.length === 0)
    throw new Inconclusive(evidence.stopped ?? 'no creation was refused with 429');
  let judged = false;
  const shown = listings.map((listing) => ({ listing, names: namesIn(listing) }));
  for (const { name, status, seen } of refusedCreations) {
    const after = shown.filter(({ listing }) => listing.status === status && listing.seen.sentAt >= seen.at);
    const showing = after.find(({ names }) => names?.includes(name));
    if (showing) {
      const claim = {
        message: 'a creation that was refused with 429 added an animal all the same',
        expected: `no animal named ${JSON.stringify(name)}`,
        received: 'the listing shows it',
      };
      judgement.fail([answerOf(seen), answerOf(showing.listing.seen)], claim);
      continue;
    }
    const controlled = after.some(({ names }) => control !== undefined && names?.includes(control.name));
    if (controlled) judgement.held();
    judged ||= controlled;
  }
  if (!judged) judgement.leaveOpen(unseenReason(evidence));
}

function namesIn({ seen }: CreationListing): readonly unknown[] | undefined {
  return animalsOf(answerOf(seen).json)?.map(({ shown }) => shown.name);
}

function unseenReason({ control, listings, stopped }: LimitEvidence): string {
  if (!control || !admitted(control.seen) || !isAccepted(control.seen.status)) {
    return stopped ?? 'no creation was accepted afterwards, which a listing would have to show beside it';
  }
  const full = listings.some((listing) => (namesIn(listing)?.length ?? 0) >= 100);
  return full
    ? 'a full page does not show an animal that was created; the one that was refused may be on a later page too'
    : 'no listing showed an animal that was created after the refused one';
}

/** LIMIT-08: while one key is used up, another is served. */
export function judgeCountedForEachCaller(judgement: Judgement, evidence: LimitEvidence): void {
  const { given, exhausted, control } = evidence.other;
  if (!given)
    throw new NotTested('a second key is needed (--other-api-key, or the keys of two plans with --plans)');
  if (!exhausted) throw new Inconclusive(evidence.stopped ?? 'the key could not be used up');
  if (exhausted.status === null || exhausted.status >= 500) {
    throw new Inconclusive('the request with the second key got no answer');
  }
  if (exhausted.status === 401) throw new Inconclusive('the second key is refused with 401');
  if (refused(exhausted) && (!control || !admitted(control) || control.status === 401)) {
    throw new Inconclusive('the second key was refused with 429 while the first was not used up, too');
  }
  const claim = {
    message: 'a second key is refused with 429 when the first one is used up',
    expected: 'served: limits are counted for each caller',
    received: String(answerOf(exhausted)),
  };
  judgement.check(
    !refused(exhausted),
    [answerOf(exhausted), ...(control ? [answerOf(control)] : [])],
    () => claim,
  );
}

/** LIMIT-11: which algorithm limits, how surely, and the trace that says so. */
export function observeAlgorithm(judgement: Judgement, evidence: LimitEvidence): void {
  const { identification, stopped, history } = evidence;
  const { candidates, certainty, trace } = identification;
  if (history.length === 0) throw new Inconclusive(stopped ?? 'nothing was sent');
  const named =
    candidates.length === 0
      ? 'none of the known algorithms can be told from what was seen'
      : candidates.join(' or ');
  judgement.observe('algorithm', `${named} (${certainty})`);
  judgement.observe('trace of Remaining', trace);
  const other = evidence.otherWindow();
  if (!other) return;
  const length = `${Math.round(other.windowMs / 1_000)} s`;
  judgement.observe('length of the window', `requests come back as in a ${other.name} of about ${length}`);
}

/** LIMIT-13: what uses the limit up. */
export function observeCosts(
  judgement: Judgement,
  { costs, identification, stopped, history }: LimitEvidence,
): void {
  for (const { subject, seen, cost } of costs) {
    const behaviour =
      cost === undefined
        ? 'Remaining does not tell'
        : cost === 0
          ? 'does not use the limit up'
          : cost === 1
            ? 'uses the limit up like any other request'
            : `Remaining changed by ${cost}`;
    judgement.observe(subject, behaviour, answerOf(seen));
  }
  if (history.some(refused)) {
    const { countsRefusals } = identification;
    const behaviour =
      countsRefusals === undefined
        ? isFixedWindow(identification)
          ? 'no effect: the window ends when it would have ended'
          : 'no effect seen'
        : countsRefusals
          ? 'uses the limit up like any other request'
          : 'does not use the limit up';
    judgement.observe('429', behaviour);
  }
  if (judgement.checks === 0) throw new Inconclusive(stopped ?? 'no request was made for it');
}
