import { fixedWindowFromFirstRequest } from '../../limiter/fixed-window-from-first-request.js';
import type { Counter } from '../../limiter/counter.js';
import { send, expectOnWire } from '../wire.js';
import {
  minuteBy,
  telling,
  useUp,
  type LimitFault,
  type Quota,
  type LimitWireTarget,
} from './limit-fault.js';

/** Waits as the last 429 said, and asks once more. */
async function askAfterWait(target: LimitWireTarget): Promise<number> {
  const { last } = await useUp(target);
  await target.wait(Number(last.header('retry-after')) * 1000 + 100);
  return (await send(target)).status;
}

/** A counter whose window never ends, though Reset and Retry-After say that it does. */
function neverResetting({ requests, windowMs }: Quota): Counter {
  let used = 0;
  return {
    standing(at) {
      const resetsAt = (Math.floor(at / windowMs) + 1) * windowMs;
      const remaining = Math.max(0, requests - used);
      return { limit: requests, remaining, resetsAt, admitsAt: remaining > 0 ? at : resetsAt };
    },
    count: () => {
      used += 1;
    },
    giveBack: () => {
      used -= 1;
    },
  };
}

/** A counter whose window each look at a used-up limit extends, without saying so. */
function extendedByRefusals(quota: Quota): Counter {
  const counter = fixedWindowFromFirstRequest(quota);
  let usedUpUntil: number | undefined;
  return {
    ...counter,
    standing(at) {
      const standing = counter.standing(at);
      if (standing.remaining > 0 && (usedUpUntil === undefined || at >= usedUpUntil)) {
        usedUpUntil = undefined;
        return standing;
      }
      usedUpUntil = at + quota.windowMs;
      const resetsAt = standing.remaining > 0 ? at + 1_000 : standing.resetsAt;
      return { ...standing, remaining: 0, resetsAt, admitsAt: resetsAt };
    },
  };
}

/** A counter whose window each refusal begins anew, and which says so from then on. */
function begunAnewByRefusals({ requests, windowMs }: Quota): Counter {
  let end = Number.NEGATIVE_INFINITY;
  let used = 0;
  let told = true;
  return {
    standing(at) {
      if (at >= end) used = 0;
      const remaining = Math.max(0, requests - used);
      // What the last admitted request is told is no refusal.
      if (remaining === 0 && told) end = at + windowMs;
      told = true;
      const resetsAt = at >= end ? at + windowMs : end;
      return { limit: requests, remaining, resetsAt, admitsAt: remaining > 0 ? at : resetsAt };
    },
    count(at) {
      if (at >= end) end = at + windowMs;
      used += 1;
      told = false;
    },
    giveBack: () => {
      used -= 1;
    },
  };
}

/** A counter that shuts a caller out for five windows once the limit is used up, and says a minute as ever. */
function shuttingOut(quota: Quota): Counter {
  const counter = fixedWindowFromFirstRequest(quota);
  let shutUntil = Number.NEGATIVE_INFINITY;
  return {
    ...counter,
    standing(at) {
      const standing = counter.standing(at);
      if (at >= shutUntil && standing.remaining > 0) return standing;
      if (at >= shutUntil) shutUntil = at + 5 * quota.windowMs;
      const resetsAt = standing.remaining > 0 ? at + quota.windowMs : standing.resetsAt;
      return { ...standing, remaining: 0, resetsAt, admitsAt: resetsAt };
    },
  };
}

export const resetFaults: readonly LimitFault[] = [
  {
    name: 'never-resets',
    title: "The counter's key has lost its expiry: the window never resets",
    breaks: ['LIMIT-05', 'LIMIT-14'],
    options: minuteBy(neverResetting),
    async wire(target) {
      expectOnWire((await askAfterWait(target)) === 429, 'refused again after the window');
    },
  },
  {
    name: 'extended-by-each-429',
    title: 'Each 429 begins the window anew, which is not said',
    breaks: ['LIMIT-05', 'LIMIT-14'],
    options: minuteBy(extendedByRefusals),
    async wire(target) {
      await send(target);
      await target.wait(20_000);
      expectOnWire((await askAfterWait(target)) === 429, 'refused again after the window');
    },
  },
  {
    name: 'begun-anew-by-each-429',
    title: 'Each 429 begins the window anew and says so, after another Reset was announced',
    breaks: ['LIMIT-14'],
    options: minuteBy(begunAnewByRefusals),
    async wire(target) {
      const announced = Number((await send(target)).header('x-ratelimit-reset'));
      await target.wait(20_000);
      const { last } = await useUp(target, target.perMinute);
      expectOnWire(Number(last.header('x-ratelimit-reset')) > announced + 10, 'the 429 has moved Reset on');
    },
  },
  {
    name: 'shut-out-at-the-first-429',
    title: 'A key whose limit is used up is shut out for five minutes, which is not said',
    breaks: ['LIMIT-05', 'LIMIT-14'],
    options: minuteBy(shuttingOut),
    async wire(target) {
      expectOnWire((await askAfterWait(target)) === 429, 'refused again after the window');
    },
  },
  {
    name: 'reset-drifts',
    title: 'Reset is always a whole window ahead',
    breaks: ['LIMIT-06'],
    options: telling((minute, at) => ({ ...minute, resetsAt: at + 60_000 })),
    async wire(target) {
      const first = Number((await send(target)).header('x-ratelimit-reset'));
      await target.wait(10_000);
      const second = Number((await send(target)).header('x-ratelimit-reset'));
      expectOnWire(second - first >= 9 && second - first <= 11, 'Reset has moved on with the clock');
    },
  },
  {
    name: 'reset-half-a-minute-early',
    title: 'Reset names the middle of the window',
    breaks: ['LIMIT-06', 'LIMIT-14'],
    options: telling((minute) => ({ ...minute, resetsAt: minute.resetsAt - 30_000 })),
    async wire(target) {
      const response = await send(target);
      expectOnWire(Number(response.header('x-ratelimit-reset')) % 60 === 30, 'Reset is half a minute off');
    },
  },
  {
    name: 'reset-half-a-minute-late',
    title: "Reset lies half a minute behind the window's end",
    breaks: ['LIMIT-06'],
    options: telling((minute) => ({ ...minute, resetsAt: minute.resetsAt + 30_000 })),
    async wire(target) {
      const response = await send(target);
      expectOnWire(Number(response.header('x-ratelimit-reset')) % 60 === 30, 'Reset is half a minute off');
    },
  },
  {
    name: 'window-of-ninety-seconds',
    title: 'The window is ninety seconds long',
    breaks: ['LIMIT-04'],
    options: { windowMs: 90_000 },
    async wire(target) {
      const { last } = await useUp(target);
      await target.wait(Math.max(0, Number(last.header('retry-after')) * 1000 + 100));
      const again = await useUp(target);
      expectOnWire(Number(again.last.header('retry-after')) > 62, 'a wait of more than a minute');
    },
  },
];
