import type { Evidence } from '../lib/evidence/evidence.js';
import { wholeNumber } from '../lib/http/headers/rate-headers.js';
import { kinds, requirement } from '../lib/verdict/requirement.js';
import type { Exchange } from '../lib/evidence/exchange.js';
import { ifPossible, Inconclusive, NotTested } from '../lib/verdict/outcome.js';
import { checkReset } from '../lib/verdict/reset.js';
import {
  limitEvidence,
  observeAlgorithm,
  observeBan,
  observeCosts,
  type LimitEvidence,
} from '../lib/limits/limits-of-run.js';
import { commandOfCreation } from '../lib/limits/rows/commands.js';
import { judgeAdmission } from '../lib/limits/rows/odds.js';
import { judgeDay } from '../lib/limits/day.js';
import {
  judgeReset,
  judgeRetryAfter,
  judgeRetryAfterAgrees,
  judgeServedAfterRetryAfter,
} from '../lib/limits/rows/waits.js';
import { judgePerCaller, judgeRemainingFalls, judgeVantagePoints } from '../lib/limits/rows/pairs.js';
import type { RequirementId } from '../lib/specification/catalogue.js';
import { left, type Check, type Checks } from '../lib/verdict/check.js';
import { checkHeader, leaveNothing } from '../lib/verdict/verbs.js';

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

/** One series of requests serves all of these requirements; the first one that is judged sends it. */
function limitRequirement(
  id: RequirementId,
  judge: (limits: LimitEvidence, id: RequirementId, evidence: Evidence) => Checks,
): void {
  requirement(id, {
    phase: 'limits',
    probe: ({ limits }) => limits(),
    *rule(evidence) {
      const { limits } = evidence.parts;
      if (!limits) return;
      try {
        yield* judge(limits, id, evidence);
      } catch (error) {
        // What a run has seen too little of to judge, because it stopped, says why it stopped.
        const { stopped } = limits.facts;
        throw error instanceof Inconclusive && stopped !== undefined ? new Inconclusive(stopped) : error;
      }
    },
  });
}

limitRequirement('LIMIT-01', judgeAdmission);
limitRequirement('LIMIT-02', judgeAdmission);
limitRequirement('LIMIT-03', judgeAdmission);
limitRequirement('LIMIT-04', judgeRetryAfter);
limitRequirement('LIMIT-05', judgeServedAfterRetryAfter);
limitRequirement('LIMIT-06', judgeRetryAfterAgrees);
limitRequirement('LIMIT-07', ({ facts }, _id, evidence) => {
  const { overLimit } = evidence.refused;
  if (facts.readOnly) throw new NotTested('a read-only run creates nothing');
  if (overLimit.length === 0) throw new Inconclusive('no creation was rejected with 429');
  const message = 'a creation that was rejected with 429 added an animal all the same';
  return leaveNothing(evidence, overLimit, message, (...shown) => commandOfCreation(...shown, facts));
});
limitRequirement('LIMIT-08', judgePerCaller);
limitRequirement('LIMIT-09', judgeAdmission);
limitRequirement('LIMIT-10', judgeDay);
limitRequirement('LIMIT-11', observeAlgorithm);
limitRequirement('LIMIT-12', observeBan);
limitRequirement('LIMIT-13', observeCosts);
limitRequirement('LIMIT-14', judgeReset);
limitRequirement('LIMIT-15', judgeVantagePoints);
