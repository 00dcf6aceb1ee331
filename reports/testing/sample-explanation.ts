import type { ExplanationRecord, ExplanationWindow } from '../../lib/evidence/record/measurements.js';
import { sampleStart } from './sample-exchanges.js';

/** A window of `sent` requests over `durationMs`, after a pause of five seconds, of which the first `admitted` are. */
function window(phase: string, durationMs: number, sent: number, admitted: number): ExplanationWindow {
  const points = Array.from({ length: sent }, (_, index): ExplanationWindow['points'][number] => {
    const at = 5_000 + (index * durationMs) / sent;
    const left = Math.max(0, 60 - index - 1);
    return {
      id: `e${index + 1}`,
      sent: at,
      received: at + 3 + (index % 5),
      outcome: index < admitted ? 'admitted' : 'rejected',
      remaining: left,
      explained: [left, Math.min(60, left + 1)],
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
    windows: [window('sequence', 30_000, 62, 60), window('burst', 900, 65, 61)],
  };
}
