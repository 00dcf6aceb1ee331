import { mapHeader } from '../answer.js';
import { altered, answers } from '../changes.js';
import type { Fault } from './fault.js';
import { look, see } from './wire.js';

/** Rate-limit headers that are well formed, and say what no limiter does. */
export const rateHabitFaults: readonly Fault[] = [
  {
    name: 'guests-told-a-limit-of-0',
    title: 'A 401 says that the limit is 0 and nothing remains',
    breaks: ['RATE-01'],
    options: answers((answer) => {
      if (answer.status !== 401) return answer;
      const limitless = mapHeader(answer, 'X-RateLimit-Limit', () => '0');
      return mapHeader(limitless, 'X-RateLimit-Remaining', () => '0');
    }),
    async wire(target) {
      const { header } = await look(target, { authorization: null });
      see(header('x-ratelimit-limit') === '0', 'a limit of 0');
    },
  },
  {
    name: 'remaining-always-0',
    title: 'X-RateLimit-Remaining is 0 from the first request on, though all are served',
    breaks: ['RATE-05'],
    options: altered(({ rateHeaders }) => ({
      rateHeaders: (decision, asked) =>
        rateHeaders({ ...decision, minute: { ...decision.minute, remaining: 0 } }, asked),
    })),
    async wire(target) {
      await look(target);
      const { status, header } = await look(target);
      see(status === 200 && header('x-ratelimit-remaining') === '0', 'nothing remains, and is served');
    },
  },
];
