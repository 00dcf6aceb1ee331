import { rateHeadersOf } from '../lib/http/headers/rate-headers.js';
import { requirement } from '../lib/requirement/requirement.js';
import type { Probe } from '../lib/requirement/requirement.js';
import { ApiResponse } from '../lib/session/api-response.js';
import { Inconclusive } from '../lib/verdict/outcome.js';
import { costs, fallOf, refillIn, type Fall, type Reading } from '../lib/verdict/remaining.js';

/** Times that a sequence is repeated if other clients, a refill or a new window made it hard to read. */
const attempts = 3;
/** Milliseconds between two requests of a quick sequence that the pace may take. */
const quickWait = 200;
/** Of the attempts, so many that no other client explains are no chance. */
const noChance = 2;

/** The requests of a quick sequence: listings first and then, if the run may, all operations in turn. */
interface Plan {
  /** Answers of another probe that are a sequence already. */
  readonly given: readonly ApiResponse[] | undefined;
  readonly listings: number;
  readonly requests: ReadonlyArray<() => Promise<ApiResponse>>;
}

type Wrong = Extract<Fall, { kind: 'short' | 'even' | 'rising' }>;

/** What one quick sequence showed. */
type Attempt =
  | { readonly kind: 'unreadable' | 'too slow' | 'broken' | 'waited' | 'turned' | 'open' }
  | { readonly kind: 'falls'; readonly note: string | undefined; readonly responses: readonly ApiResponse[] }
  /** It fell by more. That of all operations may be what each of them costs. */
  | {
      readonly kind: 'others';
      readonly fall: Extract<Fall, { kind: 'others' }>;
      readonly of: 'two answers' | 'listings' | 'all operations';
      readonly responses: readonly ApiResponse[];
    }
  | { readonly kind: 'wrong'; readonly fall: Wrong; readonly responses: readonly ApiResponse[] };

const options = {
  phase: 'unspecified',
  exclusive: true,
  needs: ['LIST-03'],
  leavesTo: { 'RATE-02': '`X-RateLimit-Remaining` is missing or not an integer' },
} as const;

requirement('RATE-05', options, async (probe) => {
  const { judgement } = probe;
  const plan = await planned(probe);
  const tried: Attempt[] = [];
  while (tried.length < attempts) {
    const responses =
      tried.length === 0 && plan.given ? plan.given : await probe.api.inSequence(plan.requests);
    const attempt = read(probe, plan, responses);
    if (attempt.kind === 'too slow') return burstFalls(probe);
    if (attempt.kind === 'unreadable') {
      judgement.leaveTo('RATE-02');
      return;
    }
    if (attempt.kind === 'falls') {
      judgement.held();
      if (attempt.note !== undefined) judgement.note(attempt.note);
      return;
    }
    tried.push(attempt);
  }
  conclude(probe, tried);
});

async function planned(probe: Probe): Promise<Plan> {
  const { profile, responsesTo, depth, api } = probe;
  // Its requests are sent alone and one after the other, too: in quick they are the sequence.
  const pair = responsesTo('LIST-03').filter(({ status }) => status === 200);
  const given = profile === 'quick' && pair.length >= 2 ? pair.slice(-2) : undefined;
  const mixed = profile === 'quick' ? [] : await mixedRequests(probe);
  const listings = depth({ quick: 3, standard: mixed.length > 0 ? 3 : 6, thorough: 9 });
  const list = async (): Promise<ApiResponse> => api.listPets([['limit', 1]]);
  return {
    given,
    listings,
    requests: [...Array.from({ length: listings }, () => list), ...mixed],
  };
}

function read(probe: Probe, { given, listings }: Plan, responses: readonly ApiResponse[]): Attempt {
  // What broke off may have been counted or not, and its repeat once more.
  if (responses.some(({ exchange }) => exchange.repeats !== undefined || exchange.failure !== undefined))
    return { kind: 'broken' };
  // A sequence that had to wait for the limiter in between was not quick: what came back meanwhile is not known.
  if (responses.slice(1).some(({ exchange }) => exchange.timing.wait > quickWait)) return { kind: 'waited' };
  const readings = readingsOf(responses);
  if (!readings) return { kind: 'unreadable' };
  const alone = fallIn(probe, readings.slice(0, listings));
  // Two answers of another probe may be too few to tell; a sequence of its own is not.
  if (alone.kind === 'open') return { kind: responses === given ? 'open' : 'too slow' };
  // One limit counts every request: what holds of listings holds of all operations in turn.
  // What was refused may not count, or for another caller.
  const served = responses.every(({ status = 0 }) => status >= 200 && status < 300);
  const whole = served ? fallIn(probe, readings) : undefined;
  if (whole?.kind === 'rising') return { kind: 'wrong', fall: whole, responses };
  const mixed = served && fallsAsSent(alone) && responses.length > listings;
  const together = mixed ? fallIn(probe, readings.slice(listings - 1)) : undefined;
  if (together && together.kind !== 'open')
    return attemptOf(together, 'all operations', responses.slice(listings - 1));
  return attemptOf(alone, responses === given ? 'two answers' : 'listings', responses.slice(0, listings));
}

function attemptOf(
  fall: Fall,
  of: Extract<Attempt, { kind: 'others' }>['of'],
  responses: readonly ApiResponse[],
): Attempt {
  switch (fall.kind) {
    case 'exact':
      return { kind: 'falls', note: undefined, responses };
    case 'refill': {
      const note = `Remaining fell by ${fall.fallen} over ${fall.sent} requests: the time that went by explains the difference on a limiter that refills.`;
      return { kind: 'falls', note, responses };
    }
    case 'others':
      return { kind: 'others', fall, of, responses };
    case 'short':
    case 'even':
    case 'rising':
      return { kind: 'wrong', fall, responses };
    case 'open':
    case 'turned':
      return { kind: fall.kind };
  }
}

/** No sequence fell by what was sent. */
function conclude(probe: Probe, tried: readonly Attempt[]): void {
  const { judgement } = probe;
  const more = tried.filter((attempt) => attempt.kind === 'others');
  const uneven = more.filter(({ of }) => of === 'all operations').map(({ responses }) => responses);
  if (uneven.length === attempts && judgeCosts(probe, uneven)) return;
  const wrongs = tried.filter((attempt) => attempt.kind === 'wrong');
  const rising = wrongs.filter(({ fall }) => fall.kind === 'rising');
  const chance = rising.length < noChance;
  const wrong = chance ? wrongs.findLast(({ fall }) => fall.kind !== 'rising') : rising.at(-1);
  // A fall by more between two answers of another probe may as well be one by the same number each time.
  const others = more.findLast(({ of }) => of !== 'two answers') ?? (wrong ? undefined : more.at(-1));
  if (others && chance) {
    judgement.held();
    judgement.note(
      `Remaining fell by ${others.fall.fallen} over ${others.fall.sent} requests: other clients seem to use the key.`,
    );
    return;
  }
  if (wrong) judgeWrong(probe, wrong.fall, wrong.responses);
  else judgement.leaveOpen(whyOpen(new Set(tried.map(({ kind }) => kind))));
}

function whyOpen(kinds: ReadonlySet<Attempt['kind']>): string {
  if (kinds.has('broken')) return 'requests broke off during the sequences';
  if (kinds.has('waited')) return 'the limiter made each sequence wait';
  return 'a new window began during each sequence';
}

function judgeWrong({ judgement }: Probe, fall: Wrong, responses: readonly ApiResponse[]): void {
  const message =
    fall.kind === 'even'
      ? `\`X-RateLimit-Remaining\` falls by ${fall.each} for each request`
      : fall.kind === 'rising'
        ? '`X-RateLimit-Remaining` goes up and down within one window'
        : '`X-RateLimit-Remaining` does not go down with use';
  judgement.fail(responses, {
    message,
    expected: `one less for each of ${responses.length} requests in a row`,
    received: told(responses),
    reproduce: oneAfterTheOther(responses),
  });
}

function fallsAsSent({ kind }: Fall): boolean {
  return kind === 'exact' || kind === 'refill';
}

/** Remaining in each response, with the operation if they are not all the same. */
function told(responses: readonly ApiResponse[]): string {
  const remaining = (response: ApiResponse): string => response.header('X-RateLimit-Remaining') ?? 'none';
  const operations = new Set(responses.map(({ exchange }) => exchange.operation));
  return responses
    .map((response) =>
      operations.size === 1
        ? remaining(response)
        : `${remaining(response)} (${response.exchange.operation ?? 'other'})`,
    )
    .join(', ');
}

/** Requests that a shell is to repeat: as many as show a fall, whichever operation does not count. */
const shownAgain = 4;

/** A single answer shows no fall: the shell asks the first of the sequence again. */
function oneAfterTheOther(responses: readonly ApiResponse[]): string | undefined {
  const lines = responses.slice(0, shownAgain).flatMap(({ exchange: { curl } }) => curl ?? []);
  return lines.length === 0 ? undefined : lines.join('; ');
}

/** The other two operations in turn, as far as this run may ask them and the target takes them. */
async function mixedRequests({
  api,
  store,
  newPetOfOtherStatus,
  removalDatePassed,
}: Probe): Promise<Array<() => Promise<ApiResponse>>> {
  if (store.readOnly) return [];
  try {
    const { id } = await store.animal();
    const create = async (): Promise<ApiResponse> => api.createPet(await newPetOfOtherStatus());
    const get = async (): Promise<ApiResponse> => (removalDatePassed ? api.listPets() : api.getPet(id));
    return [get, create, get, create, get];
  } catch (error) {
    if (error instanceof Inconclusive) return [];
    throw error;
  }
}

/** Whether an operation costs more than a request each time, whichever attempt: no other client is that regular. */
function judgeCosts({ judgement }: Probe, sequences: ReadonlyArray<readonly ApiResponse[]>): boolean {
  const each = costs(
    sequences.map((responses) =>
      responses.map((response) => ({
        operation: response.exchange.operation ?? '',
        remaining: rateHeadersOf(response.exchange).remaining ?? 0,
      })),
    ),
  );
  if (!each) return false;
  const responses = sequences.at(-1) ?? [];
  judgement.fail(responses, {
    message: `\`X-RateLimit-Remaining\` falls by ${[...each].map(([operation, cost]) => `${cost} for each ${operation}`).join(', ')}`,
    expected: `one less for each of ${responses.length} requests in a row`,
    received: told(responses),
    reproduce: oneAfterTheOther(responses),
  });
  return true;
}

function fallIn({ plan, exchanges }: Probe, readings: readonly Reading[]): Fall {
  const sentAt = exchanges.map((exchange) => Date.parse(exchange.sentAt));
  return fallOf(readings, rateOf(readings, plan), sentAt);
}

function readingsOf(responses: readonly ApiResponse[]): Reading[] | undefined {
  const readings = responses.flatMap(({ exchange }) => {
    const { limit, remaining, reset } = rateHeadersOf(exchange);
    const sentAt = Date.parse(exchange.sentAt);
    return remaining === undefined
      ? []
      : [{ sentAt, arrivedAt: sentAt + exchange.timing.total, limit: limit ?? 0, remaining, reset }];
  });
  return readings.length === responses.length ? readings : undefined;
}

/** What is given back in a millisecond if the limiter refills: of the day if Limit is the day's limit. */
function rateOf(readings: readonly Reading[], { perMinute, perDay }: Probe['plan']): number {
  const showsDay = perDay !== perMinute && readings.every(({ limit }) => limit === perDay);
  return showsDay ? perDay / 86_400_000 : perMinute / 60_000;
}

/** Requests of a burst at the most: as many as connections can carry side by side. */
const largestBurst = 60;

/** One after the other is too slow to outrun a refill of this plan: many at once are not. */
async function burstFalls({ api, judgement, plan }: Probe): Promise<void> {
  const size = Math.max(2, Math.min(largestBurst, Math.floor(plan.perMinute / 2)));
  const responses = await api.listTogether([['limit', 1]], size);
  const readings = readingsOf(responses);
  if (!readings) {
    judgement.leaveTo('RATE-02');
    return;
  }
  const remaining = readings.map((reading) => reading.remaining);
  const [highest, lowest] = [Math.max(...remaining), Math.min(...remaining)];
  const elapsed =
    Math.max(...readings.map(({ arrivedAt }) => arrivedAt)) -
    Math.min(...readings.map(({ sentAt }) => sentAt));
  const refill = refillIn(elapsed, rateOf(readings, plan));
  // The fall begins at the first of them.
  const least = size - 1 - refill;
  if (least < 1) {
    judgement.leaveOpen(
      `within ${Math.round(elapsed)} ms a limiter that refills gives back ${refill}, as much as was sent: no fall can be told`,
    );
    return;
  }
  judgement.check(highest - lowest >= least, responses.slice(0, 5), () => ({
    message: '`X-RateLimit-Remaining` does not go down with use',
    expected: `at least ${least} less after ${size} requests at once, ${refill} given back`,
    received: `from ${highest} to ${lowest}`,
    reproduce: oneAfterTheOther(responses),
  }));
  judgement.note(`Up to ${refill} of ${size} requests may have been given back by a refill.`);
}
