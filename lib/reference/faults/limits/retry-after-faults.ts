import type { RequirementId } from '../../../specification/catalogue.js';
import { withHeader, withoutHeader, type ServiceResponse, type ServiceRequest } from '../../http-message.js';
import { withResponses } from '../../changes.js';
import { send, expectOnWire, type WireResponse } from '../wire.js';
import { useUp, type LimitFault } from './limit-fault.js';

/** Section 8.2 has `Retry-After` say how long to wait; each of these says something else. */
function waits(
  name: string,
  title: string,
  breaks: readonly RequirementId[],
  write: (seconds: number, request: ServiceRequest) => string | readonly string[],
  shows: (values: readonly string[], response: WireResponse) => boolean,
): LimitFault {
  return {
    name,
    title,
    breaks,
    options: withResponses((response, request) => {
      const right = response.headers.find(([header]) => header === 'Retry-After')?.[1];
      if (right === undefined) return response;
      return [write(Number(right), request)]
        .flat()
        .reduce<ServiceResponse>(
          (changed, value) => withHeader(changed, 'Retry-After', value),
          withoutHeader(response, 'Retry-After'),
        );
    }),
    async wire(target) {
      const { last } = await useUp(target);
      expectOnWire(
        last.status === 429 && shows(last.headers('retry-after'), last),
        `${title}: ${last.headers('retry-after').join()}`,
      );
    },
  };
}

const date = (milliseconds: number): string => new Date(milliseconds).toUTCString();
const isValue =
  (matches: (value: string) => boolean) =>
  (values: readonly string[]): boolean =>
    values.length === 1 && matches(values[0] ?? '');

export const waitFaults: readonly LimitFault[] = [
  waits(
    'retry-after-missing',
    '429 carries no Retry-After',
    ['LIMIT-04'],
    () => [],
    (values) => values.length === 0,
  ),
  waits(
    'retry-after-zero',
    'Retry-After is 0',
    ['LIMIT-04', 'LIMIT-06'],
    () => '0',
    isValue((value) => value === '0'),
  ),
  waits(
    'retry-after-with-a-fraction',
    'Retry-After has a fraction',
    ['LIMIT-04'],
    (seconds) => `${seconds}.25`,
    isValue((value) => value.endsWith('.25')),
  ),
  waits(
    'retry-after-in-milliseconds',
    'Retry-After is in milliseconds',
    ['LIMIT-04', 'LIMIT-06'],
    (seconds) => String(seconds * 1000),
    isValue((value) => value.endsWith('000')),
  ),
  waits(
    'retry-after-as-a-timestamp',
    'Retry-After is a Unix timestamp',
    ['LIMIT-04', 'LIMIT-06'],
    (seconds, { at }) => String(Math.ceil(at / 1000) + seconds),
    isValue((value) => value.length === 10),
  ),
  waits(
    'retry-after-negative',
    'Retry-After is below 0',
    ['LIMIT-04'],
    () => '-5',
    isValue((value) => value === '-5'),
  ),
  waits(
    'retry-after-in-words',
    'Retry-After has a unit',
    ['LIMIT-04'],
    (seconds) => `${seconds}s`,
    isValue((value) => value.endsWith('s')),
  ),
  waits(
    'retry-after-as-an-iso-date',
    'Retry-After is a date by ISO 8601',
    ['LIMIT-04'],
    (seconds, { at }) => new Date(at + seconds * 1000).toISOString(),
    isValue((value) => value.endsWith('Z')),
  ),
  waits(
    'retry-after-twice',
    'Retry-After is sent twice, by two layers',
    ['LIMIT-04'],
    (seconds) => [String(seconds), String(seconds)],
    (values) => values.length === 2,
  ),
  waits(
    'retry-after-date-in-the-past',
    'Retry-After is the date when the window began',
    ['LIMIT-04', 'LIMIT-06'],
    (seconds, { at }) => date(at + seconds * 1000 - 60_000),
    (values, { header }) => Date.parse(values[0] ?? '') <= Date.parse(header('date') ?? ''),
  ),
  waits(
    'retry-after-too-short',
    'Retry-After says half of the time that is left',
    ['LIMIT-05', 'LIMIT-06'],
    (seconds) => String(Math.max(1, Math.floor(seconds / 2))),
    isValue((value) => Number(value) <= 30),
  ),
  waits(
    'retry-after-one-second',
    'Retry-After always says a second',
    ['LIMIT-05', 'LIMIT-06'],
    () => '1',
    isValue((value) => value === '1'),
  ),
  waits(
    'retry-after-date-too-early',
    'Retry-After is a date ten seconds early',
    ['LIMIT-05', 'LIMIT-06'],
    (seconds, { at }) => date(at + Math.max(2, seconds - 10) * 1000),
    isValue((value) => value.endsWith('GMT')),
  ),
  waits(
    'retry-after-an-hour',
    'Retry-After always says an hour',
    ['LIMIT-04', 'LIMIT-06'],
    () => '3600',
    isValue((value) => value === '3600'),
  ),
  waits(
    'retry-after-two-minutes',
    'Retry-After says two windows',
    ['LIMIT-04', 'LIMIT-06'],
    () => '120',
    isValue((value) => value === '120'),
  ),
  waits(
    'retry-after-midnight',
    "Retry-After tells the day's end for a minute that is used up",
    ['LIMIT-04', 'LIMIT-06'],
    (_seconds, { at }) => String(Math.ceil((86_400_000 - (at % 86_400_000)) / 1000)),
    isValue((value) => Number(value) > 120),
  ),
  {
    name: 'retry-after-a-whole-window',
    title: 'Retry-After always says a whole window, whatever is left of it',
    breaks: ['LIMIT-06'],
    options: { headers: { retryAfter: 'window' } },
    async wire(target) {
      await target.wait(60_000 - (Date.parse((await send(target)).header('date') ?? '') % 60_000) + 20_000);
      const { last } = await useUp(target);
      expectOnWire(
        last.header('retry-after') === '60',
        'sixty seconds, twenty seconds after the window began',
      );
    },
  },
];
