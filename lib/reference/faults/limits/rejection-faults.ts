import { setTimeout as delay } from 'node:timers/promises';
import type { Service } from '../../behaviour.js';
import { withBehaviour, withRefusals } from '../../changes.js';
import { withoutHeader, type ServiceRequest } from '../../http-message.js';
import { expectOnWire, listed, send, type WireRequest } from '../wire.js';
import { tooMany } from './admission-faults.js';
import { exhaust, type LimitFault, type LimitWireTarget } from './limit-fault.js';

const creation: WireRequest = {
  method: 'POST',
  body: '{"name":"Rex","categoryId":7,"status":"pending"}',
};

/** Stores the animal of a request that was rejected. */
function store(request: ServiceRequest, service: Service): void {
  const { parseBody, readBodyText, readNewPet } = service.behaviour;
  const newPet = readNewPet(parseBody(readBodyText(request)), service);
  const id = BigInt(1_000_000 + service.store.size);
  service.store.add({ ...newPet, id, createdAt: request.at });
}

/** Sends rejected creations at once, and expects so many animals of them. */
async function expectCreated(target: LimitWireTarget, creations: number, animals: number): Promise<void> {
  await exhaust(target, { most: target.perMinute });
  const responses = await Promise.all(Array.from({ length: creations }, () => send(target, creation)));
  expectOnWire(
    responses.every(({ status }) => status === 429),
    'the creations are rejected',
  );
  const { length } = await listed({ ...target, key: target.otherKey }, '?status=pending');
  expectOnWire(length === animals, `${animals} are listed: ${length}`);
}

interface AnotherStatus extends Pick<LimitFault, 'name' | 'title'> {
  readonly status: number;
}

/** A request over the limit is answered with another status than 429. */
function insteadOf429({ name, title, status }: AnotherStatus): LimitFault {
  return {
    name,
    title,
    breaks: ['LIMIT-02'],
    options: withRefusals(['rate-limited'], (response) => ({ ...response, status })),
    async wire(target) {
      expectOnWire(
        (await exhaust(target)).last.status === status,
        `the request over the limit gets ${status}`,
      );
    },
  };
}

/** Bugs in how a request over the limit is answered, and in what it leaves behind. */
export const rejectionFaults: readonly LimitFault[] = [
  insteadOf429({ name: '503-for-429', title: 'A request over the limit is answered with 503', status: 503 }),
  insteadOf429({ name: '403-for-429', title: 'A request over the limit is answered with 403', status: 403 }),
  insteadOf429({ name: '420-for-429', title: 'A request over the limit is answered with 420', status: 420 }),
  {
    name: 'nothing-for-429',
    title: 'The connection is cut when a request is over the limit',
    breaks: ['LIMIT-02'],
    options: withRefusals(['rate-limited'], (response) => ({ ...response, drop: true })),
    async wire(target) {
      await exhaust(target, { most: target.perMinute });
      const broken = await send(target).then(
        () => false,
        () => true,
      );
      expectOnWire(broken, 'the connection is cut');
    },
  },
  {
    name: '200-for-429',
    title: 'A request over the limit gets 200 and an Error body',
    breaks: tooMany,
    options: withRefusals(['rate-limited'], (response) => ({ ...response, status: 200 })),
    async wire(target) {
      const { last } = await exhaust(target);
      expectOnWire(
        last.status === 200 && last.text.includes('rate_limited'),
        'the Error body comes with 200',
      );
    },
  },
  {
    name: '429-still-creates',
    title: 'A creation over the limit is stored before it is rejected',
    breaks: ['LIMIT-07'],
    options: withBehaviour(({ refuse }) => ({
      refuse(refusal, request, service) {
        if (refusal.kind === 'rate-limited' && request.operation === 'createPet') store(request, service);
        return refuse(refusal, request, service);
      },
    })),
    wire: (target) => expectCreated(target, 1, 1),
  },
  {
    name: '429-creates-in-parallel',
    title:
      'Creations that are rejected at the same time are stored, as one transaction commits that of another',
    breaks: ['LIMIT-07'],
    options: withBehaviour(({ finish }) => {
      const open = new Set<ServiceRequest>();
      const stored = new Set<ServiceRequest>();
      return {
        async finish(response, request, service) {
          if (response.status !== 429 || request.operation !== 'createPet') {
            return finish(response, request, service);
          }
          open.add(request);
          await delay(10);
          if (open.size > 1) for (const one of open) stored.add(one);
          open.delete(request);
          if (stored.delete(request)) store(request, service);
          return finish(response, request, service);
        },
      };
    }),
    async wire(target) {
      await expectCreated(target, 1, 0);
      await expectCreated(target, 3, 3);
    },
  },
  {
    name: '429-creates-in-the-end',
    title: 'A creation over the limit is queued, and carried out later',
    breaks: ['LIMIT-07'],
    options: withBehaviour(({ refuse, order }) => {
      const queue: Array<() => void> = [];
      return {
        refuse(refusal, request, service) {
          if (refusal.kind === 'rate-limited' && request.operation === 'createPet') {
            queue.push(() => store(request, service));
          }
          return refuse(refusal, request, service);
        },
        order(animals, request) {
          for (const carryOut of queue.splice(0)) carryOut();
          return order(animals, request);
        },
      };
    }),
    wire: (target) => expectCreated(target, 1, 1),
  },
  {
    name: 'no-rate-headers-on-429',
    title: '429 carries Retry-After and none of the rate-limit headers',
    breaks: ['RATE-01', 'RATE-02', 'RATE-03'],
    options: withBehaviour(({ finish }) => ({
      async finish(response, request, service) {
        const finished = await finish(response, request, service);
        return finished.status === 429
          ? withoutHeader(finished, 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset')
          : finished;
      },
    })),
    async wire(target) {
      const { last } = await exhaust(target);
      expectOnWire(
        last.status === 429 && last.header('x-ratelimit-reset') === undefined,
        'no Reset on a 429',
      );
    },
  },
  {
    name: 'no-headers-at-all',
    title: 'The limiter limits, and no header says so',
    breaks: ['RATE-01', 'RATE-02', 'RATE-03', 'LIMIT-04'],
    severalCauses:
      'X-RateLimit headers and Retry-After are headers of their own, and mostly have defects of their own',
    options: withBehaviour(() => ({ rateHeaders: () => [] })),
    async wire(target) {
      const { admitted, last } = await exhaust(target);
      expectOnWire(
        admitted === target.perMinute && last.header('retry-after') === undefined,
        'limited without a header',
      );
    },
  },
];
