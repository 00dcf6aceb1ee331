import { deprecationHeaders } from '../../operations/deprecation.js';
import type { ServiceRequest, Header } from '../../http-message.js';
import { mapHeader } from '../../http-message.js';
import { withBehaviour, withResponses } from '../../changes.js';
import type { Fault } from '../fault.js';
import { create, send, expectOnWire } from '../wire.js';

interface DeprecationHeader extends Pick<Fault, 'name' | 'title' | 'breaks'> {
  readonly header: 'Deprecation' | 'Sunset';
  readonly value: string | undefined;
}

/** getPet sends a header with another value, or without it. The wire look fetches an existing animal. */
function deprecationHeader({ name, title, breaks, header, value }: DeprecationHeader): Fault {
  return {
    name,
    title,
    breaks,
    options: withBehaviour(({ deprecation }) => ({
      deprecation: (request: ServiceRequest): Header[] =>
        deprecation(request).flatMap(([field, said]): Header[] => {
          if (field !== header) return [[field, said]];
          return value === undefined ? [] : [[field, value]];
        }),
    })),
    async wire(target) {
      const { id } = await create(target);
      const response = await send(target, { path: `/pets/${id}` });
      expectOnWire(
        response.status === 200 && response.header(header) === value,
        `${header} is ${value ?? 'absent'}`,
      );
    },
  };
}

export const deprecationFaults: readonly Fault[] = [
  {
    name: 'deprecation-untold',
    title: 'getPet announces neither its deprecation nor its removal',
    breaks: ['DEP-01'],
    options: withBehaviour(() => ({ deprecation: () => [] })),
    async wire(target) {
      const { header } = await send(target, { path: '/pets/1' });
      expectOnWire(
        header('deprecation') === undefined && header('sunset') === undefined,
        'neither header on getPet',
      );
    },
  },
  deprecationHeader({
    name: 'no-deprecation-header',
    title: 'getPet does not carry Deprecation',
    breaks: ['DEP-01'],
    header: 'Deprecation',
    value: undefined,
  }),
  deprecationHeader({
    name: 'deprecation-after-the-sunset',
    title: 'Deprecation is a month after Sunset',
    breaks: ['DEP-01'],
    header: 'Deprecation',
    value: '@1925424000',
  }),
  deprecationHeader({
    name: 'deprecation-in-milliseconds',
    title: 'Deprecation is counted in milliseconds, thousands of years ahead',
    breaks: ['DEP-01'],
    header: 'Deprecation',
    value: '@1690000000000',
  }),
  deprecationHeader({
    name: 'deprecation-a-day-after-the-sunset',
    title: 'Deprecation is the day after Sunset',
    breaks: ['DEP-01'],
    header: 'Deprecation',
    value: '@1922745600',
  }),
  deprecationHeader({
    name: 'no-sunset-header',
    title: 'getPet does not carry Sunset',
    breaks: ['DEP-01'],
    header: 'Sunset',
    value: undefined,
  }),
  deprecationHeader({
    name: 'deprecation-as-a-boolean',
    title: 'Deprecation says true, as a draft had it',
    breaks: ['DEP-01'],
    header: 'Deprecation',
    value: 'true',
  }),
  deprecationHeader({
    name: 'deprecation-as-an-http-date',
    title: 'Deprecation says an HTTP date, as a draft had it',
    breaks: ['DEP-01'],
    header: 'Deprecation',
    value: 'Sat, 22 Jul 2023 04:26:40 GMT',
  }),
  deprecationHeader({
    name: 'sunset-a-year-early',
    title: 'Sunset is a year too early',
    breaks: ['DEP-02'],
    header: 'Sunset',
    value: new Date(Date.UTC(2029, 11, 5)).toUTCString(),
  }),
  deprecationHeader({
    name: 'sunset-a-day-late',
    title: 'Sunset is a day too late',
    breaks: ['DEP-02'],
    header: 'Sunset',
    value: new Date(Date.UTC(2030, 11, 6)).toUTCString(),
  }),
  deprecationHeader({
    name: 'sunset-in-may',
    title: 'Sunset takes the day for the month',
    breaks: ['DEP-02'],
    header: 'Sunset',
    value: new Date(Date.UTC(2030, 4, 12)).toUTCString(),
  }),
  deprecationHeader({
    name: 'sunset-as-an-iso-date',
    title: 'Sunset is an ISO 8601 date',
    breaks: ['DEP-02'],
    header: 'Sunset',
    value: '2030-12-05T00:00:00Z',
  }),
  deprecationHeader({
    name: 'sunset-as-a-timestamp',
    title: 'Sunset is a Unix timestamp',
    breaks: ['DEP-02'],
    header: 'Sunset',
    value: '1922659200',
  }),
  {
    name: 'everything-deprecated',
    title: 'Deprecation and Sunset are on the responses of all operations',
    breaks: ['DEP-03'],
    options: withBehaviour(() => ({ deprecation: () => deprecationHeaders })),
    async wire(target) {
      const { header } = await send(target);
      expectOnWire(header('sunset') !== undefined, 'Sunset on a listing');
    },
  },
  {
    name: 'creation-deprecated',
    title: 'createPet carries Deprecation',
    breaks: ['DEP-03'],
    options: withResponses((response, request) =>
      request.operation === 'createPet'
        ? { ...response, headers: [...response.headers, ['Deprecation', '@1690000000']] }
        : response,
    ),
    async wire(target) {
      expectOnWire((await create(target)).header('deprecation') !== undefined, 'Deprecation on a creation');
    },
  },
  {
    name: 'refused-listings-deprecated',
    title: 'Sunset is on the errors of listPets',
    breaks: ['DEP-03'],
    options: withResponses((response, request) =>
      request.operation === 'listPets' && response.status >= 400
        ? { ...response, headers: [...response.headers, ...deprecationHeaders.slice(1)] }
        : response,
    ),
    async wire(target) {
      const { header } = await send(target, { authorization: null });
      expectOnWire(header('sunset') !== undefined, 'Sunset on a refused listing');
    },
  },
  {
    name: 'sunset-without-a-weekday',
    title: 'Sunset has no weekday, so it is not an HTTP date',
    breaks: ['DEP-02'],
    options: withResponses((response) =>
      mapHeader(response, 'Sunset', (value) => value.replace(/^\w+, /, '')),
    ),
    async wire(target) {
      const { header } = await send(target, { path: '/pets/1' });
      expectOnWire(/^\d/.test(header('sunset') ?? ''), 'Sunset without its weekday');
    },
  },
];
