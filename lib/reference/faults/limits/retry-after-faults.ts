import { withHeader, withoutHeader, type ServiceRequest, type ServiceResponse } from '../../http-message.js';
import { withBehaviour, withResponses } from '../../changes.js';
import { fixedWindows, windows, type LimitFault } from './limit-fault.js';

interface AnotherRetryAfter extends Pick<LimitFault, 'name' | 'title' | 'breaks' | 'behind'> {
  /** The value, or the values, instead of so many seconds. */
  readonly value: (seconds: number, request: ServiceRequest) => string | readonly string[];
}

/** `Retry-After` (section 8) says something else than how long the client waits. */
function retryAfter({ value, ...fault }: AnotherRetryAfter): LimitFault {
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
  };
}

const httpDate = (milliseconds: number): string => new Date(milliseconds).toUTCString();

/** Bugs in `Retry-After`: LIMIT-04 to LIMIT-06. */
export const retryAfterFaults: readonly LimitFault[] = [
  retryAfter({
    name: 'retry-after-missing',
    title: '429 carries no Retry-After',
    breaks: ['LIMIT-04'],
    value: () => [],
  }),
  retryAfter({
    name: 'retry-after-zero',
    title: 'Retry-After is 0',
    breaks: ['LIMIT-04', 'LIMIT-05', 'LIMIT-06'],
    value: () => '0',
  }),
  retryAfter({
    name: 'retry-after-with-a-fraction',
    title: 'Retry-After has a fraction',
    breaks: ['LIMIT-04'],
    value: (seconds) => `${seconds}.25`,
  }),
  retryAfter({
    name: 'retry-after-in-milliseconds',
    title: 'Retry-After is in milliseconds',
    breaks: ['LIMIT-04', 'LIMIT-06'],
    value: (seconds) => String(seconds * 1000),
  }),
  retryAfter({
    name: 'retry-after-as-a-timestamp',
    title: 'Retry-After is a Unix timestamp',
    breaks: ['LIMIT-04', 'LIMIT-06'],
    value: (seconds, { at }) => String(Math.ceil(at / 1000) + seconds),
  }),
  retryAfter({
    name: 'retry-after-as-an-iso-date',
    title: 'Retry-After is an ISO 8601 date',
    breaks: ['LIMIT-04'],
    value: (seconds, { at }) => new Date(at + seconds * 1000).toISOString(),
  }),
  retryAfter({
    name: 'retry-after-twice',
    title: 'Retry-After is sent twice, by two layers',
    breaks: ['LIMIT-04'],
    value: (seconds) => [String(seconds), String(seconds)],
  }),
  {
    name: 'retry-after-missing-on-creations',
    title: 'A creation that is rejected carries no Retry-After, as another layer rejects it',
    breaks: ['LIMIT-04'],
    options: withResponses((response, { operation }) =>
      operation === 'createPet' ? withoutHeader(response, 'Retry-After') : response,
    ),
  },
  retryAfter({
    name: 'retry-after-date-in-the-past',
    title: 'Retry-After is the date when the window began',
    breaks: ['LIMIT-04', 'LIMIT-06'],
    value: (seconds, { at }) => httpDate(at + seconds * 1000 - 60_000),
  }),
  retryAfter({
    name: 'retry-after-one-second',
    title: 'Retry-After always says a second',
    breaks: ['LIMIT-05', 'LIMIT-06'],
    behind: windows,
    value: () => '1',
  }),
  retryAfter({
    name: 'retry-after-date-too-early',
    title: 'Retry-After is a date ten seconds early',
    breaks: ['LIMIT-05', 'LIMIT-06'],
    behind: windows,
    value: (seconds, { at }) => httpDate(at + Math.max(2, seconds - 10) * 1000),
  }),
  {
    name: 'retry-after-rounded-down',
    title: 'Retry-After is rounded down to a second, so that who comes then comes too early',
    breaks: ['LIMIT-05'],
    behind: windows,
    options: withBehaviour(({ rateHeaders }) => ({
      rateHeaders: (decision, request) =>
        rateHeaders(decision, request).map(([name, value]) => {
          if (name !== 'Retry-After') return [name, value] as const;
          const until = Math.max(decision.minute.admitsAt, decision.day.admitsAt);
          return [name, String(Math.max(1, Math.floor((until - request.at) / 1000)))] as const;
        }),
    })),
  },
  retryAfter({
    name: 'retry-after-midnight',
    title: "Retry-After says the day's end for an exhausted minute",
    breaks: ['LIMIT-04', 'LIMIT-06'],
    value: (_seconds, { at }) => String(Math.ceil((86_400_000 - (at % 86_400_000)) / 1000)),
  }),
  {
    name: 'retry-after-a-whole-window',
    title: 'Retry-After is always a whole window, whatever is left of it',
    breaks: ['LIMIT-06'],
    behind: fixedWindows,
    options: { headers: { retryAfter: 'window' } },
  },
];
