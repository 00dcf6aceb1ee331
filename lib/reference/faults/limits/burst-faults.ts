import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import type { Call, Decision, Limiter } from '../../limiter/limiter.js';
import type { ReferenceOptions } from '../../options.js';
import { create, expectOnWire, send } from '../wire.js';
import { breaksBitByBit, burst, exhaust, type LimitFault, type LimitWireTarget } from './limit-fault.js';
import { withLimiter } from './limiter-changes.js';

/**
 * Sends bursts until one shows what is looked for: on a machine that is busy elsewhere the requests of a burst may come
 * one by one.
 */
async function expectInBurst(
  target: LimitWireTarget,
  requests: number,
  shown: (admitted: number) => boolean,
  what: string,
): Promise<void> {
  // Connections first, by the other key: the server takes them in one by one.
  await burst({ ...target, key: target.otherKey }, requests);
  let admitted = 0;
  for (let tries = 0; tries < 4 && !shown(admitted); tries += 1) {
    admitted = (await burst(target, requests)).filter(({ status }) => status === 200).length;
    await target.wait(60_000);
  }
  expectOnWire(shown(admitted), `${what}: ${admitted}`);
  expectOnWire((await exhaust(target)).admitted === target.perMinute, 'in sequence the limit holds');
}

/** A limiter that decides otherwise about a request that comes while another one is being written. */
function withCollisions(
  decide: (limiter: Limiter, call: Call) => Decision | Promise<Decision>,
): ReferenceOptions {
  return withLimiter((limiter) => {
    let writing = 0;
    return {
      async take(call) {
        const alone = writing === 0;
        writing += 1;
        await delay(2);
        writing -= 1;
        return alone ? limiter.take(call) : decide(limiter, call);
      },
    };
  });
}

interface Race extends Pick<LimitFault, 'name' | 'title'> {
  readonly gap: () => Promise<void>;
}

/** Time passes between reading the count and raising it, so that requests of a burst read the same count. */
function race({ name, title, gap }: Race): LimitFault {
  return {
    name,
    title,
    breaks: ['LIMIT-03'],
    options: { limiter: { gap } },
    wire: (target) =>
      expectInBurst(
        target,
        target.perMinute + 20,
        (admitted) => admitted > target.perMinute,
        'more than the limit is admitted at once',
      ),
  };
}

/** Bugs that only requests at the same time show. */
export const burstFaults: readonly LimitFault[] = [
  race({
    name: 'racy-by-a-turn',
    title: 'The count is read and raised in two turns of the event loop',
    gap: () => nextTurn(),
  }),
  race({
    name: 'racy-by-a-millisecond',
    title: 'A request to a cache lies between reading the count and raising it',
    gap: () => delay(1),
  }),
  race({
    name: 'racy-by-five-milliseconds',
    title: 'A query to a database lies between reading the count and raising it',
    gap: () => delay(5),
  }),
  {
    name: 'creations-race',
    title: 'The count is read and raised apart for creations alone, around their transaction',
    breaks: ['LIMIT-03'],
    options: {
      limiter: { gap: ({ operation }) => (operation === 'createPet' ? delay(20) : undefined) },
    },
    async wire(target) {
      await burst({ ...target, key: target.otherKey }, 20);
      await exhaust(target, { most: target.perMinute - 1 });
      const creations = await Promise.all(Array.from({ length: 20 }, () => create(target)));
      expectOnWire(
        creations.filter(({ status }) => status === 201).length > 1,
        'more than one creation gets the last place',
      );
      expectOnWire((await send(target)).status === 429, 'listings are limited');
    },
  },
  {
    name: 'loses-requests-in-parallel',
    title: 'Requests that are counted at the same time overwrite each other, so that one of them counts',
    breaks: ['LIMIT-03'],
    options: withCollisions((limiter, call) => limiter.peek(call)),
    wire: (target) =>
      expectInBurst(
        target,
        target.perMinute + 20,
        (admitted) => admitted > target.perMinute,
        'more than the limit is admitted at once',
      ),
  },
  {
    name: 'counts-twice-in-parallel',
    title: 'A request whose write collides with another one is counted again by the retry',
    breaks: ['LIMIT-03'],
    options: withCollisions(async (limiter, call) => {
      const decision = await limiter.take(call);
      return decision.admitted ? limiter.take(call) : decision;
    }),
    wire: (target) =>
      expectInBurst(
        target,
        target.perMinute,
        (admitted) => admitted > 0 && admitted < target.perMinute * 0.9,
        'fewer than the limit are admitted at once',
      ),
  },
  {
    name: 'refuses-while-another-is-under-way',
    title: 'A lock on the counter rejects requests that come while it is held',
    breaks: ['LIMIT-03', 'LIMIT-06'],
    breaksUnder: breaksBitByBit('LIMIT-03'),
    options: withLimiter((limiter) => {
      let held = 0;
      return {
        async take(call) {
          const free = held < 5;
          held += 1;
          await delay(4);
          const decision = free ? await limiter.take(call) : undefined;
          held -= 1;
          if (decision) return decision;
          const { minute, day } = await limiter.take(call);
          return { admitted: false, minute, day };
        },
      };
    }),
    async wire(target) {
      const responses = await burst(target, target.perMinute);
      expectOnWire(
        responses.some(({ status }) => status === 429),
        'some are rejected within the limit',
      );
    },
  },
];
