import { withHeader, withoutHeader, type ServiceRequest, type ServiceResponse } from '../../http-message.js';
import { withBehaviour, withResponses } from '../../changes.js';
import { expectOnWire, send, type WireResponse } from '../wire.js';
import { exhaust, fixedWindows, windows, type LimitFault } from './limit-fault.js';

interface AnotherRetryAfter extends Pick<LimitFault, 'name' | 'title' | 'breaks' | 'breaksUnder' | 'behind'> {
  /** The value, or the values, instead of so many seconds. */
  readonly value: (seconds: number, request: ServiceRequest) => string | readonly string[];
  /** Whether the one value on the wire is that of the fault. */
  readonly shows: (value: string, response: WireResponse) => boolean;
}

/** `Retry-After` (section 8) says something else than how long the client waits. */
function retryAfter({ value, shows, ...fault }: AnotherRetryAfter): LimitFault {
  return {
    ...fault,
    options: withResponses((response, request) => {
      const right = response.headers.find(([name]) => name === 'Retry-After')?.[1];
      if (right === undefined) return response;
      return [value(Number(right), request)]
        .flat()
        .reduce<ServiceResponse>(
          (changed, one) => withHeader(changed, 'Retry-After', one),
          withoutHeader(response, 'Retry-After'),
        );
    }),
    async wire(target) {
      const { last } = await exhaust(target);
      const values = last.headers('retry-after');
      expectOnWire(last.status === 429 && shows(values.join(), last), `${fault.title}: ${values.join()}`);
    },
  };
}

const httpDate = (milliseconds: number): string => new Date(milliseconds).toUTCString();

const unusable: readonly LimitFault[] = [
  retryAfter({
    name: 'retry-after-missing',
    title: '429 carries no Retry-After',
    breaks: ['LIMIT-04'],
    value: () => [],
    shows: (value) => value === '',
  }),
  retryAfter({
    name: 'retry-after-empty',
    title: 'Retry-After is empty',
    breaks: ['LIMIT-04'],
    value: () => '',
    shows: (value) => value === '',
  }),
  retryAfter({
    name: 'retry-after-zero',
    title: 'Retry-After is 0',
    breaks: ['LIMIT-04', 'LIMIT-06'],
    value: () => '0',
    shows: (value) => value === '0',
  }),
  retryAfter({
    name: 'retry-after-with-a-fraction',
    title: 'Retry-After has a fraction',
    breaks: ['LIMIT-04'],
    value: (seconds) => `${seconds}.25`,
    shows: (value) => value.endsWith('.25'),
  }),
  retryAfter({
    name: 'retry-after-in-milliseconds',
    title: 'Retry-After is in milliseconds',
    breaks: ['LIMIT-04', 'LIMIT-06'],
    value: (seconds) => String(seconds * 1000),
    shows: (value) => value.endsWith('000'),
  }),
  retryAfter({
    name: 'retry-after-as-a-timestamp',
    title: 'Retry-After is a Unix timestamp',
    breaks: ['LIMIT-04', 'LIMIT-06'],
    value: (seconds, { at }) => String(Math.ceil(at / 1000) + seconds),
    shows: (value) => value.length === 10,
  }),
  retryAfter({
    name: 'retry-after-negative',
    title: 'Retry-After is below 0',
    breaks: ['LIMIT-04'],
    value: () => '-5',
    shows: (value) => value === '-5',
  }),
  retryAfter({
    name: 'retry-after-in-words',
    title: 'Retry-After has a unit',
    breaks: ['LIMIT-04'],
    value: (seconds) => `${seconds}s`,
    shows: (value) => value.endsWith('s'),
  }),
  retryAfter({
    name: 'retry-after-as-an-iso-date',
    title: 'Retry-After is an ISO 8601 date',
    breaks: ['LIMIT-04'],
    value: (seconds, { at }) => new Date(at + seconds * 1000).toISOString(),
    shows: (value) => value.endsWith('Z'),
  }),
  retryAfter({
    name: 'retry-after-date-with-an-offset',
    title: 'Retry-After is a date that ends with an offset instead of GMT',
    breaks: ['LIMIT-04'],
    value: (seconds, { at }) => httpDate(at + seconds * 1000).replace('GMT', '+0000'),
    shows: (value) => value.endsWith('+0000'),
  }),
  retryAfter({
    name: 'retry-after-twice',
    title: 'Retry-After is sent twice, by two layers',
    breaks: ['LIMIT-04'],
    value: (seconds) => [String(seconds), String(seconds)],
    shows: (value) => value.includes(','),
  }),
  {
    name: 'retry-after-missing-on-creations',
    title: 'A creation that is rejected carries no Retry-After, as another layer rejects it',
    breaks: ['LIMIT-04'],
    options: withResponses((response, { operation }) =>
      operation === 'createPet' ? withoutHeader(response, 'Retry-After') : response,
    ),
    async wire(target) {
      const { last } = await exhaust(target);
      const { status, header } = await send(target, { method: 'POST', body: '{}' });
      expectOnWire(
        status === 429 && header('retry-after') === undefined && last.header('retry-after') !== undefined,
        'a rejected creation without Retry-After',
      );
    },
  },
];

const tooShort: readonly LimitFault[] = [
  retryAfter({
    name: 'retry-after-date-in-the-past',
    // A date by an unknown clock is compared with Reset alone.
    breaksUnder: { 'no-date': ['LIMIT-06'] },
    title: 'Retry-After is the date when the window began',
    breaks: ['LIMIT-04', 'LIMIT-06'],
    value: (seconds, { at }) => httpDate(at + seconds * 1000 - 60_000),
    shows: (value, { header }) => Date.parse(value) <= Date.parse(header('date') ?? ''),
  }),
  retryAfter({
    name: 'retry-after-too-short',
    title: 'Retry-After says half of the time that is left',
    breaks: ['LIMIT-05', 'LIMIT-06'],
    behind: windows,
    value: (seconds) => String(Math.max(1, Math.floor(seconds / 2))),
    shows: (value) => Number(value) <= 30,
  }),
  retryAfter({
    name: 'retry-after-one-second',
    title: 'Retry-After always says a second',
    breaks: ['LIMIT-05', 'LIMIT-06'],
    behind: windows,
    value: () => '1',
    shows: (value) => value === '1',
  }),
  retryAfter({
    name: 'retry-after-date-too-early',
    breaksUnder: { 'no-date': ['LIMIT-06'] },
    title: 'Retry-After is a date ten seconds early',
    breaks: ['LIMIT-05', 'LIMIT-06'],
    behind: windows,
    value: (seconds, { at }) => httpDate(at + Math.max(2, seconds - 10) * 1000),
    shows: (value) => value.endsWith('GMT'),
  }),
  retryAfter({
    name: 'retry-after-rounded-to-ten-seconds',
    title: 'Retry-After is rounded down to ten seconds',
    breaks: ['LIMIT-05', 'LIMIT-06'],
    behind: windows,
    value: (seconds) => String(Math.max(1, Math.floor((seconds - 3) / 10) * 10)),
    shows: (value, { header }) =>
      Date.parse(header('date') ?? '') / 1000 + Number(value) < Number(header('x-ratelimit-reset')) - 2,
  }),
  rounded({
    name: 'retry-after-rounded-down',
    title: 'Retry-After is rounded down to a second, so that who comes then comes too early',
    round: Math.floor,
    exhaustedAfter: 330,
  }),
  rounded({
    name: 'retry-after-rounded-to-the-nearest-second',
    title: 'Retry-After is rounded to the nearest second, so that who comes then may come too early',
    round: Math.round,
    exhaustedAfter: 620,
  }),
];

/** @param exhaustedAfter milliseconds into a window after which the rounding shows */
function rounded({
  round,
  exhaustedAfter,
  ...fault
}: Pick<LimitFault, 'name' | 'title'> & {
  readonly round: (seconds: number) => number;
  readonly exhaustedAfter: number;
}): LimitFault {
  return {
    ...fault,
    breaks: ['LIMIT-05'],
    // A counter has room before its Reset, which only a Retry-After that is kept may name.
    breaksUnder: { 'sliding-counter': ['LIMIT-05', 'LIMIT-06'] },
    behind: windows,
    options: withBehaviour(({ rateHeaders }) => ({
      rateHeaders: (decision, request) =>
        rateHeaders(decision, request).map(([name, value]) => {
          if (name !== 'Retry-After') return [name, value] as const;
          const until = Math.max(decision.minute.admitsAt, decision.day.admitsAt);
          return [name, String(Math.max(1, round((until - request.at) / 1000)))] as const;
        }),
    })),
    async wire(target) {
      await target.wait(exhaustedAfter);
      const { last } = await exhaust(target);
      await target.wait(Number(last.header('retry-after')) * 1000);
      expectOnWire((await send(target)).status === 429, 'rejected again after Retry-After');
    },
  };
}

const tooLong: readonly LimitFault[] = [
  retryAfter({
    name: 'retry-after-an-hour',
    title: 'Retry-After always says an hour',
    breaks: ['LIMIT-04', 'LIMIT-06'],
    value: () => '3600',
    shows: (value) => value === '3600',
  }),
  retryAfter({
    name: 'retry-after-two-minutes',
    title: 'Retry-After says two windows',
    breaks: ['LIMIT-04', 'LIMIT-06'],
    value: () => '120',
    shows: (value) => value === '120',
  }),
  retryAfter({
    name: 'retry-after-midnight',
    title: "Retry-After says the day's end for an exhausted minute",
    breaks: ['LIMIT-04', 'LIMIT-06'],
    value: (_seconds, { at }) => String(Math.ceil((86_400_000 - (at % 86_400_000)) / 1000)),
    shows: (value) => Number(value) > 120,
  }),
  retryAfter({
    name: 'retry-after-with-five-seconds-more',
    title: 'Retry-After says five seconds more than are left, to be on the safe side',
    breaks: ['LIMIT-06'],
    behind: fixedWindows,
    value: (seconds) => String(Math.min(60, seconds + 5)),
    shows: (value, { header }) =>
      Date.parse(header('date') ?? '') / 1000 + Number(value) > Number(header('x-ratelimit-reset')) + 3,
  }),
  {
    name: 'retry-after-a-whole-window',
    title: 'Retry-After is always a whole window, whatever is left of it',
    breaks: ['LIMIT-06'],
    behind: fixedWindows,
    options: { headers: { retryAfter: 'window' } },
    async wire(target) {
      await target.wait(60_000 - (Date.parse((await send(target)).header('date') ?? '') % 60_000) + 20_000);
      const { last } = await exhaust(target);
      expectOnWire(
        last.header('retry-after') === '60',
        'sixty seconds, twenty seconds after the window began',
      );
    },
  },
];

/** Bugs in `Retry-After`: LIMIT-04 to LIMIT-06. */
export const retryAfterFaults: readonly LimitFault[] = [...unusable, ...tooShort, ...tooLong];
