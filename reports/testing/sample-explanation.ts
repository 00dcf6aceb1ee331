import type {
  ExplanationPoint,
  ExplanationRecord,
  ExplanationWindow,
} from '../../lib/evidence/record/measurements.js';
import { sampleStart } from './sample-exchanges.js';

const operations = ['listPets', 'getPet', 'createPet'] as const;

/** A window of `sent` requests over `durationMs`, after a pause of five seconds, of which the first `admitted` are. */
function window(phase: string, durationMs: number, sent: number, admitted: number): ExplanationWindow {
  const points = Array.from({ length: sent }, (_, index): ExplanationPoint => {
    const at = 5_000 + (index * durationMs) / sent;
    const left = Math.max(0, 60 - index - 1);
    return {
      id: `e${index + 1}`,
      sent: at,
      received: at + 3 + (index % 5),
      operation: operations[index % 3] ?? null,
      outcome: index < admitted ? 'admitted' : 'rejected',
      status: index < admitted ? 200 : 429,
      remaining: left,
      explained: [left, Math.min(60, left + 1)],
      ...(admitted > 60 && (index === 0 || index === admitted - 1) && { marked: true }),
    };
  });
  const startedAt = new Date(sampleStart).toISOString();
  return { startedAt, durationMs: 60_000, phases: [phase], points };
}

/** What explains a limiter that admits 61 in a burst. */
export function sampleExplanation(): ExplanationRecord {
  return {
    behavesLike: 'a fixed window of 60 in 60 s that admits one more under concurrency',
    conforming: false,
    candidates: [
      {
        name: 'a fixed window of 60 in 60 s that admits one more under concurrency',
        conforming: false,
        cost: 2,
        unexplained: [],
      },
      {
        name: 'a fixed window of 60 in 60 s',
        conforming: true,
        cost: 20,
        unexplained: ['61 requests admitted in one window'],
      },
    ],
    certificates: [
      {
        requirement: 'LIMIT-03',
        sentence:
          'From e1 to e61, 61 requests were admitted within 0.9 s; a limit of 60 a minute admits at most 60.',
        exchanges: ['e1', 'e16'],
      },
    ],
    windows: [window('sequence', 30_000, 62, 60), window('burst', 900, 65, 61)],
  };
}
