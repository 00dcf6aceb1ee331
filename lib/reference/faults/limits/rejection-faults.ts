import type { Service } from '../../behaviour.js';
import { withBehaviour, withRefusals } from '../../changes.js';
import { withoutHeader, type ServiceRequest } from '../../http-message.js';
import { tooMany } from './admission-faults.js';
import type { LimitFault } from './limit-fault.js';

/** Stores the animal of a request that was rejected. */
function store(request: ServiceRequest, service: Service): void {
  const { parseBody, readBodyText, readNewPet } = service.behaviour;
  const newPet = readNewPet(parseBody(readBodyText(request)), service);
  const id = BigInt(1_000_000 + service.store.size);
  service.store.add({ ...newPet, id, createdAt: request.at });
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
  };
}

/** Bugs in how a request over the limit is answered, and in what it leaves behind. */
export const rejectionFaults: readonly LimitFault[] = [
  insteadOf429({ name: '503-for-429', title: 'A request over the limit is answered with 503', status: 503 }),
  insteadOf429({ name: '403-for-429', title: 'A request over the limit is answered with 403', status: 403 }),
  {
    name: 'nothing-for-429',
    title: 'The connection is cut when a request is over the limit',
    breaks: ['LIMIT-02'],
    options: withRefusals(['rate-limited'], (response) => ({ ...response, drop: true })),
  },
  {
    name: '200-for-429',
    title: 'A request over the limit gets 200 and an Error body',
    breaks: tooMany,
    options: withRefusals(['rate-limited'], (response) => ({ ...response, status: 200 })),
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
  },
  {
    name: 'no-headers-at-all',
    title: 'The limiter limits, and no header says so',
    breaks: ['RATE-01', 'RATE-02', 'RATE-03', 'LIMIT-04'],
    options: withBehaviour(() => ({ rateHeaders: () => [] })),
  },
];
