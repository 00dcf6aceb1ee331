import type { LimitFault } from './limit-fault.js';
import { withDayCounter } from './limiter-changes.js';

interface AnotherDay extends Pick<LimitFault, 'name' | 'title'> {
  /** The requests that are admitted in a day. */
  readonly admits: (perDay: number) => number;
}

/** Another number of requests is admitted in a day. */
function anotherDay({ admits, ...fault }: AnotherDay): LimitFault {
  return {
    ...fault,
    breaks: ['LIMIT-10'],
    ofTheDay: true,
    options: withDayCounter((fresh, { requests }) => fresh({ requests: admits(requests) })),
  };
}

/** Bugs in how many requests are admitted in a day: LIMIT-10. */
export const dayFaults: readonly LimitFault[] = [
  anotherDay({
    name: 'day-never-limits',
    title: "The day's limit is announced and never applied",
    admits: (requests) => requests * 4,
  }),
  anotherDay({
    name: 'day-one-more',
    title: 'One request too many is admitted in a day',
    admits: (requests) => requests + 1,
  }),
  anotherDay({
    name: 'day-one-less',
    title: 'The request that reaches the limit of the day is rejected already',
    admits: (requests) => requests - 1,
  }),
];
