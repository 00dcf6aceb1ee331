import { curlOf, repeated } from '../lib/evidence/curl.js';
import type { Evidence } from '../lib/evidence/evidence.js';
import type { Exchange } from '../lib/evidence/exchange.js';
import { operationNames } from '../lib/evidence/recorded-exchange.js';
import { wholeNumber } from '../lib/http/headers/rate-headers.js';
import {
  isAdmitted,
  isRejected,
  isServed,
  responsesOf,
  type History,
  type Observation,
} from '../lib/limits/history/history.js';
import { tooHighCertificate, type Certificate } from '../lib/limits/judge/certificate.js';
import { findingsOf, nearest, type Explanation, type Finding } from '../lib/limits/judge/hypothesis.js';
import { limitEvidence, type LimitEvidence } from '../lib/limits/limits-of-run.js';
import { exhausting } from '../lib/limits/rows/commands.js';
import { factOfLimiter } from '../lib/limits/rows/odds.js';
import { tolerances } from '../lib/limits/tolerances.js';
import { failed, left, note, wrongHeader, type Check, type Checks } from '../lib/verdict/check.js';
import { ifPossible, Inconclusive, NotTested } from '../lib/verdict/outcome.js';
import { plain } from '../lib/verdict/reproduce.js';
import { kinds, requirement } from '../lib/verdict/requirement.js';
import { checkReset } from '../lib/verdict/reset.js';
import { checkHeader } from '../lib/verdict/verbs.js';

/** A rule on a header that must occur exactly once on every response. */
function onEvery(name: string, judge: (value: string, one: Exchange, evidence: Evidence) => Check) {
  return function* (evidence: Evidence): Checks {
    for (const one of evidence.responses) {
      const [value, ...more] = one.headers(name);
      const missing = `a ${one.status ?? ''} of ${one.operationName} has no \`${name}\``;
      yield value !== undefined && more.length === 0
        ? judge(value.trim(), one, evidence)
        : checkHeader(false, one, name, {
            message: value === undefined ? missing : `\`${name}\` occurs more than once`,
            expected: `one \`${name}\``,
          });
    }
  };
}

const limitHeader = 'X-RateLimit-Limit';
const remainingHeader = 'X-RateLimit-Remaining';

requirement('RATE-01', {
  kinds,
  rule: onEvery(limitHeader, (value, one) =>
    checkHeader((wholeNumber(value) ?? 0) > 0, one, limitHeader, {
      message: '`X-RateLimit-Limit` is not a positive integer',
      expected: 'a positive integer',
    }),
  ),
});

requirement('RATE-02', {
  kinds,
  rule: onEvery(remainingHeader, (value, one) => {
    const remaining = wholeNumber(value);
    const { limit = 0 } = one.rate;
    const holds = remaining !== undefined && remaining >= 0 && (limit < 1 || remaining <= limit);
    return checkHeader(holds, one, remainingHeader, {
      message: '`X-RateLimit-Remaining` is not an integer from 0 to Limit',
      expected: limit < 1 ? 'an integer, not negative' : `an integer from 0 to ${limit}`,
    });
  }),
});

requirement('RATE-03', {
  kinds,
  rule: onEvery('X-RateLimit-Reset', (value, one, { facts }) =>
    checkReset(value, one, facts.clockDifferenceMs),
  ),
});

requirement('RATE-04', {
  kinds: ['listing', 'creation', 'animal'],
  *rule({ responses, facts: { plan, planGiven } }) {
    if (!planGiven) throw new NotTested('the plan of the key was not given (--plan, or NAME_PLAN)');
    const own = responses.filter(({ credential, status }) => credential === 'valid' && status !== 401);
    const usable = own.filter(({ rate: { limit = 0 } }) => limit > 0);
    if (own.length > 0 && usable.length === 0) yield left('RATE-01');
    for (const one of usable) {
      const { limit } = one.rate;
      yield checkHeader(limit === plan.perMinute || limit === plan.perDay, one, limitHeader, {
        message: `\`X-RateLimit-Limit\` is not that of the plan (${plan.name})`,
        expected: `${plan.perMinute} (per minute) or ${plan.perDay} (per day)`,
      });
    }
  },
});

requirement('RATE-05', {
  phase: 'sequence',
  /** How many listings; with several, all operations follow in turn. */
  room: { quick: 1, standard: 2, thorough: 8 },
  async probe({ api, store, exchanges, newPetOfOtherStatus }, listings) {
    // Requests one after the other show most: the limit probes have sent them already.
    if (exchanges.some(({ phase }) => phase === 'sequence')) return;
    const animal = listings > 1 && !store.readOnly ? await ifPossible(store.animal()) : undefined;
    const requests = Array.from({ length: listings }, () => async () => api.listPets({ limit: 1 }));
    if (animal) {
      const get = async (): Promise<Exchange> => api.getPet(animal.id);
      const create = async (): Promise<Exchange> => api.createPet(await newPetOfOtherStatus());
      requests.push(get, create, get, get, create, get);
    }
    await api.inSequence(requests);
  },
  rule({ parts: { limits }, exchanges, facts: { plan, readOnly } }) {
    const { caller = '' } = exchanges.find(({ credential }) => credential === 'valid') ?? {};
    return judgeRemainingFalls(limits ?? limitEvidence(exchanges, { plan, caller, readOnly }));
  },
});

/** What may come back between two requests that are compared: less than what one of them uses. */
const mostRefill = 0.4;
/** So many pairs in which it did not fall may be chance. */
const mostStill = 3;
/** Such a share of the limit is not admitted while nothing remains; by how much a limit is exceeded, other requirements judge. */
const shareAtNone = 1 / 4;
/** Requests of others do not come once between each two of so many: once has a chance of 0.37 at most (Poisson). */
const fewestAlike = 8;
/** What nearly each request does, whatever is wrong about what is admitted. */
const nearlyEach = 0.9;
/** Observations that a finding shows. */
const mostShown = 6;

/** Remaining falls by what was sent, by the odds and as pairs of requests show it. Only what shows in Remaining is this row's. */
function* judgeRemainingFalls(evidence: LimitEvidence): Checks {
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
  const { deviation, twin, conforming, otherTraffic } = evidence.diagnosis;
  // A header that is wrong by itself must show it: the algorithm may be one that nobody knows.
  const isShown = (): boolean =>
    isAtNone(history) || nearest(conforming).every((one) => tooHighIn(one) !== undefined);
  const isViolated =
    deviation?.violates.includes('RATE-05') === true &&
    (deviation.id === 'remaining' ? isShown() : !countsDown);
  // Of operations that each have a limit of their own, each one's Remaining falls by itself.
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

/** Whether much of the limit was admitted just after a response had said that nothing remains, and said so again. */
function isAtNone({ own, plan, windowMs }: History): boolean {
  const tellsNone = (one: Observation): boolean => isAdmitted(one) && one.headers.remaining === 0;
  const beyond = own.filter(tellsNone).map((next) => {
    // Of requests at the same time each may tell what all of them have left.
    const before = own.findLast(({ receivedAt }) => receivedAt <= next.sentAt);
    const isQuick = before && tellsNone(before) && next.sentAt - before.receivedAt <= tolerances.quickMs;
    return isQuick ? Math.max(0, 1 - ((next.receivedAt - before.sentAt) * plan.perMinute) / windowMs) : 0;
  });
  return beyond.reduce((sum, one) => sum + one, 0) >= plan.perMinute * shareAtNone;
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
