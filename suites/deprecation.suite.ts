import { parseItem } from 'structured-headers';
import { parseHttpDate, parseSentHttpDate } from '../lib/http/headers/http-date.js';
import { beforeRemoval, requirement } from '../lib/verdict/requirement.js';
import { NotApplicable } from '../lib/verdict/outcome.js';
import { checkHeader } from '../lib/verdict/verbs.js';

/** RFC 9745 2.1: a structured field whose value is a date, `@1688169599`. */
function structuredDate(value: string): Date | undefined {
  try {
    const [date] = parseItem(value);
    return date instanceof Date ? date : undefined;
  } catch {
    return undefined;
  }
}

const specifiedSunset = 'Sunset: Thu, 05 Dec 2030 00:00:00 GMT';

requirement('DEP-01', {
  kinds: ['animal'],
  exempt: beforeRemoval,
  *rule({ responses }) {
    for (const one of responses) {
      if (one.operation !== 'getPet' || one.status !== 200) continue;
      const deprecation = one.headers('Deprecation');
      const since = deprecation.length === 1 ? structuredDate(deprecation[0] ?? '') : undefined;
      yield checkHeader(since !== undefined, one, 'Deprecation', {
        message: '`getPet` does not announce its deprecation by one structured date',
        expected: 'Deprecation: @<Unix time> (RFC 9745)',
      });
      yield checkHeader(one.header('Sunset') !== undefined, one, 'Sunset', {
        message: '`getPet` does not announce its removal',
        expected: `${specifiedSunset} (RFC 8594)`,
      });
      const sunset = parseHttpDate(one.header('Sunset') ?? '');
      if (since === undefined || sunset === undefined) continue;
      yield checkHeader(sunset >= since.getTime(), one, 'Deprecation', {
        message: '`getPet` announces its removal for a time before its deprecation',
        expected: `a Deprecation not later than ${new Date(sunset).toUTCString()}, the Sunset (RFC 9745 4)`,
        received: `Deprecation: ${deprecation.join(', ')}, which is ${since.toUTCString()}`,
      });
    }
  },
});

requirement('DEP-02', {
  kinds: ['animal'],
  *rule({ responses }) {
    const gets = responses.filter(({ operation }) => operation === 'getPet');
    for (const one of gets) {
      for (const value of one.headers('Sunset')) {
        const date = parseSentHttpDate(value);
        const specified = date !== undefined && new Date(date).toISOString().startsWith('2030-12-05');
        yield checkHeader(specified, one, 'Sunset', {
          message: `the announced removal date is ${date === undefined ? 'not an HTTP date' : 'another day'}`,
          expected: specifiedSunset,
          received: `Sunset: ${value}`,
        });
      }
    }
    if (gets.length > 0 && gets.every((one) => one.header('Sunset') === undefined))
      throw new NotApplicable('no response of getPet has a `Sunset` header');
  },
});

requirement('DEP-03', {
  kinds: ['listing', 'creation'],
  *rule({ responses }) {
    for (const one of responses)
      for (const name of one.operation === 'getPet' ? [] : ['Deprecation', 'Sunset'])
        yield checkHeader(one.header(name) === undefined, one, name, {
          message: `${one.operationName} announces a deprecation by \`${name}\``,
          expected: 'neither Deprecation nor Sunset',
        });
  },
});
