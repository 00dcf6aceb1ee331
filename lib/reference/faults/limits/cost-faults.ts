import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { create, send, expectOnWire } from '../wire.js';
import { around, useUp, type LimitFault, type LimitWireTarget } from './limit-fault.js';

/** Lets other requests look at the counter between this one's looking and counting. */
function racy(name: string, title: string, gap: () => Promise<void>): LimitFault {
  return {
    name,
    title,
    breaks: ['LIMIT-03'],
    options: { limiter: { gap } },
    async wire(target) {
      const burst = Array.from({ length: target.perMinute + 20 });
      // Connections first, by the other key: the server takes them in one by one.
      await Promise.all(burst.map(() => send({ ...target, key: target.otherKey })));
      // On a machine that is busy elsewhere the requests of one burst may come one by one.
      let served = 0;
      for (let tries = 0; tries < 4 && served <= target.perMinute; tries += 1) {
        const all = await Promise.all(burst.map(() => send(target)));
        served = all.filter(({ status }) => status === 200).length;
        await target.wait(60_000);
      }
      expectOnWire(served > target.perMinute, `more than the figure is served at once: ${served}`);
      // In sequence it counts as it should.
      expectOnWire((await useUp(target)).served === target.perMinute, 'in sequence the figure is kept');
    },
  };
}

/** A limiter that keeps its counter elsewhere, and admits where it can't ask. */
function everyThirdLetThrough(): LimitFault {
  let over = 0;
  return {
    name: 'every-third-let-through',
    title: 'Every third request over the limit is let through',
    breaks: ['LIMIT-03', 'LIMIT-09'],
    options: around((limiter) => ({
      async take(call) {
        const decision = await limiter.take(call);
        if (decision.admitted) return decision;
        over += 1;
        return { ...decision, admitted: over % 3 === 0 };
      },
    })),
    async wire(target) {
      await usedUpBy(target);
      const more = [await send(target), await send(target), await send(target)];
      expectOnWire(
        more.some(({ status }) => status === 200) && more.some(({ status }) => status === 429),
        'some are served over the limit',
      );
    },
  };
}

/** One operation is let through though the limit is used up. */
function neverRefused(name: string, operation: 'createPet' | 'getPet', title: string): LimitFault {
  return {
    name,
    title,
    breaks: ['LIMIT-09'],
    options: around((limiter) => ({
      async take(call) {
        const decision = await limiter.take(call);
        return call.operation === operation ? { ...decision, admitted: true } : decision;
      },
    })),
    async wire(target) {
      await create(target);
      expectOnWire((await useUp(target)).last.status === 429, 'listings are limited');
      const over = operation === 'createPet' ? await create(target) : await send(target, { path: '/pets/1' });
      expectOnWire(over.status < 300, `${operation} is admitted over the limit`);
      expectOnWire((await send(target)).status === 429, 'listings are refused');
    },
  };
}

async function usedUpBy(target: LimitWireTarget): Promise<void> {
  expectOnWire((await useUp(target)).served === target.perMinute, 'listings are limited');
}

export const countingFaults: readonly LimitFault[] = [
  racy('racy-by-a-turn', 'Looking and counting are two turns of the loop', () => nextTurn()),
  racy('racy-by-a-millisecond', 'A request to a cache lies between looking and counting', () => delay(1)),
  racy('racy-by-five-milliseconds', 'A query to a database lies between looking and counting', () =>
    delay(5),
  ),
  {
    name: 'counted-by-operation',
    title: 'Each operation has a limit of its own',
    breaks: ['LIMIT-09'],
    options: { limiter: { countedAs: ({ caller, operation }) => `${caller.name} ${operation}` } },
    async wire(target) {
      await usedUpBy(target);
      expectOnWire((await create(target)).status === 201, 'a creation is admitted when listings are used up');
    },
  },
  {
    name: 'counted-by-method',
    title: 'Reading and writing have limits of their own',
    breaks: ['LIMIT-09'],
    options: {
      limiter: {
        countedAs: ({ caller, operation }) =>
          `${caller.name} ${operation === 'createPet' ? 'writes' : 'reads'}`,
      },
    },
    async wire(target) {
      await usedUpBy(target);
      expectOnWire((await create(target)).status === 201, 'a creation is admitted when listings are used up');
      expectOnWire(
        (await send(target, { path: '/pets/1' })).status === 429,
        'an animal is read from the same limit',
      );
    },
  },
  {
    name: 'creations-not-counted',
    title: 'Creations do not use the limit up',
    breaks: ['LIMIT-09'],
    options: { limiter: { uncounted: [201, 429] } },
    async wire(target) {
      await create(target);
      await create(target);
      await usedUpBy(target);
    },
  },
  {
    name: 'deprecated-operation-not-limited',
    title: 'The deprecated operation has been left out of the limiter',
    breaks: ['LIMIT-09'],
    options: around((limiter) => ({
      async take(call) {
        const decision = call.operation === 'getPet' ? undefined : await limiter.take(call);
        if (decision) return decision;
        const far = { limit: call.caller.perMinute, remaining: call.caller.perMinute, admitsAt: call.at };
        const standing = { ...far, resetsAt: (Math.floor(call.at / 60_000) + 1) * 60_000 };
        return {
          admitted: true,
          minute: standing,
          day: { ...standing, limit: call.caller.perDay, remaining: 1 },
        };
      },
      settle: (_call, decision) => decision,
    })),
    async wire(target) {
      await create(target);
      await useUp(target, target.perMinute);
      expectOnWire((await send(target)).status === 429, 'listings are limited');
      expectOnWire(
        (await send(target, { path: '/pets/1' })).status === 200,
        'an animal is served over the limit',
      );
    },
  },
  everyThirdLetThrough(),
  neverRefused('creations-never-refused', 'createPet', 'Creations use the limit up, and are never refused'),
  neverRefused('fetches-never-refused', 'getPet', 'The deprecated operation is counted, and never refused'),
  {
    name: 'creations-cost-two',
    title: 'A creation uses up two requests',
    breaks: ['LIMIT-09'],
    options: around((limiter) => ({
      async take(call) {
        const decision = await limiter.take(call);
        return decision.admitted && call.operation === 'createPet' ? limiter.take(call) : decision;
      },
    })),
    async wire(target) {
      await create(target);
      expectOnWire((await useUp(target)).served === target.perMinute - 2, 'two fewer are left');
    },
  },
  {
    name: 'counted-by-connection',
    title: 'The limit is counted for each connection',
    breaks: ['LIMIT-02', 'LIMIT-03', 'LIMIT-09'],
    options: { limiter: { countedAs: ({ caller, connection }) => `${caller.name} ${connection}` } },
    async wire(target) {
      const all = await Promise.all(Array.from({ length: target.perMinute + 20 }, () => send(target)));
      expectOnWire(
        all.every(({ status }) => status === 200),
        'a burst over many connections is served',
      );
    },
  },
  {
    name: 'counted-by-address',
    title: 'All keys of a client are counted together',
    breaks: ['LIMIT-08'],
    options: { limiter: { countedAs: () => 'everyone' } },
    async wire(target) {
      await usedUpBy(target);
      expectOnWire(
        (await send({ ...target, key: target.otherKey })).status === 429,
        'the other key is refused too',
      );
    },
  },
  {
    name: 'counted-for-everyone',
    title: 'One limit is shared by all keys that are known, strangers apart',
    breaks: ['LIMIT-08'],
    options: { limiter: { countedAs: ({ caller }) => (caller.name.includes(' ') ? 'nobody' : 'everyone') } },
    async wire(target) {
      await usedUpBy(target);
      expectOnWire(
        (await send({ ...target, key: target.otherKey })).status === 429,
        'the other key is refused too',
      );
    },
  },
];
