import { mapHeader } from '../../http-message.js';
import { withBehaviour, withResponses } from '../../changes.js';
import { expectOnWire, send } from '../wire.js';
import { exhaust, fixedWindows, type LimitFault } from './limit-fault.js';
import { withMinuteHeaders } from './limiter-changes.js';

interface Shifted extends Pick<LimitFault, 'name' | 'title' | 'breaks' | 'breaksUnder'> {
  /** How far behind the end of the window Reset lies. */
  readonly seconds: number;
}

/** Reset names another time than the end of the window. */
function shifted({ name, title, breaks, breaksUnder, seconds }: Shifted): LimitFault {
  return {
    name,
    title,
    breaks,
    ...(breaksUnder && { breaksUnder }),
    behind: fixedWindows,
    options: withMinuteHeaders(({ resetsAt }) => ({ resetsAt: resetsAt + seconds * 1_000 })),
    async wire(target) {
      const reset = Number((await send(target)).header('x-ratelimit-reset'));
      expectOnWire(reset % 60 === (60 + seconds) % 60, `Reset is ${seconds} s off the minute`);
    },
  };
}

/** Bugs in the times and counts that the headers announce, behind a limiter that counts as it should. */
export const resetFaults: readonly LimitFault[] = [
  {
    name: 'reset-drifts',
    title: 'Reset is always a whole window ahead',
    breaks: ['LIMIT-06'],
    behind: fixedWindows,
    options: withMinuteHeaders((_minute, _admitted, at) => ({ resetsAt: at + 60_000 })),
    async wire(target) {
      const first = Number((await send(target)).header('x-ratelimit-reset'));
      await target.wait(10_000);
      const second = Number((await send(target)).header('x-ratelimit-reset'));
      expectOnWire(second - first >= 9 && second - first <= 11, 'Reset has moved on with the clock');
    },
  },
  shifted({
    name: 'reset-half-a-minute-early',
    title: 'Reset names the middle of the window',
    breaks: ['LIMIT-06', 'LIMIT-14'],
    // The look before the end of the window finds a Reset that has passed.
    breaksUnder: {
      'fixed-window-from-first-request': ['RATE-03', 'LIMIT-06', 'LIMIT-14'],
      'late-in-a-minute': ['RATE-03', 'LIMIT-06', 'LIMIT-14'],
    },
    seconds: -30,
  }),
  shifted({
    name: 'reset-ten-seconds-early',
    title: 'Reset lies ten seconds before the end of the window',
    breaks: ['LIMIT-06', 'LIMIT-14'],
    // The look before the end of the window finds a Reset that has passed.
    breaksUnder: {
      'fixed-window-from-first-request': ['RATE-03', 'LIMIT-06', 'LIMIT-14'],
      'late-in-a-minute': ['RATE-03', 'LIMIT-06', 'LIMIT-14'],
    },
    seconds: -10,
  }),
  shifted({
    name: 'reset-half-a-minute-late',
    title: 'Reset lies half a minute behind the end of the window',
    breaks: ['LIMIT-06'],
    seconds: 30,
  }),
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
    async wire(target) {
      await send(target);
      await target.wait(70_000);
      const { header } = await send(target);
      expectOnWire(
        Number(header('x-ratelimit-reset')) < Date.parse(header('date') ?? '') / 1000,
        'Reset lies in the past',
      );
    },
  },
  {
    name: 'remaining-never-restored',
    breaksUnder: { 'no-remaining': [], 'late-in-a-minute': ['RATE-05'] },
    title: 'Remaining stays at what an exhausted window left, though requests are admitted again',
    // In the second window it does not fall with use.
    breaks: ['RATE-05', 'LIMIT-14'],
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
    async wire(target) {
      await exhaust(target);
      await target.wait(60_000);
      const { status, header } = await send(target);
      expectOnWire(status === 200 && header('x-ratelimit-remaining') === '0', 'admitted with 0 remaining');
    },
  },
  {
    name: 'remaining-before-the-request',
    title: 'Remaining is read before the request is counted, so that it says one too many',
    breaks: ['RATE-05'],
    options: withMinuteHeaders(({ limit, remaining }, admitted) => ({
      remaining: admitted ? Math.min(limit, remaining + 1) : remaining,
    })),
    async wire(target) {
      const { header } = await send(target);
      expectOnWire(
        header('x-ratelimit-remaining') === header('x-ratelimit-limit'),
        'the whole limit remains',
      );
    },
  },
  {
    name: 'remaining-never-below-five',
    title: 'Remaining never says less than five',
    breaks: ['RATE-05'],
    options: withMinuteHeaders(({ remaining }) => ({ remaining: Math.max(5, remaining) })),
    async wire(target) {
      const { last } = await exhaust(target);
      expectOnWire(
        last.status === 429 && last.header('x-ratelimit-remaining') === '5',
        '5 remain behind a 429',
      );
    },
  },
  {
    name: 'remaining-whole-on-429',
    title: 'A 429 says that the whole limit remains, as it has not been counted',
    breaks: ['RATE-05'],
    options: withMinuteHeaders(({ limit, remaining }, admitted) => ({
      remaining: admitted ? remaining : limit,
    })),
    async wire(target) {
      const { last } = await exhaust(target);
      expectOnWire(
        last.status === 429 && last.header('x-ratelimit-remaining') === last.header('x-ratelimit-limit'),
        'the whole limit remains behind a 429',
      );
    },
  },
  {
    name: 'limit-of-guests-on-429',
    title: 'A 429 says the limit of callers without a key',
    breaks: ['RATE-04'],
    options: withMinuteHeaders((_minute, admitted) => (admitted ? {} : { limit: 20 })),
    async wire(target) {
      const { last } = await exhaust(target);
      expectOnWire(
        last.status === 429 && last.header('x-ratelimit-limit') === '20',
        'a limit of 20 on a 429',
      );
    },
  },
  {
    name: 'limit-of-zero-on-429',
    title: 'A 429 says a limit of 0',
    breaks: ['RATE-01'],
    options: withResponses((response) =>
      response.status === 429 ? mapHeader(response, 'X-RateLimit-Limit', () => '0') : response,
    ),
    async wire(target) {
      const { last } = await exhaust(target);
      expectOnWire(last.status === 429 && last.header('x-ratelimit-limit') === '0', 'a limit of 0 on a 429');
    },
  },
];
