import * as fc from 'fast-check';
import {
  both,
  bucketBySteps,
  byWholeSeconds,
  cellRate,
  minute,
  slidingCounter,
  slidingLog,
  tokenBucket,
  windowByClock,
  windowFromRequest,
  type Counter,
} from './counters.js';
import { anyOtherClients, between, type OtherClients } from './other-clients.js';

/** A moment that Reset may name: when the whole limit is back, when the next request is, or when the limiter's minute ends. */
type Reset = 'whole' | 'next' | 'minute';

interface Algorithm {
  readonly make: (limit: number) => Counter;
  /** Milliseconds after each full minute at which a minute of its own begins. */
  readonly phase?: number;
  readonly resets: readonly Reset[];
  /** Habits that would break the specification behind this algorithm, or mean nothing. */
  readonly never?: ReadonlyArray<'rejections count' | 'waits for Reset'>;
}

/** When in a minute the process behind a timer has been started, in milliseconds. */
const timerPhase = 17_345;
/** Reset names when the whole limit is back. */
const onlyWhole: readonly Reset[] = ['whole'];
const bitByBit: readonly Reset[] = ['whole', 'next'];
/** A rejected request finds nothing to take. */
const bucket = { resets: bitByBit, never: ['rejections count'] } as const;
/** What a counter weighs is back after two windows, later than a Retry-After may say; rejections would put that off. */
const counter = { resets: onlyWhole, never: ['rejections count', 'waits for Reset'] } as const;

/** From fresh, each admits the whole limit at once. */
const algorithms = {
  'windows of the clock': { make: (limit) => windowByClock(limit), resets: ['minute'] },
  'windows of a timer': {
    make: (limit) => windowByClock(limit, timerPhase),
    phase: timerPhase,
    resets: ['minute'],
  },
  'windows from the first request': { make: (limit) => windowFromRequest(limit), resets: onlyWhole },
  'sliding log': { make: (limit) => slidingLog(limit), resets: bitByBit },
  'log by parts of 1 s': { make: (limit) => slidingLog(limit, 1_000), resets: bitByBit },
  'log by parts of 5 s': { make: (limit) => slidingLog(limit, 5_000), resets: bitByBit },
  'log by parts of 10 s': { make: (limit) => slidingLog(limit, 10_000), resets: bitByBit },
  'sliding counter': { make: (limit) => slidingCounter(limit), ...counter, resets: ['whole', 'minute'] },
  'sliding counter of a timer': {
    make: (limit) => slidingCounter(limit, 1, timerPhase),
    phase: timerPhase,
    ...counter,
    resets: ['whole', 'minute'],
  },
  'counter of 4 parts': { make: (limit) => slidingCounter(limit, 4), ...counter },
  'counter of 6 parts': { make: (limit) => slidingCounter(limit, 6), ...counter },
  'token bucket': { make: (limit) => tokenBucket(limit), ...bucket },
  GCRA: { make: (limit) => cellRate(limit), ...bucket },
  'bucket by steps of 10 s of the clock': {
    make: (limit) => bucketBySteps(limit, 10_000, 'clock'),
    ...bucket,
  },
  'bucket by steps of 5 s from the first request': {
    make: (limit) => bucketBySteps(limit, 5_000, 'request'),
    ...bucket,
  },
  'bucket by steps of 1 s': { make: (limit) => bucketBySteps(limit, 1_000, 'request'), ...bucket },
  'windows of the clock and a log': {
    make: (limit) => both(windowByClock(limit), slidingLog(limit)),
    resets: onlyWhole,
  },
  'windows from the first request and a bucket': {
    make: (limit) => both(windowFromRequest(limit), tokenBucket(limit)),
    resets: onlyWhole,
    never: ['rejections count'],
  },
  'windows of the clock and from the first request': {
    make: (limit) => both(windowByClock(limit), windowFromRequest(limit)),
    resets: onlyWhole,
  },
} as const satisfies Record<string, Algorithm>;
type AlgorithmName = keyof typeof algorithms;

/** A limiter that conforms to the specification, and what is around it. */
export interface RandomLimiter {
  readonly algorithm: AlgorithmName;
  /** Requests a minute. */
  readonly limit: number;
  /** Its clock shows whole seconds. */
  readonly wholeSeconds: boolean;
  readonly rejectionsCount: boolean;
  /** What a 400 or a 404 uses: one request, none, or a 400 never comes to the limiter and shows no headers. */
  readonly errors: 'counted' | 'free' | 'unseen';
  /** Whether requests are counted before the key is checked; if not, whether a 401 shows the headers all the same. */
  readonly beforeKey: 'counted' | 'free' | 'unseen';
  readonly remaining: 'after' | 'before' | 'absent';
  /** Whose headers are shown: those of the minute, of the day, or of the one that leaves fewer requests. */
  readonly shows: 'minute' | 'day' | 'fewest';
  readonly dayBegins: 'clock' | 'request';
  readonly reset: Reset;
  readonly resetRounding: 'up' | 'down' | 'nearest';
  /** Rounded up; a second more; the whole window; until Reset; rounded up, as a date. */
  readonly retryAfter: 'seconds' | 'more' | 'window' | 'reset' | 'date';
  /** A cached Date is a second old at most, one that lags a second more. */
  readonly date: 'exact' | 'cached' | 'lagging' | 'absent';
  /** Milliseconds by which the target's clock is ahead. */
  readonly ahead: number;
  /** Milliseconds on the way to the limiter and back: at least, and by how much more at most. */
  readonly latency: readonly [least: number, jitter: number];
  readonly others: OtherClients;
  /** Milliseconds after a full minute at which the run begins. */
  readonly begin: number;
  /** What is random while the run goes on. */
  readonly seed: number;
}

const algorithmNames = Object.keys(algorithms) as AlgorithmName[];

/** Habits are drawn apart from each other; what would break the specification together is put right behind that. */
const anyLimiter: fc.Arbitrary<RandomLimiter> = fc
  .record({
    algorithm: fc.constantFrom(...algorithmNames),
    limit: fc.constantFrom(60, 60, 60, 60, 30, 100),
    wholeSeconds: oneIn(6),
    rejectionsCount: oneIn(3),
    errors: fc.constantFrom('counted', 'counted', 'free', 'unseen'),
    beforeKey: fc.constantFrom('counted', 'free', 'unseen'),
    remaining: fc.constantFrom('after', 'after', 'after', 'before', 'absent'),
    shows: fc.constantFrom('minute', 'minute', 'minute', 'minute', 'minute', 'day', 'fewest'),
    dayBegins: fc.constantFrom('clock', 'request'),
    reset: fc.constantFrom('whole', 'next', 'minute'),
    resetRounding: fc.constantFrom('up', 'down', 'nearest'),
    retryAfter: fc.constantFrom('seconds', 'seconds', 'more', 'window', 'reset', 'date'),
    date: fc.constantFrom('exact', 'exact', 'cached', 'lagging', 'absent'),
    ahead: fc.oneof(fc.constant(0), between(-300, 300), between(-120_000, 120_000)),
    latency: fc.constantFrom([0, 0], [1, 3], [15, 30], [60, 80]),
    others: anyOtherClients,
    begin: between(0, 59_999),
    seed: between(0, 2 ** 31 - 1),
  } as const)
  .map(conforming);

function oneIn(count: number): fc.Arbitrary<boolean> {
  return between(1, count).map((drawn) => drawn === 1);
}

/** Leaves out what does not conform, or can't be: a loopback target without Date has the clock of this machine. */
function conforming(drawn: RandomLimiter): RandomLimiter {
  const { resets, never = [] }: Algorithm = algorithms[drawn.algorithm];
  const isDateless = drawn.date === 'absent';
  const retryAfter =
    (isDateless && drawn.retryAfter === 'date') ||
    (never.includes('waits for Reset') && drawn.retryAfter === 'reset')
      ? 'seconds'
      : drawn.retryAfter;
  return {
    ...drawn,
    retryAfter,
    rejectionsCount: drawn.rejectionsCount && !never.includes('rejections count'),
    reset: resets.includes(drawn.reset) ? drawn.reset : (resets[0] ?? 'whole'),
    ahead: isDateless ? 0 : drawn.ahead,
  };
}

/** The limiter of a seed. */
export function randomLimiter(seed: number): RandomLimiter {
  const [limiter] = fc.sample(anyLimiter, { seed, numRuns: 1 });
  if (limiter === undefined) throw new RangeError('nothing was drawn');
  return limiter;
}

/** When the limiter's minute ends, in milliseconds by its clock. */
export function minuteEnd({ algorithm }: RandomLimiter, at: number): number {
  const { phase = 0 }: Algorithm = algorithms[algorithm];
  return (Math.floor((at - phase) / minute) + 1) * minute + phase;
}

/** A counter of the minute for one caller. @param limit requests a minute */
export function counterOf({ algorithm, wholeSeconds }: RandomLimiter, limit: number): Counter {
  const counter = algorithms[algorithm].make(limit);
  return wholeSeconds ? byWholeSeconds(counter) : counter;
}

/** The limiter in words, for whoever looks at what was made of it. */
export function described({ others, latency, seed, ...limiter }: RandomLimiter): string {
  const { kind, ...figures } = others;
  const clients = [kind, ...Object.entries(figures).map(([name, value]) => `${name} ${value}`)].join(' ');
  const habits = Object.entries({ ...limiter, latency: latency.join('+'), others: clients, seed });
  return habits.map(([name, value]) => `${name}: ${value}`).join('; ');
}
