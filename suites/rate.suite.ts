import { headerValues, type Exchange } from '../lib/http/exchange/exchange.js';
import { rateHeadersOf, wholeNumber } from '../lib/http/headers/rate-headers.js';
import { ApiResponse } from '../lib/verdict/api-response.js';
import { NotTested } from '../lib/verdict/outcome.js';
import { everyExchange, type Kind } from '../lib/requirement/requirement.js';
import { judgeReset } from '../lib/verdict/reset.js';
import type { Judgement } from '../lib/verdict/judgement.js';

const everyKind: readonly Kind[] = ['listing', 'creation', 'animal', '400', '401', '404'];

/** The header's one value; anything but exactly one is a finding. */
function singleValue(judgement: Judgement, exchange: Exchange, name: string): string | undefined {
  const values = headerValues(exchange, name);
  const [value] = values;
  const status = exchange.response?.status ?? '';
  const received = values.length === 0 ? 'no such header' : values.map((one) => `${name}: ${one}`).join(', ');
  const message =
    values.length === 0
      ? `a ${status} of ${exchange.operation ?? ''} carries no \`${name}\``
      : `\`${name}\` stands more than once`;
  if (values.length === 1 && value !== undefined) return value.trim();
  judgement.check(false, { message, expected: `one \`${name}\``, received }, new ApiResponse(exchange));
  return undefined;
}

everyExchange('RATE-01', everyKind, (judgement) => ({
  see(exchange) {
    if (!exchange.response) return;
    const value = singleValue(judgement, exchange, 'X-RateLimit-Limit');
    if (value === undefined) return;
    const positive = (wholeNumber(value) ?? 0) > 0;
    judgement.check(
      positive,
      {
        message: '`X-RateLimit-Limit` is no positive integer',
        expected: 'a positive integer',
        received: value,
      },
      new ApiResponse(exchange),
    );
  },
}));

everyExchange('RATE-02', everyKind, (judgement) => ({
  see(exchange) {
    if (!exchange.response) return;
    const value = singleValue(judgement, exchange, 'X-RateLimit-Remaining');
    if (value === undefined) return;
    const remaining = wholeNumber(value);
    const { limit } = rateHeadersOf(exchange);
    const holds =
      remaining !== undefined && remaining >= 0 && (limit === undefined || limit < 1 || remaining <= limit);
    judgement.check(
      holds,
      {
        message: '`X-RateLimit-Remaining` is no integer from 0 to Limit',
        expected: limit === undefined ? 'an integer, not negative' : `an integer from 0 to ${limit}`,
        received: value,
      },
      new ApiResponse(exchange),
    );
  },
}));

everyExchange('RATE-03', everyKind, (judgement, { clockDifference }) => ({
  see(exchange) {
    if (!exchange.response) return;
    const value = singleValue(judgement, exchange, 'X-RateLimit-Reset');
    if (value === undefined) return;
    const judged = judgeReset(value, exchange, clockDifference);
    if (judged.kind === 'open') judgement.leaveOpen(judged.reason);
    else {
      const received = judged.kind === 'wrong' ? judged.received : value;
      const message = judged.kind === 'wrong' ? `\`X-RateLimit-Reset\` ${judged.what}` : 'holds';
      judgement.check(
        judged.kind === 'right',
        { message, expected: 'Unix seconds, from now to a day ahead', received },
        new ApiResponse(exchange),
      );
    }
  },
}));

everyExchange('RATE-04', ['listing', 'creation', 'animal'], (judgement, { plan, planGiven }) => ({
  see(exchange) {
    if (!planGiven) return;
    const byKey = exchange.credential === 'valid' && exchange.response?.status !== 401;
    const { limit } = rateHeadersOf(exchange);
    // What is missing or no integer is RATE-01's.
    if (!byKey || limit === undefined || limit < 1) return;
    judgement.check(
      limit === plan.perMinute || limit === plan.perDay,
      {
        message: `\`X-RateLimit-Limit\` is not that of the plan (${plan.name})`,
        expected: `${plan.perMinute} (a minute) or ${plan.perDay} (a day)`,
        received: String(limit),
      },
      new ApiResponse(exchange),
    );
  },
  conclude() {
    if (!planGiven) throw new NotTested('the plan of the key was not given (--plan, or NAME_PLAN)');
  },
}));
