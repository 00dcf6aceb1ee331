import type { RequirementId } from '../../../specification/catalogue.js';
import { fixedWindowAligned } from '../../limiter/fixed-window-aligned.js';
import { send, expectOnWire } from '../wire.js';
import { dayBy, type LimitFault } from './limit-fault.js';

/** A fault in how many are admitted in a day; seen by using minute after minute up. */
function admitsADay(
  name: string,
  title: string,
  figure: (requests: number) => number,
  breaks: readonly RequirementId[] = ['LIMIT-10'],
): LimitFault {
  return {
    name,
    title,
    breaks,
    ofTheDay: true,
    options: dayBy(({ requests, windowMs }) => fixedWindowAligned({ requests: figure(requests), windowMs })),
    async wire(target) {
      const wanted = Math.min(figure(target.perDay), target.perDay * 2);
      let served = 0;
      for (let last = 200; last === 200 && served <= wanted;) {
        if (served % target.perMinute === 0) await target.wait(60_000);
        last = (await send(target, { path: '/pets?limit=1' })).status;
        if (last === 200) served += 1;
      }
      const shown = wanted > target.perDay + 1 ? served > target.perDay + 1 : served === wanted;
      expectOnWire(shown, `${title}: ${served} were served`);
    },
  };
}

export const dayFaults: readonly LimitFault[] = [
  admitsADay('day-never-limits', "The day's limit is told and never applied", (requests) => requests * 4),
  admitsADay('day-one-more', 'One request too many is admitted in a day', (requests) => requests + 1),
  admitsADay(
    'day-one-less',
    'The request that reaches the figure of the day is refused already',
    (requests) => requests - 1,
  ),
  admitsADay(
    'day-of-a-smaller-plan',
    "The key is given the day's figure of a smaller plan",
    (requests) => requests / 2,
  ),
];
