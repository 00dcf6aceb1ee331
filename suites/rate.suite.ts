import { rateHeadersOf, wholeNumber } from '../lib/http/headers/rate-headers.js';
import type { LimitFacts } from '../lib/limits/history/history.js';
import { limitEvidence } from '../lib/limits/limit-evidence.js';
import { judgeRemainingFalls } from '../lib/limits/rows/remaining.js';
import { everyExchange, kinds, requirement, type Probe } from '../lib/requirement/requirement.js';
import type { ApiResponse } from '../lib/session/api-response.js';
import { wrongHeader, type Judgement } from '../lib/verdict/judgement.js';
import { Inconclusive, NotTested } from '../lib/verdict/outcome.js';
import { judgeReset } from '../lib/verdict/reset.js';

/** The value of a header that must occur exactly once; anything else is a finding. */
function singleValue(judgement: Judgement, response: ApiResponse, name: string): string | undefined {
  if (response.status === undefined) return undefined;
  const values = response.headers(name);
  const [value] = values;
  if (value !== undefined && values.length === 1) return value.trim();
  judgement.fail(response, {
    message:
      value === undefined
        ? `a ${response.status} of ${response.operation} has no \`${name}\``
        : `\`${name}\` occurs more than once`,
    expected: `one \`${name}\``,
    received: value === undefined ? 'no such header' : values.map((one) => `${name}: ${one}`).join(', '),
    fact: wrongHeader(name, values),
  });
  return undefined;
}

everyExchange('RATE-01', { kinds }, (judgement) => ({
  see(response) {
    const value = singleValue(judgement, response, 'X-RateLimit-Limit');
    if (value === undefined) return;
    judgement.check((wholeNumber(value) ?? 0) > 0, response, () => ({
      message: '`X-RateLimit-Limit` is not a positive integer',
      expected: 'a positive integer',
      received: value,
      fact: wrongHeader('X-RateLimit-Limit', [value]),
    }));
  },
}));

everyExchange('RATE-02', { kinds }, (judgement) => ({
  see(response) {
    const value = singleValue(judgement, response, 'X-RateLimit-Remaining');
    if (value === undefined) return;
    const remaining = wholeNumber(value);
    const { limit = 0 } = rateHeadersOf(response.exchange);
    const holds = remaining !== undefined && remaining >= 0 && (limit < 1 || remaining <= limit);
    judgement.check(holds, response, () => ({
      message: '`X-RateLimit-Remaining` is not an integer from 0 to Limit',
      expected: limit < 1 ? 'an integer, not negative' : `an integer from 0 to ${limit}`,
      received: value,
      fact: wrongHeader('X-RateLimit-Remaining', [value]),
    }));
  },
}));

everyExchange('RATE-03', { kinds }, (judgement, { clockDifference }) => ({
  see(response) {
    const value = singleValue(judgement, response, 'X-RateLimit-Reset');
    if (value === undefined) return;
    const reset = judgeReset(value, response.exchange, clockDifference);
    if (reset.kind === 'open') judgement.leaveOpen(reset.reason);
    else if (reset.kind === 'right') judgement.held();
    else
      judgement.fail(response, {
        message: `\`X-RateLimit-Reset\` ${reset.what}`,
        expected: 'Unix seconds, from now to a day ahead',
        received: reset.received,
        fact: wrongHeader('X-RateLimit-Reset', [value]),
      });
  },
}));

everyExchange(
  'RATE-04',
  {
    kinds: ['listing', 'creation', 'animal'],
    leavesTo: { 'RATE-01': 'the header is missing, or not a positive integer' },
  },
  (judgement, { plan, planGiven }) => ({
    see(response) {
      const byKey = response.exchange.credential === 'valid' && response.status !== 401;
      const { limit = 0 } = rateHeadersOf(response.exchange);
      if (!planGiven || !byKey || limit < 1) return;
      judgement.check(limit === plan.perMinute || limit === plan.perDay, response, () => ({
        message: `\`X-RateLimit-Limit\` is not that of the plan (${plan.name})`,
        expected: `${plan.perMinute} (per minute) or ${plan.perDay} (per day)`,
        received: String(limit),
        fact: { ...wrongHeader('X-RateLimit-Limit', [String(limit)]), value: String(limit) },
      }));
    },
    conclude() {
      if (!planGiven) throw new NotTested('the plan of the key was not given (--plan, or NAME_PLAN)');
    },
  }),
);

requirement(
  'RATE-05',
  {
    phase: 'sequence',
    room: {
      quick: { listings: 1, inTurn: false },
      standard: { listings: 2, inTurn: true },
      thorough: { listings: 8, inTurn: true },
    },
  },
  async (probe, room) => {
    const { judgement, exchanges, store } = probe;
    // The whole run is judged. Requests one after the other show most: the limit probes have sent them already.
    if (!exchanges.some(({ phase }) => phase === 'sequence')) await sendInSequence(probe, room);
    judgeRemainingFalls(judgement, limitEvidence(exchanges, factsOf(probe, store.readOnly)));
  },
);

/** Listings, and whether all operations follow in turn, as far as the run may send them and the target takes them. */
interface SequenceRoom {
  readonly listings: number;
  readonly inTurn: boolean;
}

async function sendInSequence(
  { api, store, newPetOfOtherStatus, facts }: Probe,
  { listings, inTurn }: SequenceRoom,
): Promise<void> {
  const list = async (): Promise<ApiResponse> => api.listPets([['limit', 1]]);
  const create = async (): Promise<ApiResponse> => api.createPet(await newPetOfOtherStatus());
  const known = inTurn && !store.readOnly ? await store.animal().catch(ifUnavailable) : undefined;
  const get = async (): Promise<ApiResponse> =>
    known && !facts.removalDatePassed ? api.getPet(known.id) : list();
  await api.inSequence([
    ...Array.from({ length: listings }, () => list),
    ...(known ? [get, create, get, get, create, get] : []),
  ]);
}

function ifUnavailable(error: unknown): undefined {
  if (!(error instanceof Inconclusive)) throw error;
  return undefined;
}

/** Remaining is compared with the limit in force, if that is not the plan's. */
function factsOf({ facts: { plan }, exchanges }: Probe, readOnly: boolean): LimitFacts {
  const { caller = '' } = exchanges.find(({ credential }) => credential === 'valid') ?? {};
  const told = exchanges.flatMap((exchange) =>
    exchange.caller === caller ? (rateHeadersOf(exchange).limit ?? []) : [],
  );
  const [limit = 0] = told;
  const another = limit > 0 && limit !== plan.perMinute && limit !== plan.perDay;
  const inForce = another && told.every((one) => one === limit) ? limit : plan.perMinute;
  return { plan: { ...plan, perMinute: inForce }, caller, readOnly };
}
