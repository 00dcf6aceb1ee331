import { withBehaviour, withResponses } from '../../changes.js';
import { mapHeader, withHeader } from '../../http-message.js';
import { deprecationHeaders } from '../../operations/deprecation.js';
import type { Fault } from '../fault.js';

/** getPet sends a header with another value. */
function saying(header: 'Deprecation' | 'Sunset', value: string): Fault['options'] {
  return withBehaviour(({ deprecation }) => ({
    deprecation: (request) =>
      deprecation(request).map(([name, said]) => [name, name === header ? value : said] as const),
  }));
}

/** What the operations say of their deprecation: DEP-01 to DEP-03. */
export const deprecationFaults: readonly Fault[] = [
  {
    name: 'deprecation-in-milliseconds',
    title: 'Deprecation is counted in milliseconds, thousands of years ahead',
    breaks: ['DEP-01'],
    options: saying('Deprecation', '@1690000000000'),
  },
  {
    name: 'deprecation-a-day-after-the-sunset',
    title: 'Deprecation is the day after Sunset',
    breaks: ['DEP-01'],
    options: saying('Deprecation', '@1922745600'),
  },
  {
    name: 'deprecation-as-a-boolean',
    title: 'Deprecation says true, as a draft had it',
    breaks: ['DEP-01'],
    options: saying('Deprecation', 'true'),
  },
  {
    name: 'deprecation-as-an-http-date',
    title: 'Deprecation says an HTTP date, as a draft had it',
    breaks: ['DEP-01'],
    options: saying('Deprecation', 'Sat, 22 Jul 2023 04:26:40 GMT'),
  },
  {
    name: 'sunset-a-year-early',
    title: 'Sunset is a year too early',
    breaks: ['DEP-02'],
    options: saying('Sunset', new Date(Date.UTC(2029, 11, 5)).toUTCString()),
  },
  {
    name: 'sunset-a-day-late',
    title: 'Sunset is a day too late',
    breaks: ['DEP-02'],
    options: saying('Sunset', new Date(Date.UTC(2030, 11, 6)).toUTCString()),
  },
  {
    name: 'sunset-in-may',
    title: 'Sunset takes the day for the month',
    breaks: ['DEP-02'],
    options: saying('Sunset', new Date(Date.UTC(2030, 4, 12)).toUTCString()),
  },
  {
    name: 'sunset-as-an-iso-date',
    title: 'Sunset is an ISO 8601 date',
    breaks: ['DEP-02'],
    options: saying('Sunset', '2030-12-05T00:00:00Z'),
  },
  {
    name: 'sunset-without-a-weekday',
    title: 'Sunset has no weekday, so it is not an HTTP date',
    breaks: ['DEP-02'],
    options: withResponses((response) =>
      mapHeader(response, 'Sunset', (value) => value.replace(/^\w+, /, '')),
    ),
  },
  {
    name: 'creation-deprecated',
    title: 'createPet carries Deprecation',
    breaks: ['DEP-03'],
    options: withResponses((response, { operation }) =>
      operation === 'createPet' ? withHeader(response, 'Deprecation', '@1690000000') : response,
    ),
  },
  {
    name: 'refused-listings-deprecated',
    title: 'Sunset is on the errors of listPets',
    breaks: ['DEP-03'],
    options: withResponses((response, { operation }) =>
      operation === 'listPets' && response.status >= 400
        ? { ...response, headers: [...response.headers, ...deprecationHeaders.slice(1)] }
        : response,
    ),
  },
];
