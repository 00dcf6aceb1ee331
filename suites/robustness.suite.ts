import {
  isNoConnection,
  type Exchange,
  type OperationName,
  brokenReason,
} from '../lib/http/exchange/exchange.js';
import { ApiResponse } from '../lib/verdict/api-response.js';
import { Inconclusive } from '../lib/verdict/outcome.js';
import { everyExchange } from '../lib/requirement/requirement.js';

/** Section 4: the statuses that each operation lists. 429 (section 7) may come from any. */
const documented: Record<OperationName, readonly number[]> = {
  listPets: [200, 401],
  createPet: [201, 400, 401],
  getPet: [200, 401, 404],
};

/** A network may break a connection now and then. Beyond this share, and this many, it is the target that breaks them. */
const toleratedShare = 0.15;
const toleratedCount = 8;
/** Of the losses that a network is held to have caused, so many may hit the same request twice (rounded up). */
const chanceOfTwice = 0.25;

everyExchange(
  'ROBUST-01',
  ['listing', 'creation', 'animal', '400', '401', '404'],
  (judgement, { removalDatePassed }) => {
    let seen = 0;
    /** The exchange that a repeat goes back to, over repeats that found no connection or were refused by the limiter. */
    const origins = new Map<string, string>();
    /** The last broken exchange by its origin, until a repeat is answered. */
    const broken = new Map<string, Exchange>();
    const passing: Exchange[] = [];
    /** What breaks off with no whole answer in between has one cause, as where a server restarts. */
    let event = 0;
    const events = new Set<number>();
    const eventOf = new Map<string, number>();
    let unreachable: string | undefined;
    let spoken = false;
    return {
      see(exchange) {
        const { operation, response, failure, input, repeats } = exchange;
        spoken ||= response !== undefined || failure?.kind === 'not-http' || failure?.kind === 'too-large';
        const origin = repeats === undefined ? exchange.id : (origins.get(repeats) ?? repeats);
        origins.set(exchange.id, origin);
        if (failure && isNoConnection(failure.kind)) {
          unreachable = failure.message;
          return;
        }
        seen += 1;
        const original = broken.get(origin);
        if (brokenReason(exchange) !== undefined) {
          broken.set(origin, exchange);
          eventOf.set(exchange.id, event);
          return;
        }
        event += 1;
        if (original) {
          broken.delete(origin);
          passing.push(original);
          events.add(eventOf.get(original.id) ?? event);
        }
        if (!response || operation === null) {
          judgement.check(
            false,
            {
              message: 'an answer is longer than the suite reads',
              expected: 'a whole answer',
              received: failure?.message ?? '',
            },
            new ApiResponse(exchange),
          );
          return;
        }
        const { status } = response;
        const removed = removalDatePassed && operation === 'getPet' && (status === 405 || status === 410);
        const open = input === 'silent' && status >= 400 && status < 500;
        judgement.check(
          failure === undefined &&
            (documented[operation].includes(status) || status === 429 || open || removed),
          {
            message: failure
              ? `an answer of ${operation} is longer than the suite reads`
              : `${operation} answers ${status}, which it does not list`,
            expected: documented[operation].join(', ') + (input === 'silent' ? ' or another 4xx' : ''),
            received: failure ? failure.message : String(new ApiResponse(exchange)),
          },
          new ApiResponse(exchange),
        );
      },
      conclude() {
        // Silence alone can't tell a target that gives no answer from a network that carries none.
        const [silent] = broken.values();
        if (silent && !spoken)
          throw new Inconclusive(`nothing was ever answered: ${brokenReason(silent) ?? ''}`);
        const twice = [...broken.values()].filter(({ repeats }) => repeats !== undefined);
        const once = [...broken.values()].find(({ repeats }) => repeats === undefined);
        if (once)
          judgement.leaveOpen(
            `a request broke off (${brokenReason(once) ?? ''}), and the run ended before it was sent again`,
          );
        const [lost] = twice;
        const chance = lost !== undefined && twice.length <= Math.ceil(events.size * chanceOfTwice);
        if (chance) {
          judgement.leaveOpen(
            `${brokenReason(lost) ?? ''}, when sent again too; the network broke ${events.size} others off that were answered then, so that network and target can't be told apart`,
          );
        }
        for (const exchange of chance ? [] : twice) {
          const response = new ApiResponse(exchange);
          judgement.check(
            false,
            {
              message: `${exchange.operation ?? ''} gives no whole answer: ${brokenReason(exchange) ?? ''}`,
              expected: 'a documented answer',
              received: String(response),
            },
            response,
          );
        }
        const often = events.size > toleratedCount && events.size > seen * toleratedShare;
        const [first] = passing;
        if (first && often) {
          judgement.check(
            false,
            {
              message: `${passing.length} of ${seen} requests broke off and were answered only when sent again`,
              expected: 'an answer to each',
              received: brokenReason(first) ?? '',
            },
            ...passing.slice(0, 10).map((exchange) => new ApiResponse(exchange)),
          );
        } else if (first) {
          judgement.note(
            `${passing.length} of ${seen} requests broke off (${brokenReason(first) ?? ''}) and were answered when sent again: taken for the network's doing.`,
          );
        }
        if (judgement.checks === 0 && unreachable !== undefined)
          throw new Inconclusive(`the target could not be reached: ${unreachable}`);
      },
    };
  },
  { brokenToo: true },
);
