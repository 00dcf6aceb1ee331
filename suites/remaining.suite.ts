import { rateHeadersOf } from '../lib/http/rate-headers.js';
import { requirement } from '../lib/requirement/requirement.js';
import type { Probe } from '../lib/session/probe.js';
import { Answer } from '../lib/verdict/answer.js';
import { Inconclusive } from '../lib/verdict/outcome.js';
import { costs, fallOf, refillIn, type Fall, type Reading } from '../lib/verdict/remaining.js';

/** Times that a sequence is taken again where other clients, a refill or a new window made it hard to read. */
const attempts = 3;
/** Milliseconds between two requests of a quick sequence that the pace may take. */
const quickWait = 200;
/** Of the attempts, so many that no other client explains are no chance. */
const noChance = 2;

type Others = Extract<Fall, { kind: 'others' }>;

/** A sequence that fell as no limiter's does, with its answers. */
interface Wrong {
  readonly fall: Extract<Fall, { kind: 'short' | 'even' | 'rising' }>;
  readonly answers: readonly Answer[];
}

requirement('RATE-05', { phase: 'margins', quiet: true }, async (probe) => {
  const { trial, profile, exchanges, depth } = probe;
  // LIST-03 asks alone and one after the other, too: in quick its answers are the sequence.
  const quiet = exchanges.filter(
    ({ purpose, response }) => purpose === 'LIST-03' && response?.status === 200,
  );
  const given =
    profile === 'quick' && quiet.length >= 2
      ? quiet.slice(-2).map((exchange) => new Answer(exchange))
      : undefined;
  const mixed = profile === 'quick' ? [] : await mixedRequests(probe);
  const listings = depth({ quick: 3, standard: mixed.length > 0 ? 3 : 6, thorough: 9 });
  let others: Others | undefined;
  /** What two answers of another probe suggested: a fall by more may as well be one by the same number each time. */
  let suggested: Others | undefined;
  /** Sequences of all operations that fell by more, and not evenly. */
  const uneven: Array<readonly Answer[]> = [];
  const wrongs: Wrong[] = [];
  let broken = 0;
  let waited = 0;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const list = async (): Promise<Answer> => probe.api.listPets([['limit', 1]]);
    const answers =
      attempt === 0 && given
        ? given
        : await probe.api.inSequence([...Array.from({ length: listings }, () => list), ...mixed]);
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
    const read = readingsOf(answers);
    if (!read) {
      trial.unjudged('`X-RateLimit-Remaining` is missing or no integer (see RATE-02)');
      return;
    }
    const alone = fallIn(probe, read.slice(0, listings));
    // Two answers of another probe may be too few to tell; a sequence of its own is not.
    if (alone.kind === 'open' && answers === given) continue;
    if (alone.kind === 'open') return burstFalls(probe);
    // One limit counts every request: what holds of listings holds of all operations in turn.
    // What was refused may not count (LIMIT-13), or for another caller.
    const served = answers.every(({ status = 0 }) => status >= 200 && status < 300);
    const whole = served ? fallIn(probe, read) : undefined;
    const mixing = served && fallsAsSent(alone) && answers.length > listings;
    const together = mixing ? fallIn(probe, read.slice(listings - 1)) : undefined;
    const fall = whole?.kind === 'rising' ? whole : together && together.kind !== 'open' ? together : alone;
    const shows = (shown: Fall): [from: number, to?: number] =>
      shown === together ? [listings - 1] : shown === alone ? [0, listings] : [0];
    if (fall.kind === 'exact' || fall.kind === 'refill') {
      if (fall.kind === 'refill') {
        trial.note(
          `Remaining fell by ${fall.fallen} over ${fall.sent} requests: the time that went by explains the difference on a limiter that refills.`,
        );
      }
      trial.check(true, { message: 'Remaining falls' }, ...answers);
      return;
    }
    if (fall.kind === 'others' && answers === given) suggested = fall;
    else if (fall.kind === 'others') others = fall;
    if (fall.kind === 'others' && fall === together) uneven.push(answers.slice(listings - 1));
    if (fall.kind === 'short' || fall.kind === 'even' || fall.kind === 'rising')
      wrongs.push({ fall, answers: answers.slice(...shows(fall)) });
  }
  if (uneven.length === attempts && judgeCosts(probe, uneven)) return;
  const rising = wrongs.filter((wrong) => wrong.fall.kind === 'rising');
  const chance = rising.length < noChance;
  const wrong = chance ? wrongs.findLast(({ fall }) => fall.kind !== 'rising') : rising.at(-1);
  others ??= wrong ? undefined : suggested;
  if (others && chance) {
    trial.check(true, { message: 'Remaining falls' });
    trial.note(
      `Remaining fell by ${others.fallen} over ${others.sent} requests: other clients seem to use the key.`,
    );
    return;
  }
  if (!wrong) {
    trial.unjudged(
      broken > 0
        ? 'requests broke off during the sequences'
        : waited > 0
          ? 'the limiter made each sequence wait'
          : 'a new window began during each sequence',
    );
    return;
  }
  const { fall, answers } = wrong;
  const message =
    fall.kind === 'even'
      ? `\`X-RateLimit-Remaining\` falls by ${fall.each} for each request`
      : fall.kind === 'rising'
        ? '`X-RateLimit-Remaining` goes up and down within one window'
        : '`X-RateLimit-Remaining` does not go down with use';
  trial.check(
    false,
    {
      message,
      expected: `one less for each of ${answers.length} requests in a row`,
      received: told(answers),
      reproduce: oneAfterTheOther(answers),
    },
    ...answers,
  );
});

function fallsAsSent({ kind }: Fall): boolean {
  return kind === 'exact' || kind === 'refill';
}

/** Remaining as the answers say it, with the operation where they are not all the same. */
function told(answers: readonly Answer[]): string {
  const remaining = (answer: Answer): string => answer.header('X-RateLimit-Remaining') ?? 'none';
  const operations = new Set(answers.map(({ exchange }) => exchange.operation));
  return answers
    .map((answer) =>
      operations.size === 1
        ? remaining(answer)
        : `${remaining(answer)} (${answer.exchange.operation ?? 'other'})`,
    )
    .join(', ');
}

/** Requests that a shell is to repeat: as many as show a fall, whichever operation does not count. */
const shownAgain = 4;

/** A single answer shows no fall: the shell asks the first of the sequence again. */
function oneAfterTheOther(answers: readonly Answer[]): string | undefined {
  const lines = answers.slice(0, shownAgain).flatMap(({ exchange: { curl } }) => curl ?? []);
  return lines.length === 0 ? undefined : lines.join('; ');
}

/** The other two operations in turn, as far as this run may ask them and the target takes them. */
async function mixedRequests({
  api,
  store,
  trial,
  removalDatePassed,
}: Probe): Promise<Array<() => Promise<Answer>>> {
  if (store.readOnly) return [];
  try {
    const { id } = await store.animal();
    const create = async (): Promise<Answer> => api.createPet(await store.plainBody(trial.id));
    const get = async (): Promise<Answer> => (removalDatePassed ? api.listPets() : api.getPet(id));
    return [get, create, get, create, get];
  } catch (error) {
    if (error instanceof Inconclusive) return [];
    throw error;
  }
}

/** Whether an operation costs more than a request each time, whichever attempt: no other client is that regular. */
function judgeCosts({ trial }: Probe, sequences: ReadonlyArray<readonly Answer[]>): boolean {
  const each = costs(
    sequences.map((answers) =>
      answers.map((answer) => ({
        operation: answer.exchange.operation ?? '',
        remaining: rateHeadersOf(answer.exchange).remaining ?? 0,
      })),
    ),
  );
  if (!each) return false;
  const answers = sequences.at(-1) ?? [];
  trial.check(
    false,
    {
      message: `\`X-RateLimit-Remaining\` falls by ${[...each].map(([operation, cost]) => `${cost} for each ${operation}`).join(', ')}`,
      expected: `one less for each of ${answers.length} requests in a row`,
      received: told(answers),
      reproduce: oneAfterTheOther(answers),
    },
    ...answers,
  );
  return true;
}

function fallIn({ plan, exchanges }: Probe, readings: readonly Reading[]): Fall {
  const sentAt = exchanges.map((exchange) => Date.parse(exchange.sentAt));
  return fallOf(readings, rateOf(readings, plan), sentAt);
}

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
      reproduce: oneAfterTheOther(answers),
    },
    ...answers.slice(0, 5),
  );
  trial.note(`Up to ${refill} of ${size} requests may have been given back by a refill.`);
}
