import { repeated } from '../../http/exchange/curl.js';
import { animalsOf } from '../../session/animal.js';
import { ApiResponse } from '../../session/api-response.js';
import type { Judgement } from '../../verdict/judgement.js';
import { Inconclusive, NotTested } from '../../verdict/outcome.js';
import type { History } from '../history/history.js';
import type { Observation } from '../history/observation.js';
import type { LimitEvidence } from '../limit-evidence.js';

/** LIMIT-07: a creation that is rejected with 429 adds no animal. */
export function judgeNoEffect(judgement: Judgement, { history, facts }: LimitEvidence): void {
  if (facts.readOnly) throw new NotTested('a read-only run creates nothing');
  const all = [...history.own, ...history.others].toSorted((a, b) => a.sentAt - b.sentAt);
  const creations = all.filter(({ operation }) => operation === 'createPet');
  const rejected = creations.filter(({ outcome }) => outcome === 'rejected');
  if (rejected.length === 0) throw new Inconclusive(facts.stopped ?? 'no creation was rejected with 429');
  const listings = all
    .filter(({ operation, status }) => operation === 'listPets' && status === 200)
    .map(named);
  const controls = creations
    .filter(({ status }) => status === 201)
    .map((one) => ({ at: one.receivedAt, name: nameOf(one) }));
  let judged = 0;
  for (const rejection of rejected) {
    const name = nameOf(rejection);
    if (name === undefined) continue;
    const after = listings.filter(({ listing }) => listing.sentAt >= rejection.receivedAt);
    const showing = after.find(({ names }) => names.has(name));
    if (showing) {
      const failure = {
        message: 'a creation that was rejected with 429 added an animal all the same',
        expected: `no animal named ${JSON.stringify(name)}`,
        received: `${showing.listing.id} lists it`,
      };
      const shown = [rejection, showing.listing].map(({ exchange }) => new ApiResponse(exchange));
      const [create, list] = shown.map(({ curl }) => curl);
      // The creation is the one request over the limit, and the window is over when the animals are listed.
      const reproduce =
        list && `${repeated.inTurn(list, history.plan.perMinute)}; ${create}; sleep 60; ${list}`;
      judgement.fail(shown, { ...failure, reproduce });
      judged += 1;
      continue;
    }
    // The listing must be one that would show it: it shows what was created later.
    const controlled = after.some(({ names }) =>
      controls.some(
        ({ at, name: control }) => at > rejection.receivedAt && control !== undefined && names.has(control),
      ),
    );
    if (controlled) judgement.held(1);
    if (controlled) judged += 1;
  }
  if (judged === 0)
    judgement.leaveOpen(
      facts.stopped ?? 'no listing showed an animal that was created after the rejected one',
    );
}

function named(listing: Observation): {
  readonly listing: Observation;
  readonly names: ReadonlySet<unknown>;
} {
  const animals = animalsOf(new ApiResponse(listing.exchange).json) ?? [];
  return { listing, names: new Set(animals.map(({ shown }) => shown.name)) };
}

function nameOf({ exchange }: Observation): string | undefined {
  try {
    const body: unknown = JSON.parse(exchange.request.body ?? '');
    return typeof body === 'object' && body !== null && 'name' in body && typeof body.name === 'string'
      ? body.name
      : undefined;
  } catch {
    return undefined;
  }
}

/** LIMIT-08: while one key is over its limit, another is served. */
export function judgePerCaller(judgement: Judgement, evidence: LimitEvidence): void {
  const { facts, history } = evidence;
  if (facts.otherCaller === undefined) {
    throw new NotTested('a second key is needed (--other-api-key, or the keys of two plans with --plans)');
  }
  const second = history.others.filter(
    ({ caller, status }) => caller === facts.otherCaller && status !== 401,
  );
  if (second.length === 0)
    throw new Inconclusive(facts.stopped ?? 'the second key was not tried, or is rejected with 401');
  const [beside, apart] = [true, false].map((over) =>
    second.filter((one) => isOverLimit(history, one) === over),
  );
  const tried = (beside ?? []).filter(({ outcome }) => outcome === 'admitted' || outcome === 'rejected');
  if (tried.length === 0)
    throw new Inconclusive(
      facts.stopped ?? 'the second key got no response while the first was over its limit',
    );
  const rejected = tried.filter(({ outcome }) => outcome === 'rejected');
  if (rejected.length === 0) {
    judgement.held(tried.length);
    return;
  }
  if (!(apart ?? []).some(({ outcome }) => outcome === 'admitted')) {
    throw new Inconclusive(
      'the second key was rejected, and never served while the first was not over its limit',
    );
  }
  const rejection = rejectionBefore(history, rejected[0]);
  const failure = {
    message: 'a second key is rejected with 429 while the first one is over its limit',
    expected: 'served: limits are counted for each caller',
    received: `${rejected.length} of ${tried.length} rejected`,
  };
  const shown = [...(rejection ? [rejection] : []), ...rejected.slice(0, 2)].map(
    ({ exchange }) => new ApiResponse(exchange),
  );
  const [one, other] = [shown[0]?.curl, shown.at(-1)?.curl];
  const reproduce = one && `${repeated.inTurn(one, history.plan.perMinute + 1)}; ${other}`;
  judgement.fail(shown, { ...failure, reproduce });
}

function rejectionBefore({ own }: History, observation: Observation | undefined): Observation | undefined {
  return own.findLast(
    ({ outcome, receivedAt }) => outcome === 'rejected' && receivedAt <= (observation?.sentAt ?? 0),
  );
}

/** The plan's key was rejected last, and is still told to wait. */
function isOverLimit(history: History, { sentAt }: Observation): boolean {
  const last = history.own.findLast(({ receivedAt }) => receivedAt <= sentAt);
  const rejection = last?.outcome === 'rejected' ? last : undefined;
  if (!rejection) return false;
  const { retryAfter } = rejection.headers;
  const wait = retryAfter?.form === 'seconds' ? retryAfter.seconds * 1000 : history.windowMs / 60;
  return sentAt <= rejection.receivedAt + Math.max(wait, 1000);
}
