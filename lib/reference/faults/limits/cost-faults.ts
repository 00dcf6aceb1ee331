import type { LimitFault } from './limit-fault.js';
import { withLimiter, withSecondLimit } from './limiter-changes.js';

/** Bugs in how much of the one limit a request uses, by its operation: LIMIT-09. */
export const costFaults: readonly LimitFault[] = [
  {
    name: 'creations-not-counted',
    title: 'Creations use nothing of the limit',
    breaks: ['RATE-05', 'LIMIT-09'],
    options: { limiter: { uncounted: [201, 429] } },
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
  },
  {
    name: 'creations-never-refused',
    title: 'Creations use up the limit, and are never rejected',
    breaks: ['LIMIT-09'],
    options: withLimiter((limiter) => ({
      async take(call) {
        const decision = await limiter.take(call);
        return call.operation === 'createPet' ? { ...decision, admitted: true } : decision;
      },
    })),
  },
  {
    name: 'creations-cost-five',
    title: 'A creation uses five requests of the limit, as a write has a weight',
    breaks: ['RATE-05', 'LIMIT-09'],
    group: 'too few',
    options: withLimiter((limiter) => ({
      async take(call) {
        let decision = await limiter.take(call);
        const cost = call.operation === 'createPet' ? 5 : 1;
        for (let charged = 1; charged < cost && decision.admitted; charged += 1)
          decision = await limiter.take(call);
        return decision;
      },
    })),
  },
  {
    name: 'creations-limited-to-ten',
    title: 'Creations have a limit of ten a minute beside that of the plan',
    breaks: ['LIMIT-03', 'LIMIT-06', 'LIMIT-09'],
    group: 'too few',
    options: withSecondLimit({
      requests: 10,
      windowMs: 60_000,
      matches: ({ operation }) => operation === 'createPet',
    }),
  },
];
