import { headerValues, type Exchange } from '../lib/http/exchange.js';
import { rateHeadersOf, wholeNumber } from '../lib/http/rate-headers.js';
import type { Probe } from '../lib/session/probe.js';
import { Answer } from '../lib/verdict/answer.js';
import { NotTested } from '../lib/verdict/outcome.js';
import { everyExchange, requirement, type Kind } from '../lib/requirement/requirement.js';
import { fallOf, refillIn, type Fall, type Reading } from '../lib/verdict/remaining.js';
import { judgeReset } from '../lib/verdict/reset.js';
import type { Trial } from '../lib/verdict/trial.js';

const everyKind: readonly Kind[] = ['listing', 'creation', 'animal', '400', '401', '404'];

/** The header's one value; anything but exactly one is a finding. */
function singleValue(trial: Trial, exchange: Exchange, name: string): string | undefined {
  const values = headerValues(exchange, name);
  const [value] = values;
  const status = exchange.response?.status ?? '';
  const received = values.length === 0 ? 'no such header' : values.map((one) => `${name}: ${one}`).join(', ');
  const message =
    values.length === 0
      ? `a ${status} of ${exchange.operation ?? ''} carries no \`${name}\``
      : `\`${name}\` stands more than once`;
  if (values.length === 1 && value !== undefined) return value.trim();
  trial.check(false, { message, expected: `one \`${name}\``, received }, new Answer(exchange));
  return undefined;
}

everyExchange('RATE-01', everyKind, (trial) => ({
  see(exchange) {
    if (!exchange.response) return;
    const value = singleValue(trial, exchange, 'X-RateLimit-Limit');
    if (value === undefined) return;
    const positive = (wholeNumber(value) ?? 0) > 0;
    trial.check(
      positive,
      {
        message: '`X-RateLimit-Limit` is no positive integer',
        expected: 'a positive integer',
        received: value,
      },
      new Answer(exchange),
    );
  },
}));

everyExchange('RATE-02', everyKind, (trial) => ({
  see(exchange) {
    if (!exchange.response) return;
    const value = singleValue(trial, exchange, 'X-RateLimit-Remaining');
    if (value === undefined) return;
    const remaining = wholeNumber(value);
    const { limit } = rateHeadersOf(exchange);
    const holds =
      remaining !== undefined && remaining >= 0 && (limit === undefined || limit < 1 || remaining <= limit);
    trial.check(
      holds,
      {
        message: '`X-RateLimit-Remaining` is no integer from 0 to Limit',
        expected: limit === undefined ? 'an integer, not negative' : `an integer from 0 to ${limit}`,
        received: value,
      },
      new Answer(exchange),
    );
  },
}));

everyExchange('RATE-03', everyKind, (trial, { clockDifference }) => ({
  see(exchange) {
    if (!exchange.response) return;
    const value = singleValue(trial, exchange, 'X-RateLimit-Reset');
    if (value === undefined) return;
    const judgement = judgeReset(value, exchange, clockDifference);
    if (judgement.kind === 'open') trial.unjudged(judgement.reason);
    else {
      const received = judgement.kind === 'wrong' ? judgement.received : value;
      const message = judgement.kind === 'wrong' ? `\`X-RateLimit-Reset\` ${judgement.what}` : 'holds';
      trial.check(
        judgement.kind === 'right',
        { message, expected: 'Unix seconds, from now to a day ahead', received },
        new Answer(exchange),
      );
    }
  },
}));

everyExchange('RATE-04', ['listing', 'creation', 'animal'], (trial, { plan, planGiven }) => ({
  see(exchange) {
    if (!planGiven) return;
    const byKey = exchange.credential === 'valid' && exchange.response?.status !== 401;
    const { limit } = rateHeadersOf(exchange);
    // What is missing or no integer is RATE-01's.
    if (!byKey || limit === undefined || limit < 1) return;
    trial.check(
      limit === plan.perMinute || limit === plan.perDay,
      {
        message: `\`X-RateLimit-Limit\` is not that of the plan (${plan.name})`,
        expected: `${plan.perMinute} (a minute) or ${plan.perDay} (a day)`,
        received: String(limit),
      },
      new Answer(exchange),
    );
  },
  conclude() {
    if (!planGiven) throw new NotTested('the plan of the key was not given (--plan, or NAME_PLAN)');
  },
}));

/** Times that a sequence is taken again where other clients, a refill or a new window made it hard to read. */
const attempts = 3;
/** Milliseconds between two requests of a quick sequence that the pace may take. */
const quickWait = 200;

requirement('RATE-05', { phase: 'margins', quiet: true }, async (probe) => {
  const { trial, profile, exchanges, depth, plan } = probe;
  // LIST-03 asks alone and one after the other, too: in quick its answers are the sequence.
  const quiet = exchanges.filter(
    ({ purpose, response }) => purpose === 'LIST-03' && response?.status === 200,
  );
  const given =
    profile === 'quick' && quiet.length >= 2
      ? quiet.slice(-2).map((exchange) => new Answer(exchange))
      : undefined;
  const length = depth({ quick: 3, standard: 6, thorough: 12 });
  let others: Extract<Fall, { kind: 'others' }> | undefined;
  /** What two answers of another probe suggested: a fall by more may as well be one by the same number each time. */
  let suggested: Extract<Fall, { kind: 'others' }> | undefined;
  let short: { fall: Extract<Fall, { kind: 'short' | 'even' }>; answers: Answer[] } | undefined;
  let broken = 0;
  let waited = 0;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const answers = attempt === 0 && given ? given : await probe.api.listInSequence([['limit', 1]], length);
    // What broke off may have been counted or not, and its repeat once more.
    if (answers.some(({ exchange }) => exchange.repeats !== undefined || exchange.failure !== undefined)) {
      broken += 1;
      continue;
    }
    // A sequence that had to wait for the limiter in between was not quick: what came back meanwhile is not known.
    if (answers.slice(1).some(({ exchange }) => exchange.timing.wait > quickWait)) {
      waited += 1;
      continue;
    }
    const readings = readingsOf(answers);
    if (!readings) {
      trial.unjudged('`X-RateLimit-Remaining` is missing or no integer (see RATE-02)');
      return;
    }
    const fall = fallOf(readings, rateOf(readings, plan));
    if (fall.kind === 'exact' || fall.kind === 'refill') {
      if (fall.kind === 'refill') {
        trial.note(
          `Remaining fell by ${fall.fallen} over ${fall.sent} requests: the time that went by explains the difference on a limiter that refills.`,
        );
      }
      trial.check(true, { message: 'Remaining falls' }, ...answers);
      return;
    }
    // Two answers of another probe may be too few to tell; a sequence of its own is not.
    if (fall.kind === 'open' && answers === given) continue;
    if (fall.kind === 'open') return burstFalls(probe);
    if (fall.kind === 'others' && answers === given) suggested = fall;
    else if (fall.kind === 'others') others = fall;
    if (fall.kind === 'short' || fall.kind === 'even') short = { fall, answers };
  }
  others ??= short ? undefined : suggested;
  if (others) {
    trial.check(true, { message: 'Remaining falls' });
    trial.note(
      `Remaining fell by ${others.fallen} over ${others.sent} requests: other clients seem to use the key.`,
    );
    return;
  }
  if (!short) {
    trial.unjudged(
      broken > 0
        ? 'requests broke off during the sequences'
        : waited > 0
          ? 'the limiter made each sequence wait'
          : 'a new window began during each sequence',
    );
    return;
  }
  const { fall, answers } = short;
  const message =
    fall.kind === 'even'
      ? `\`X-RateLimit-Remaining\` falls by ${fall.each} for each request`
      : '`X-RateLimit-Remaining` does not go down with use';
  const received = answers.map((answer) => answer.header('X-RateLimit-Remaining') ?? 'none').join(', ');
  trial.check(
    false,
    { message, expected: `one less for each of ${answers.length} requests in a row`, received },
    ...answers,
  );
});

function readingsOf(answers: readonly Answer[]): Reading[] | undefined {
  const readings = answers.flatMap(({ exchange }) => {
    const { limit, remaining, reset } = rateHeadersOf(exchange);
    const sentAt = Date.parse(exchange.sentAt);
    return remaining === undefined
      ? []
      : [{ sentAt, arrivedAt: sentAt + exchange.timing.total, limit: limit ?? 0, remaining, reset }];
  });
  return readings.length === answers.length ? readings : undefined;
}

/** What is given back in a millisecond if the limiter refills: of the day where Limit shows the day's figure. */
function rateOf(readings: readonly Reading[], { perMinute, perDay }: Probe['plan']): number {
  const showsDay = perDay !== perMinute && readings.every(({ limit }) => limit === perDay);
  return showsDay ? perDay / 86_400_000 : perMinute / 60_000;
}

/** Requests of a burst at the most: as many as connections can carry side by side. */
const largestBurst = 60;

/** One after the other is too slow to outrun a refill of this plan: many at once are not. */
async function burstFalls({ api, trial, plan }: Probe): Promise<void> {
  const size = Math.max(2, Math.min(largestBurst, Math.floor(plan.perMinute / 2)));
  const answers = await api.listTogether([['limit', 1]], size);
  const readings = readingsOf(answers);
  if (!readings) {
    trial.unjudged('`X-RateLimit-Remaining` is missing or no integer (see RATE-02)');
    return;
  }
  const remaining = readings.map((reading) => reading.remaining);
  const [highest, lowest] = [Math.max(...remaining), Math.min(...remaining)];
  const elapsed =
    Math.max(...readings.map(({ arrivedAt }) => arrivedAt)) -
    Math.min(...readings.map(({ sentAt }) => sentAt));
  const refill = refillIn(elapsed, rateOf(readings, plan));
  // The first of them is where the fall begins.
  const least = size - 1 - refill;
  if (least < 1) {
    trial.unjudged(
      `within ${Math.round(elapsed)} ms a limiter that refills gives back ${refill}, as much as was sent: no fall can be told`,
    );
    return;
  }
  trial.check(
    highest - lowest >= least,
    {
      message: '`X-RateLimit-Remaining` does not go down with use',
      expected: `at least ${least} less after ${size} requests at once, ${refill} given back`,
      received: `from ${highest} to ${lowest}`,
    },
    ...answers.slice(0, 5),
  );
  trial.note(`Up to ${refill} of ${size} requests may have been given back by a refill.`);
}
