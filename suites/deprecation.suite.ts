import { parseItem } from 'structured-headers';
import { parseHttpDate, parseSentHttpDate } from '../lib/http/headers/http-date.js';
import { everyExchange } from '../lib/requirement/requirement.js';
import { count } from '../lib/usage/count.js';
import { wrongHeader } from '../lib/verdict/judgement.js';
import { NotApplicable } from '../lib/verdict/outcome.js';

/** The announced deprecation of getPet, and of nothing else. */

/** RFC 9745 2.1: a structured field whose value is a date, `@1688169599`. */
function structuredDate(value: string): Date | undefined {
  try {
    const [date] = parseItem(value);
    return date instanceof Date ? date : undefined;
  } catch {
    return undefined;
  }
}

everyExchange('DEP-01', { kinds: ['animal'] }, (judgement, { removalDatePassed }) => ({
  see(response) {
    if (response.exchange.operation !== 'getPet' || response.status !== 200 || removalDatePassed) return;
    const deprecation = response.headers('Deprecation');
    const since = deprecation.length === 1 ? structuredDate(deprecation[0] ?? '') : undefined;
    judgement.check(since !== undefined, response, () => ({
      message: '`getPet` does not announce its deprecation',
      expected: 'Deprecation: @<Unix time> (RFC 9745)',
      received: deprecation.length === 0 ? 'no Deprecation header' : `Deprecation: ${deprecation.join(', ')}`,
      fact: wrongHeader('Deprecation', deprecation),
    }));
    judgement.check(response.header('Sunset') !== undefined, response, () => ({
      message: '`getPet` does not announce its removal',
      expected: 'Sunset: Thu, 05 Dec 2030 00:00:00 GMT (RFC 8594)',
      received: 'no Sunset header',
      fact: wrongHeader('Sunset', []),
    }));
    const sunset = parseHttpDate(response.header('Sunset') ?? '');
    if (since === undefined || sunset === undefined) return;
    judgement.check(sunset >= since.getTime(), response, () => ({
      message: '`getPet` announces its removal for a time before its deprecation',
      expected: `a Deprecation not later than ${new Date(sunset).toUTCString()}, the Sunset (RFC 9745 4)`,
      received: `Deprecation: ${deprecation.join(', ')}, which is ${since.toUTCString()}`,
      fact: wrongHeader('Deprecation', deprecation),
    }));
  },
  conclude() {
    if (removalDatePassed) throw new NotApplicable('the run is later than the removal date');
  },
}));

const dayMs = 86_400_000;
const removal = Date.UTC(2030, 11, 5);

/** `31 days late`. */
function differenceTo(date: number): string {
  const days = Math.floor(date / dayMs) - removal / dayMs;
  return `${count(Math.abs(days), 'day')} ${days > 0 ? 'late' : 'early'}`;
}

everyExchange('DEP-02', { kinds: ['animal'] }, (judgement) => {
  let seen = false;
  return {
    see(response) {
      if (response.exchange.operation !== 'getPet' || response.status === undefined) return;
      seen = true;
      for (const value of response.headers('Sunset')) {
        const date = parseSentHttpDate(value);
        const specified = date !== undefined && new Date(date).toISOString().startsWith('2030-12-05');
        judgement.check(specified, response, () => ({
          message: `the announced removal date is ${date === undefined ? 'not an HTTP date' : differenceTo(date)}`,
          expected: 'Sunset: Thu, 05 Dec 2030 00:00:00 GMT',
          received: `Sunset: ${value}`,
          fact: wrongHeader('Sunset', [value]),
        }));
      }
    },
    conclude() {
      if (judgement.checks === 0 && seen)
        throw new NotApplicable('no response of getPet has a `Sunset` header');
    },
  };
});

everyExchange('DEP-03', { kinds: ['listing', 'creation'] }, (judgement) => ({
  see(response) {
    if (response.exchange.operation === 'getPet' || response.status === undefined) return;
    const announced = ['Deprecation', 'Sunset'].flatMap((name) =>
      response.headers(name).map((value) => `${name}: ${value}`),
    );
    judgement.check(announced.length === 0, response, () => ({
      message: `${response.operation} announces a deprecation`,
      expected: 'neither Deprecation nor Sunset',
      received: announced.join('; '),
    }));
  },
}));
