import type { OperationName } from '../../http-message.js';
import { hasKey } from '../../limiter/limiter.js';
import { create, expectOnWire, send, type WireRequest } from '../wire.js';
import { tooMany } from './admission-faults.js';
import { breaksBitByBit, exhaust, type LimitFault, type LimitWireTarget } from './limit-fault.js';
import { withLimiter, withSecondLimit } from './limiter-changes.js';

const creation: WireRequest = {
  method: 'POST',
  body: '{"name":"Rex","categoryId":7,"status":"available"}',
};
const requestOf = {
  listPets: { path: '/pets?limit=1' },
  createPet: creation,
  getPet: { path: '/pets/1' },
} as const satisfies Record<OperationName, WireRequest>;

interface OfOperation extends Pick<LimitFault, 'name' | 'title'> {
  readonly operation: 'createPet' | 'getPet';
}

/** An operation is counted, and admitted even when the limit is exhausted. */
function neverRejected({ name, title, operation }: OfOperation): LimitFault {
  return {
    name,
    title,
    breaks: ['LIMIT-09'],
    options: withLimiter((limiter) => ({
      async take(call) {
        const decision = await limiter.take(call);
        return call.operation === operation ? { ...decision, admitted: true } : decision;
      },
    })),
    async wire(target) {
      await create(target);
      expectOnWire((await exhaust(target)).last.status === 429, 'listings are limited');
      expectOnWire(
        (await send(target, requestOf[operation])).status < 300,
        `${operation} is admitted over it`,
      );
      expectOnWire((await send(target)).status === 429, 'listings are rejected');
    },
  };
}

interface Costly extends OfOperation {
  /** How much of the limit one request uses. */
  readonly cost: number;
}

/** A request of an operation uses more of the limit than one. */
function costly({ name, title, operation, cost }: Costly): LimitFault {
  return {
    name,
    title,
    breaks: ['RATE-05', 'LIMIT-09'],
    options: withLimiter((limiter) => ({
      async take(call) {
        let decision = await limiter.take(call);
        if (call.operation !== operation) return decision;
        for (let charged = 1; charged < cost && decision.admitted; charged += 1) {
          decision = await limiter.take(call);
        }
        return decision;
      },
    })),
    async wire(target) {
      await create({ ...target, key: target.otherKey });
      await send(target, requestOf[operation]);
      const { admitted } = await exhaust(target);
      expectOnWire(admitted === target.perMinute - cost, `${cost} fewer are left: ${admitted}`);
    },
  };
}

async function exhausted(target: LimitWireTarget): Promise<void> {
  expectOnWire((await exhaust(target)).admitted === target.perMinute, 'listings are limited');
}

/** Bugs in how much of the one limit a request uses, by its operation: LIMIT-09. */
export const costFaults: readonly LimitFault[] = [
  {
    name: 'creations-not-counted',
    title: 'Creations use nothing of the limit',
    breaks: ['RATE-05', 'LIMIT-09'],
    options: { limiter: { uncounted: [201, 429] } },
    async wire(target) {
      await create(target);
      await create(target);
      await exhausted(target);
    },
  },
  {
    name: 'deprecated-operation-not-limited',
    title: 'The deprecated operation has been left out of the limiter',
    breaks: ['RATE-05', 'LIMIT-09'],
    options: withLimiter((limiter) => ({
      take: (call) =>
        call.operation === 'getPet' ? { ...limiter.peek(call), admitted: true } : limiter.take(call),
      finishCall: (call, decision, status) =>
        call.operation === 'getPet' ? decision : limiter.finishCall(call, decision, status),
    })),
    async wire(target) {
      await create(target);
      await exhaust(target, { most: target.perMinute });
      expectOnWire((await send(target)).status === 429, 'listings are limited');
      expectOnWire(
        (await send(target, requestOf.getPet)).status === 200,
        'getPet is admitted over the limit',
      );
    },
  },
  neverRejected({
    name: 'creations-never-refused',
    title: 'Creations use up the limit, and are never rejected',
    operation: 'createPet',
  }),
  neverRejected({
    name: 'fetches-never-refused',
    title: 'The deprecated operation is counted, and never rejected',
    operation: 'getPet',
  }),
  costly({
    name: 'creations-cost-two',
    title: 'A creation uses two requests of the limit',
    operation: 'createPet',
    cost: 2,
  }),
  costly({
    name: 'creations-cost-five',
    title: 'A creation uses five requests of the limit, as a write has a weight',
    operation: 'createPet',
    cost: 5,
  }),
  costly({
    name: 'fetches-cost-three',
    title: 'A request of the deprecated operation uses three requests of the limit',
    operation: 'getPet',
    cost: 3,
  }),
  {
    name: 'creations-limited-to-ten',
    title: 'Creations have a limit of ten a minute beside that of the plan',
    breaks: ['LIMIT-03', 'LIMIT-06', 'LIMIT-09'],
    breaksUnder: breaksBitByBit('LIMIT-03', 'LIMIT-09'),
    options: withSecondLimit({
      requests: 10,
      windowMs: 60_000,
      matches: ({ operation }) => operation === 'createPet',
    }),
    async wire(target) {
      const { admitted } = await exhaust(target, { request: creation });
      expectOnWire(admitted === 10, `ten creations are admitted: ${admitted}`);
      expectOnWire((await send(target)).status === 200, 'a listing is admitted');
    },
  },
  {
    name: 'rejected-creation-gives-one-back',
    title:
      'A creation that is rejected gives a request back that it never took, as its transaction is undone',
    breaks: tooMany,
    options: withLimiter((limiter) => ({
      async take(call) {
        const decision = await limiter.take(call);
        if (!decision.admitted && call.operation === 'createPet' && hasKey(call)) limiter.giveBack(call);
        return decision;
      },
    })),
    async wire(target) {
      await exhausted(target);
      expectOnWire((await send(target, creation)).status === 429, 'the creation is rejected');
      expectOnWire((await send(target)).status === 200, 'the next listing is admitted');
    },
  },
];
