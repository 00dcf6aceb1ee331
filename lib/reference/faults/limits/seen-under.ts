import type { RequirementId } from '../../../specification/catalogue.js';
import type { AlgorithmName } from '../../limiter/algorithms.js';
import type { ConditionName } from '../../variants/limit-conditions.js';

interface Seen {
  readonly why: string;
  /** By the name of the fault, ids that may turn or not. One that the fault does not break is a defect of the suite. */
  readonly uncertain?: Readonly<Record<string, readonly RequirementId[]>>;
  /** Faults of which nothing needs to turn. */
  readonly unseen?: readonly string[];
}

/** What circumstances hide of faults, or make of them, beyond what they hide of every fault. */
export const seenUnder: Readonly<Partial<Record<AlgorithmName | ConditionName, Seen>>> = {
  'fixed-window-from-first-request': {
    why: 'A creation may have opened the window that is asked about; Remaining that is short once may be other clients.',
    uncertain: { 'creations-limited-to-ten': ['LIMIT-06'] },
    unseen: ['restored-by-five-less-each-time'],
  },
  'sliding-counter': {
    why: 'A counter has fractions, so that one more or less is rounding, and carries over what it counted wrongly.',
    uncertain: {
      'counts-written-once-a-second': ['LIMIT-04', 'LIMIT-14'],
      // Nodes by connection explain as much, and their Remaining would be wrong, too.
      'emptied-by-a-rejection': ['RATE-05'],
      'window-of-two-minutes': ['LIMIT-01', 'LIMIT-14'],
    },
    unseen: ['limit-one-less', 'limit-with-reserve', 'remaining-before-the-request'],
  },
  'token-bucket': {
    why: 'A bucket has fractions, so that one more or less is rounding, and asks for short waits, whatever its pace.',
    uncertain: {
      'held-three-seconds-longer': ['LIMIT-14'],
      // Tokens that came back too soon look like a second limit at the time of the rejections.
      'window-of-fifty-five-seconds': ['LIMIT-01', 'LIMIT-02', 'LIMIT-03', 'LIMIT-09', 'RATE-05'],
    },
    unseen: ['remaining-before-the-request'],
  },
  jitter: {
    why: 'The order of responses, and so their counts, is less certain, and a moment later is late enough.',
    uncertain: {
      'counts-written-once-a-second': ['LIMIT-14'],
      'renewed-by-every-request-unannounced': ['LIMIT-01'],
    },
    unseen: ['retry-after-rounded-down', 'retry-after-rounded-to-the-nearest-second'],
  },
  'other-client': {
    why: 'Another client may have used what is missing, or opened a window.',
    uncertain: {
      'limit-halved': ['LIMIT-14'],
      'limit-one-more': ['LIMIT-02', 'LIMIT-03', 'LIMIT-09', 'RATE-05'],
      'small-burst': ['RATE-05'],
      'half-a-minute-unannounced': ['LIMIT-03', 'LIMIT-09'],
      'limit-of-a-smaller-plan': ['LIMIT-05', 'LIMIT-14'],
      'refuses-while-another-is-under-way': ['LIMIT-03'],
      'creations-limited-to-ten': ['LIMIT-03', 'LIMIT-09'],
      'remaining-never-restored': ['LIMIT-03'],
      'window-of-fifteen-seconds': ['LIMIT-02', 'RATE-05'],
      'window-of-forty-five-seconds': ['LIMIT-02', 'RATE-05'],
      'window-of-fifty-five-seconds': ['LIMIT-02', 'RATE-05'],
      'begun-anew-by-each-429': ['LIMIT-05'],
      'rejections-charged-to-the-next-window': ['LIMIT-05'],
      'no-headers-at-all': ['LIMIT-03', 'LIMIT-14'],
    },
    unseen: [
      'refuses-while-another-is-under-way',
      'ten-in-ten-seconds',
      'limit-one-less',
      'limit-with-reserve',
      'counts-twice-in-parallel',
      'remaining-never-restored',
      'renewed-by-every-request',
      'renewed-by-every-request-unannounced',
    ],
  },
  'no-remaining': {
    why: 'Nothing shows what is left of a window, so that another algorithm, or another counter, explains much.',
    uncertain: {
      'ten-a-second': ['LIMIT-06'],
      'ten-in-ten-seconds': ['LIMIT-03', 'LIMIT-09'],
      'half-a-minute-unannounced': ['LIMIT-02', 'LIMIT-03'],
      'counts-written-once-a-second': ['LIMIT-14'],
      'refuses-while-another-is-under-way': ['LIMIT-06'],
      'counted-by-connection': ['LIMIT-02', 'LIMIT-03'],
      'creations-not-counted': ['LIMIT-02', 'LIMIT-03'],
      'restored-by-ten': ['LIMIT-03', 'LIMIT-14'],
      'renewed-by-every-request-unannounced': ['LIMIT-01'],
    },
    unseen: [
      'thirty-in-ten-seconds',
      'window-of-fifteen-seconds',
      'half-a-minute',
      'rejections-charged-to-the-next-window',
    ],
  },
  'no-date': {
    why: 'By an unknown clock windows may end at any moment.',
    uncertain: { 'doubled-by-a-429': ['LIMIT-01'] },
    unseen: ['renewed-by-every-request-and-429'],
  },
  'no-reset': {
    why: 'No Reset contradicts windows at other moments.',
    uncertain: {
      'begun-anew-by-each-429': ['LIMIT-01'],
      'doubled-by-a-429': ['LIMIT-01'],
    },
    unseen: ['renewed-by-every-request-and-429'],
  },
};
