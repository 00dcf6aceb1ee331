import { withBehaviour } from '../../changes.js';
import { fixedWindows, type LimitFault } from './limit-fault.js';
import { withMinuteHeaders } from './limiter-changes.js';

/** Bugs in the times and counts that the headers announce, behind a limiter that counts as it should. */
export const resetFaults: readonly LimitFault[] = [
  {
    name: 'reset-drifts',
    title: 'Reset is always a whole window ahead',
    breaks: ['LIMIT-06'],
    behind: fixedWindows,
    options: withMinuteHeaders((_minute, _admitted, at) => ({ resetsAt: at + 60_000 })),
  },
  {
    name: 'reset-ten-seconds-early',
    title: 'Reset lies ten seconds before the end of the window',
    breaks: ['LIMIT-06', 'LIMIT-14'],
    behind: fixedWindows,
    options: withMinuteHeaders(({ resetsAt }) => ({ resetsAt: resetsAt - 10_000 })),
  },
  {
    name: 'reset-half-a-minute-late',
    title: 'Reset lies half a minute behind the end of the window',
    breaks: ['LIMIT-06'],
    behind: fixedWindows,
    options: withMinuteHeaders(({ resetsAt }) => ({ resetsAt: resetsAt + 30_000 })),
  },
  {
    name: 'reset-of-the-first-window',
    title: 'Reset goes on naming the end of the first window, long after it',
    breaks: ['RATE-03', 'LIMIT-06'],
    behind: fixedWindows,
    options: withBehaviour(({ rateHeaders }) => {
      const firstReset = new Map<string | undefined, number>();
      return {
        rateHeaders(decision, request) {
          const { authorization } = request.headers;
          const resetsAt = firstReset.get(authorization) ?? decision.minute.resetsAt;
          firstReset.set(authorization, resetsAt);
          return rateHeaders({ ...decision, minute: { ...decision.minute, resetsAt } }, request);
        },
      };
    }),
  },
  {
    name: 'remaining-never-restored',
    title: 'Remaining stays at what an exhausted window left, though requests are admitted again',
    // In the second window it does not fall with use.
    breaks: ['RATE-05'],
    group: 'too few',
    behind: fixedWindows,
    options: withBehaviour(({ rateHeaders }) => {
      const lowest = new Map<string | undefined, number>();
      return {
        rateHeaders({ minute, ...decision }, request) {
          const { authorization } = request.headers;
          const remaining = Math.min(lowest.get(authorization) ?? minute.remaining, minute.remaining);
          lowest.set(authorization, remaining);
          return rateHeaders({ ...decision, minute: { ...minute, remaining } }, request);
        },
      };
    }),
  },
  {
    name: 'remaining-whole-on-429',
    title: 'A 429 says that the whole limit remains, as it has not been counted',
    breaks: ['RATE-05'],
    options: withMinuteHeaders(({ limit, remaining }, admitted) => ({
      remaining: admitted ? remaining : limit,
    })),
  },
  {
    name: 'limit-of-guests-on-429',
    title: 'A 429 says the limit of callers without a key',
    breaks: ['RATE-04'],
    options: withMinuteHeaders((_minute, admitted) => (admitted ? {} : { limit: 20 })),
  },
];
