import { parseItem } from 'structured-headers';
import { parseHttpDate, parseSentHttpDate } from '../lib/http/headers/http-date.js';
import type { Evidence } from '../lib/evidence/evidence.js';
import { requirement } from '../lib/verdict/requirement.js';
import type { Exchange } from '../lib/evidence/exchange.js';
import { count } from '../lib/explain/count.js';
import { check } from '../lib/verdict/check.js';
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

/** The responses of getPet, or of the operations that are not deprecated. */
function responsesOf({ responses }: Evidence, isGetPet: boolean): Exchange[] {
  return responses.filter(
    ({ operation, status }) => status !== undefined && (operation === 'getPet') === isGetPet,
  );
}

requirement('DEP-01', {
  kinds: ['animal'],
  *rule(evidence) {
    if (evidence.facts.removalDatePassed) throw new NotApplicable('the run is later than the removal date');
    for (const one of responsesOf(evidence, true)) {
      if (one.status !== 200) continue;
      const deprecation = one.headers('Deprecation');
      const since = deprecation.length === 1 ? structuredDate(deprecation[0] ?? '') : undefined;
      yield check(since !== undefined, one, () => ({
        message: '`getPet` does not announce its deprecation',
        expected: 'Deprecation: @<Unix time> (RFC 9745)',
        received:
          deprecation.length === 0 ? 'no Deprecation header' : `Deprecation: ${deprecation.join(', ')}`,
        fact: wrongHeader('Deprecation', deprecation),
      }));
      yield check(one.header('Sunset') !== undefined, one, () => ({
        message: '`getPet` does not announce its removal',
        expected: 'Sunset: Thu, 05 Dec 2030 00:00:00 GMT (RFC 8594)',
        received: 'no Sunset header',
        fact: wrongHeader('Sunset', []),
      }));
      const sunset = parseHttpDate(one.header('Sunset') ?? '');
      if (since === undefined || sunset === undefined) continue;
      yield check(sunset >= since.getTime(), one, () => ({
        message: '`getPet` announces its removal for a time before its deprecation',
        expected: `a Deprecation not later than ${new Date(sunset).toUTCString()}, the Sunset (RFC 9745 4)`,
        received: `Deprecation: ${deprecation.join(', ')}, which is ${since.toUTCString()}`,
        fact: wrongHeader('Deprecation', deprecation),
      }));
    }
  },
});

const dayMs = 86_400_000;
const removal = Date.UTC(2030, 11, 5);

/** `31 days late`. */
function differenceTo(date: number): string {
  const days = Math.floor(date / dayMs) - removal / dayMs;
  return `${count(Math.abs(days), 'day')} ${days > 0 ? 'late' : 'early'}`;
}

requirement('DEP-02', {
  kinds: ['animal'],
  *rule(evidence) {
    const responses = responsesOf(evidence, true);
    for (const one of responses) {
      for (const value of one.headers('Sunset')) {
        const date = parseSentHttpDate(value);
        const specified = date !== undefined && new Date(date).toISOString().startsWith('2030-12-05');
        yield check(specified, one, () => ({
          message: `the announced removal date is ${date === undefined ? 'not an HTTP date' : differenceTo(date)}`,
          expected: 'Sunset: Thu, 05 Dec 2030 00:00:00 GMT',
          received: `Sunset: ${value}`,
          fact: wrongHeader('Sunset', [value]),
        }));
      }
    }
    if (responses.length > 0 && !responses.some((one) => one.header('Sunset') !== undefined))
      throw new NotApplicable('no response of getPet has a `Sunset` header');
  },
});

requirement('DEP-03', {
  kinds: ['listing', 'creation'],
  *rule(evidence) {
    for (const one of responsesOf(evidence, false)) {
      const announced = ['Deprecation', 'Sunset'].flatMap((name) =>
        one.headers(name).map((value) => `${name}: ${value}`),
      );
      yield check(announced.length === 0, one, () => ({
        message: `${one.operationName} announces a deprecation`,
        expected: 'neither Deprecation nor Sunset',
        received: announced.join('; '),
      }));
    }
  },
});
