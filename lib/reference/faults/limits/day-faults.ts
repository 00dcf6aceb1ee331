import { expectOnWire, send } from '../wire.js';
import type { LimitFault } from './limit-fault.js';
import { withDayCounter } from './limiter-changes.js';

interface AnotherDay extends Pick<LimitFault, 'name' | 'title'> {
  /** The requests that are admitted in a day. */
  readonly admits: (perDay: number) => number;
}

/** Another number of requests is admitted in a day. The wire look exhausts minute after minute. */
function anotherDay({ admits, ...fault }: AnotherDay): LimitFault {
  return {
    ...fault,
    breaks: ['LIMIT-10'],
    ofTheDay: true,
    options: withDayCounter((fresh, { requests }) => fresh({ requests: admits(requests) })),
    async wire(target) {
      const expected = Math.min(admits(target.perDay), target.perDay * 2);
      let admitted = 0;
      for (let last = 200; last === 200 && admitted <= expected;) {
        if (admitted % target.perMinute === 0) await target.wait(60_000);
        last = (await send(target, { path: '/pets?limit=1' })).status;
        if (last === 200) admitted += 1;
      }
      const shown = expected > target.perDay + 1 ? admitted > target.perDay + 1 : admitted === expected;
      expectOnWire(shown, `${fault.title}: ${admitted} were admitted`);
    },
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
  anotherDay({
    name: 'day-of-a-smaller-plan',
    title: "The key is given the day's limit of a smaller plan",
    admits: (requests) => requests / 2,
  }),
];
