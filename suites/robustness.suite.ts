import { describeAnimal } from '../lib/evidence/animal.js';
import { repeated } from '../lib/evidence/curl.js';
import type { Evidence } from '../lib/evidence/evidence.js';
import type { Exchange } from '../lib/evidence/exchange.js';
import { interruptionsIn, roundsIn, type Interruptions } from '../lib/evidence/interruptions.js';
import { checkLoad, roundsAtOnce, underWay } from '../lib/session/load-check.js';
import { describedStatuses } from '../lib/specification/described-statuses.js';
import { fullPage } from '../lib/specification/page-size.js';
import {
  check,
  failed,
  note,
  open,
  passed,
  type Check,
  type Checks,
  type Failure,
} from '../lib/verdict/check.js';
import { Inconclusive } from '../lib/verdict/outcome.js';
import { answers } from '../lib/verdict/verbs.js';
import { kinds, requirement } from '../lib/verdict/requirement.js';
import { sendAround, untouched } from '../lib/verdict/untouched.js';

/**
 * A network may break a connection now and then, and a restart those of all requests under way. Beyond this share, and this
 * many, it is the target that breaks them.
 */
const toleratedShare = 0.15;
const toleratedCount = 10;
/** Requests of the last rounds of ten at once that a network seldom loses. */
const lostByTargets = 6;
/** Of the losses that are attributed to the network, this share may hit the same request twice (rounded up). */
const shareLostTwice = 0.25;

requirement('ROBUST-01', {
  kinds,
  phase: 'every exchange',
  probe: checkLoad,
  *rule(evidence) {
    const { all } = evidence;
    const [first] = all;
    // Silence alone can't tell a target that does not respond from a network that carries no responses.
    const isSilent = all.every(
      ({ response, failure }) => !response && !['not-http', 'too-large'].includes(failure?.kind ?? ''),
    );
    if (first && isSilent) throw new Inconclusive(`no response was ever received: ${first.broken ?? ''}`);
    for (const one of all) if (one.broken === undefined) yield isDocumented(one, evidence);
    yield* areComplete(interruptionsIn(all), evidence);
  },
});

/** Checks that a response has a status that its operation lists. */
function isDocumented(one: Exchange, evidence: Evidence): Check {
  const { operation, failure, status } = one;
  if (failure || status === undefined || operation === null)
    return failed(one, {
      message: `a response of ${one.operationName} is longer than the suite reads`,
      expected: 'a complete response',
      received: failure?.message,
    });
  const { statuses, described } = describedStatuses[operation];
  const isOpen = !one.isSpecified;
  const mayRefuse = isOpen && status >= 400 && status < 500;
  const ofRemoved = operation === 'getPet' && evidence.facts.removalDatePassed ? [405, 410] : [];
  if ([...statuses, 429, ...ofRemoved].includes(status) || mayRefuse) return passed;
  return faulty(one, evidence, {
    message: `${operation} responds ${status}, which is not documented`,
    expected: `${statuses.join(', ')}${isOpen ? ' or another 4xx' : ''} (${described})`,
    fact: { kind: 'status', expected: [...statuses] },
  });
}

/** Whether each of the last rounds of ten requests at once has lost some, and all together more than a network loses. */
function losesAtOnce(all: readonly Exchange[]): boolean {
  const rounds = roundsIn(all, underWay).slice(-roundsAtOnce);
  const lost = rounds.map((round) => round.filter(({ broken }) => broken !== undefined).length);
  return !lost.includes(0) && lost.reduce((sum, number) => sum + number, 0) >= lostByTargets;
}

/** Checks that what broke off was the network's doing: that it is seldom, and that it succeeds when it is sent again. */
function* areComplete({ sent, recovered, twice, once }: Interruptions, evidence: Evidence): Checks {
  if (once)
    yield open(`a request broke off (${once.broken ?? ''}), and the run ended before it was repeated`);
  const [lost] = twice;
  if (lost && twice.length <= Math.ceil(recovered.length * shareLostTwice))
    yield open(
      `${lost.broken ?? ''}, when repeated too. The network broke off ${recovered.length} others that succeeded when repeated, so that the fault may be the network's or the target's`,
    );
  else
    for (const one of twice)
      yield faulty(one, evidence, {
        message: `${one.operationName} gives no complete response: ${one.broken ?? ''}`,
        expected: 'a documented response',
      });
  const [first] = recovered;
  const isOften = recovered.length > Math.max(toleratedCount, sent * toleratedShare);
  const share = `${recovered.length} of ${sent} requests broke off`;
  if (first && (isOften || losesAtOnce(evidence.all)))
    yield failed(recovered.slice(0, 10), {
      message: `${share} and succeeded only when repeated`,
      expected: 'a response to each',
      received: first.broken,
      reproduce: repeated.atOnce(first.curl, underWay),
    });
  else if (first)
    yield note(`${share} (${first.broken ?? ''}) and succeeded when repeated: attributed to the network.`);
}

/**
 * The creation with a lone surrogate that a request is, or that no listing survives: many services store one and can't write
 * it again. Listings must have been served before it, and none after it.
 */
function spoiltBy(one: Exchange, { creations, listings }: Evidence): Exchange | undefined {
  if (one.unspecified.includes('lone surrogate')) return one;
  const creation = creations.all.find(({ unspecified }) => unspecified.includes('lone surrogate'));
  if (one.operation !== 'listPets' || !creation || one.sentAt < creation.endedAt) return undefined;
  const served = listings.specified.filter(({ status }) => status === 200);
  return served.length > 0 && served.every(({ sentAt }) => sentAt < creation.endedAt) ? creation : undefined;
}

/** A response that must not have come, with what many implementers do not expect in the request, or in one before it. */
function faulty(one: Exchange, evidence: Evidence, { message, ...failure }: Failure): Check {
  const creation = spoiltBy(one, evidence);
  if (!creation) return failed(one, { message, ...failure });
  const because = creation === one ? ': the name that was sent' : ', since an animal was created: its name';
  return failed(creation === one ? one : [creation, one], {
    message: `${message}${because} has a lone surrogate, as JSON allows`,
    ...failure,
    fact: { kind: 'response', ...failure.fact, value: 'lone surrogate' },
  });
}

/** The methods that the specification does not list for a path. */
function unlistedOn(path: string): readonly string[] {
  return [...(path === '/pets' ? [] : ['POST']), 'PATCH', 'PUT', 'DELETE'];
}

requirement('ROBUST-02', {
  phase: 'unspecified',
  notInQuick: 'it needs an animal of its own',
  // An animal to be left alone, and all methods that are not listed, on it and on the store.
  async probe(probe) {
    await sendAround(probe, true, async ({ id }) => {
      const attempt = await probe.newPet();
      for (const path of [`/pets/${id}`, '/pets'])
        for (const method of unlistedOn(path))
          await probe.api.unlisted(method, path, method === 'DELETE' ? undefined : attempt);
      await probe.api.listPets({ status: attempt.status, limit: fullPage });
    });
  },
  *rule(evidence) {
    const { creations, facts, listings } = evidence;
    const sent = evidence.unlisted.filter((one) => unlistedMethods.test(methodAndPath(one)));
    if (sent.length === 0 && creations.all.length > 0 && creations.accepted.length === 0)
      yield open('the animal to be left alone was not created', 'CREATE-01');
    for (const one of sent) {
      const what = `${methodAndPath(one).replace(/\/pets\/.*/, '/pets/{petId}')}, which is not listed`;
      const isServed = listings.all.some((other) => other.sentAt >= one.endedAt && !other.broken);
      if (one.broken === undefined || !isServed) yield answers(one, [404, 405, 501], what);
      else
        yield failed(one, {
          message: `${what}: no complete response, twice`,
          expected: '404, 405 or 501',
          fact: { kind: 'status', expected: [404, 405, 501] },
        });
    }
    yield* addNothing(sent, evidence);
    const ids = facts.removalDatePassed ? [] : sent.flatMap((one) => idIn(one) ?? []);
    for (const id of new Set(ids))
      yield untouched(
        evidence,
        id,
        sent.filter((one) => idIn(one) === id),
        'a method that is not listed',
      );
  },
});

const unlistedMethods = /^(?:(?:PUT|PATCH|DELETE) \/pets(?:\/[^/]+)?|POST \/pets\/[^/]+)$/;

/** `PUT /pets/7`, behind the base address. */
function methodAndPath({ request }: Exchange): string {
  return `${request.method} ${new URL(request.url).pathname.replace(/^.*(?=\/pets(?:\/|$))/, '')}`;
}

/** The animal that a request names; undefined if it is sent to the store. */
function idIn(one: Exchange): string | undefined {
  return /\/pets\/([^/]+)$/.exec(methodAndPath(one))?.[1];
}

/** Checks that no listing shows an animal of a name that was sent, but the one that it was sent to. */
function* addNothing(sent: readonly Exchange[], { pets, listings }: Evidence): Checks {
  const targets = new Set(sent.map(idIn));
  const names = new Set(sent.flatMap((one) => one.nameSent ?? []));
  const page = listings.pages.findLast(({ sentAt }) => sent.some(({ endedAt }) => sentAt >= endedAt));
  for (const name of page ? names : []) {
    const added = pets.listed.find(({ animal }) => animal.shown.name === name && !targets.has(animal.id));
    yield check(added === undefined, added?.by ?? page ?? [], () => ({
      message: 'a method that is not listed added an animal',
      expected: 'no animal of the name that was sent',
      received: added && describeAnimal(added.animal),
    }));
  }
}
