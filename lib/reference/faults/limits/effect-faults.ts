import { withBehaviour } from '../../changes.js';
import { withoutHeader } from '../../http-message.js';
import { Refusal } from '../../operations/refusal.js';
import { listed, send, expectOnWire } from '../wire.js';
import { useUp, type LimitFault } from './limit-fault.js';

const body = '{"name":"Rex","categoryId":7,"status":"pending"}';

/** Refuses a creation over the limit, after it has been kept. */
const keptAllTheSame = withBehaviour(({ refuse, parseBody, readNewPet, readBodyText }) => ({
  refuse(refusal, request, service) {
    if (refusal.kind === 'rate-limited' && request.operation === 'createPet') {
      const newPet = readNewPet(parseBody(readBodyText(request)), service);
      const id = BigInt(1_000_000 + service.store.size);
      service.store.add({ ...newPet, id, createdAt: request.at });
    }
    return refuse(refusal, request, service);
  },
}));

export const effectFaults: readonly LimitFault[] = [
  {
    name: '429-still-creates',
    title: 'A creation over the limit is kept before it is refused',
    breaks: ['LIMIT-07'],
    options: keptAllTheSame,
    async wire(target) {
      await useUp(target, target.perMinute);
      expectOnWire((await send(target, { method: 'POST', body })).status === 429, 'the creation is refused');
      expectOnWire(
        (await listed({ ...target, key: target.otherKey }, '?status=pending')).length === 1,
        'and listed',
      );
    },
  },
  {
    name: '429-creates-in-the-end',
    title: 'A creation over the limit is queued, and carried out later',
    breaks: ['LIMIT-07'],
    options: withBehaviour(({ refuse, order, parseBody, readNewPet, readBodyText }) => {
      const queue: Array<() => void> = [];
      return {
        refuse(refusal: Refusal, request, service) {
          if (refusal.kind === 'rate-limited' && request.operation === 'createPet') {
            queue.push(() => {
              const newPet = readNewPet(parseBody(readBodyText(request)), service);
              service.store.add({
                ...newPet,
                id: BigInt(2_000_000 + service.store.size),
                createdAt: request.at,
              });
            });
          }
          return refuse(refusal, request, service);
        },
        order(store, request) {
          for (const carryOut of queue.splice(0)) carryOut();
          return order(store, request);
        },
      };
    }),
    async wire(target) {
      await useUp(target, target.perMinute);
      expectOnWire((await send(target, { method: 'POST', body })).status === 429, 'the creation is refused');
      expectOnWire(
        (await listed({ ...target, key: target.otherKey }, '?status=pending')).length === 1,
        'and listed',
      );
    },
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
      const { last } = await useUp(target);
      expectOnWire(last.status === 429 && last.header('x-ratelimit-reset') === undefined, 'no Reset on 429');
    },
  },
  {
    name: 'no-headers-at-all',
    title: 'The limiter limits and tells nothing',
    breaks: ['LIMIT-04', 'RATE-01', 'RATE-02', 'RATE-03'],
    options: withBehaviour(() => ({ rateHeaders: () => [] })),
    async wire(target) {
      const { served, last } = await useUp(target);
      expectOnWire(
        served === target.perMinute && last.header('retry-after') === undefined,
        'limited without a header',
      );
    },
  },
];
