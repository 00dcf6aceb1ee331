import { parseItem } from 'structured-headers';
import { headerValues, type Exchange } from '../lib/http/exchange/exchange.js';
import { parseSentHttpDate } from '../lib/http/headers/http-date.js';
import { ApiResponse } from '../lib/verdict/api-response.js';
import { NotApplicable } from '../lib/verdict/outcome.js';
import { everyExchange } from '../lib/requirement/requirement.js';

/** RFC 9745 2.1: a structured field whose value is a date, `@1688169599`. */
function isStructuredDate(value: string): boolean {
  try {
    return parseItem(value)[0] instanceof Date;
  } catch {
    return false;
  }
}

everyExchange('DEP-01', ['animal'], (judgement, { removalDatePassed }) => ({
  see(exchange) {
    if (exchange.operation !== 'getPet' || exchange.response?.status !== 200 || removalDatePassed) return;
    const response = new ApiResponse(exchange);
    const deprecation = headerValues(exchange, 'Deprecation');
    judgement.check(
      deprecation.length === 1 && isStructuredDate(deprecation[0] ?? ''),
      {
        message: '`getPet` does not announce its deprecation',
        expected: 'Deprecation: @<Unix time> (RFC 9745)',
        received:
          deprecation.length === 0 ? 'no Deprecation header' : `Deprecation: ${deprecation.join(', ')}`,
      },
      response,
    );
    judgement.check(
      headerValues(exchange, 'Sunset').length > 0,
      {
        message: '`getPet` does not announce its removal',
        expected: 'Sunset: Thu, 05 Dec 2030 00:00:00 GMT (RFC 8594)',
        received: 'no Sunset header',
      },
      response,
    );
  },
  conclude() {
    if (removalDatePassed) throw new NotApplicable('the run is later than the removal date');
  },
}));

everyExchange('DEP-02', ['animal'], (judgement) => {
  let asked = 0;
  return {
    see(exchange) {
      if (exchange.operation !== 'getPet' || !exchange.response) return;
      asked += 1;
      for (const value of headerValues(exchange, 'Sunset')) {
        const date = parseSentHttpDate(value);
        judgement.check(
          date !== undefined && new Date(date).toISOString().startsWith('2030-12-05'),
          {
            message: 'the announced removal date is another, or no HTTP date',
            expected: 'Sunset: Thu, 05 Dec 2030 00:00:00 GMT',
            received: `Sunset: ${value}`,
          },
          new ApiResponse(exchange),
        );
      }
    },
    conclude() {
      if (judgement.checks === 0 && asked > 0)
        throw new NotApplicable('no response of getPet has a `Sunset` header');
    },
  };
});

const announcements = ['Deprecation', 'Sunset'] as const;

everyExchange('DEP-03', ['listing', 'creation'], (judgement) => ({
  see(exchange: Exchange) {
    if (exchange.operation === 'getPet' || !exchange.response) return;
    const present = announcements.filter((name) => headerValues(exchange, name).length > 0);
    judgement.check(
      present.length === 0,
      {
        message: `${exchange.operation ?? ''} announces a deprecation`,
        expected: 'neither Deprecation nor Sunset',
        received: present.map((name) => `${name}: ${headerValues(exchange, name).join(', ')}`).join('; '),
      },
      new ApiResponse(exchange),
    );
  },
}));
