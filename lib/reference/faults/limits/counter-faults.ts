import { hasKey, type Call } from '../../limiter/limiter.js';
import { create, expectOnWire, send } from '../wire.js';
import { tooMany } from './admission-faults.js';
import { burst, exhaust, type LimitFault, type LimitWireTarget } from './limit-fault.js';
import { withLimiter, withMinuteCounter } from './limiter-changes.js';

async function exhausted(target: LimitWireTarget): Promise<void> {
  expectOnWire((await exhaust(target)).admitted === target.perMinute, 'listings are limited');
}

async function expectOtherKeyRejected(target: LimitWireTarget): Promise<void> {
  await exhausted(target);
  expectOnWire((await send({ ...target, key: target.otherKey })).status === 429, 'the other key is rejected');
}

/** Bugs in what is counted together: one counter too many, or one too few. */
export const counterFaults: readonly LimitFault[] = [
  {
    name: 'counted-by-operation',
    title: 'Each operation has a limit of its own',
    breaks: ['RATE-05', 'LIMIT-09'],
    options: { limiter: { countedAs: ({ caller, operation }) => `${caller.name} ${operation}` } },
    async wire(target) {
      await exhausted(target);
      expectOnWire((await create(target)).status === 201, 'a creation is admitted behind exhausted listings');
    },
  },
  {
    name: 'counted-by-method',
    title: 'Reading and writing have limits of their own',
    breaks: ['RATE-05', 'LIMIT-09'],
    options: {
      limiter: {
        countedAs: ({ caller, operation }) =>
          `${caller.name} ${operation === 'createPet' ? 'writes' : 'reads'}`,
      },
    },
    async wire(target) {
      await exhausted(target);
      expectOnWire((await create(target)).status === 201, 'a creation is admitted behind exhausted listings');
      expectOnWire(
        (await send(target, { path: '/pets/1' })).status === 429,
        'an animal is read from the same limit',
      );
    },
  },
  {
    name: 'counted-by-path',
    title: 'Each path has a limit of its own, so that each animal has one',
    breaks: ['RATE-05', 'LIMIT-09'],
    options: {
      limiter: { countedAs: ({ caller, path }) => `${caller.name} ${path.split('?')[0]}` },
    },
    async wire(target) {
      await create(target);
      await exhaust(target, { most: target.perMinute - 1 });
      expectOnWire((await create(target)).status === 429, 'creations and listings share a path');
      expectOnWire((await send(target, { path: '/pets/1' })).status === 200, 'getPet is still admitted');
    },
  },
  {
    name: 'counted-by-connection',
    title: 'The limit is counted for each connection',
    breaks: ['RATE-05', ...tooMany],
    options: { limiter: { countedAs: ({ caller, connection }) => `${caller.name} ${connection}` } },
    async wire(target) {
      const responses = await burst(target, target.perMinute + 20);
      expectOnWire(
        responses.every(({ status }) => status === 200),
        'a burst over many connections is admitted',
      );
    },
  },
  {
    name: 'workers-count-apart',
    title: 'Two workers take requests by turns, and each counts only its own',
    breaks: ['RATE-05', ...tooMany],
    options: withLimiter((limiter) => {
      const turns = new Map<string, number>();
      const callsOfWorkers = new WeakMap<Call, Call>();
      /** The call as the worker sees it that takes it: under a name that the other one does not use. */
      const ofWorker = (call: Call): Call => {
        const known = callsOfWorkers.get(call);
        if (known) return known;
        const { caller } = call;
        const turn = turns.get(caller.name) ?? 0;
        turns.set(caller.name, turn + 1);
        const seen = { ...call, caller: { ...caller, name: `${caller.name}#${turn % 2}` } };
        callsOfWorkers.set(call, seen);
        return seen;
      };
      return {
        take: (call) => limiter.take(ofWorker(call)),
        peek: (call) => limiter.peek(ofWorker(call)),
        giveBack: (call) => limiter.giveBack(ofWorker(call)),
        finishCall: (call, decision, status) => limiter.finishCall(ofWorker(call), decision, status),
      };
    }),
    async wire(target) {
      const { admitted } = await exhaust(target, { most: 3 * target.perMinute });
      expectOnWire(admitted === 2 * target.perMinute, `twice the limit is admitted: ${admitted}`);
    },
  },
  {
    name: 'counts-written-once-a-second',
    title: 'Counts are collected, and reach the store once a second',
    // What one window collected is charged to the next one.
    breaks: ['RATE-05', ...tooMany, 'LIMIT-14'],
    options: withMinuteCounter((fresh) => {
      const store = fresh();
      let collected = 0;
      let written = Number.NEGATIVE_INFINITY;
      const write = (at: number): void => {
        if (at < written + 1_000) return;
        for (; collected > 0; collected -= 1) store.count(at);
        written = at;
      };
      return {
        standing(at) {
          write(at);
          return store.standing(at);
        },
        count(at) {
          write(at);
          collected += 1;
        },
        giveBack(at) {
          if (collected > 0) collected -= 1;
          else store.giveBack(at);
        },
      };
    }),
    async wire(target) {
      const { admitted } = await exhaust(target, { most: 2 * target.perMinute });
      expectOnWire(admitted > target.perMinute, `more than the limit is admitted in a second: ${admitted}`);
    },
  },
  {
    name: 'counted-by-address',
    title: 'All keys of a client are counted together',
    breaks: ['LIMIT-08'],
    options: { limiter: { countedAs: () => 'everyone' } },
    wire: expectOtherKeyRejected,
  },
  {
    name: 'counted-for-everyone',
    title: 'One limit is shared by all valid keys',
    breaks: ['LIMIT-08'],
    options: { limiter: { countedAs: (call) => (hasKey(call) ? 'everyone' : 'nobody') } },
    wire: expectOtherKeyRejected,
  },
  {
    name: 'counted-by-the-beginning-of-the-key',
    title: 'Keys are counted by their first five characters, which all keys have in common',
    breaks: ['LIMIT-08'],
    options: { limiter: { countedAs: (call) => (hasKey(call) ? call.caller.name.slice(0, 5) : 'nobody') } },
    wire: expectOtherKeyRejected,
  },
  {
    name: 'all-keys-rejected-while-one-is-over',
    title: 'While one key is over its limit, every key is rejected',
    breaks: ['LIMIT-08'],
    options: withLimiter((limiter) => {
      let until = Number.NEGATIVE_INFINITY;
      return {
        async take(call) {
          if (!hasKey(call)) return limiter.take(call);
          const decision = limiter.peek(call);
          if (decision.admitted && call.at < until) {
            return { ...decision, admitted: false, minute: { ...decision.minute, admitsAt: until } };
          }
          if (!decision.admitted) until = decision.minute.admitsAt;
          return limiter.take(call);
        },
      };
    }),
    wire: expectOtherKeyRejected,
  },
];
