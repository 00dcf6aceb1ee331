import type { ExplanationRecord, PlanMeasurement } from '../evidence/record/measurements.js';
import { isAdmitted, isRejected, remainingOf } from '../limits/history/history.js';
import { algorithmOf, behavesLike, nameOf, unexplained } from '../limits/judge/certificate.js';
import type { Explanation, Traced } from '../limits/judge/hypothesis.js';
import type { Diagnosis } from '../limits/judge/judge.js';
import type { LimitEvidence } from '../limits/limits-of-run.js';

/** What the record keeps of the limits. */
export function measurementOf({ facts, sent, ...judged }: LimitEvidence): PlanMeasurement {
  const { plan, caller, otherCaller, stopped, day } = facts;
  const { name, ...quota } = plan;
  const measured = { plan: name, ...quota, caller, otherCaller, stopped, day };
  // A run that counts the day alone has probed no minute that could be explained.
  if (!sent.some(({ phase }) => phase !== '')) return measured;
  const { diagnosis } = judged;
  return { ...measured, algorithm: algorithmOf(diagnosis), explanation: explanationRecord(diagnosis) };
}

/** Hypotheses that a reader may want to compare. */
const mostCandidates = 5;

/** What the record keeps of an explanation. */
export function explanationRecord(diagnosis: Diagnosis): ExplanationRecord {
  const { best, conforming, rivals } = diagnosis;
  // The cheapest of each name: more of them tell a reader nothing.
  const candidates = new Map<string, Explanation>();
  for (const one of [best, ...rivals.slice(0, 1), ...conforming]) {
    const name = nameOf(one.hypothesis);
    if (!candidates.has(name) && candidates.size < mostCandidates) candidates.set(name, one);
  }
  return {
    behavesLike: behavesLike(diagnosis),
    conforming: diagnosis.deviation === undefined,
    candidates: Array.from(candidates, ([name, one]) => ({
      name,
      conforming: one.hypothesis.deviation === undefined,
      cost: Math.round(one.total * 10) / 10,
      unexplained: unexplained(one),
    })),
    windows: windowsIn(diagnosis),
  };
}

/**
 * The history in parts of about a window, with what would remain by the conforming limiter of the kind that is named: a new
 * part begins when a window has passed, or after a wait behind a rejection.
 */
function windowsIn({ twin, history: { windowMs } }: Diagnosis): ExplanationRecord['windows'] {
  const windows: Traced[][] = [];
  let begin = Number.NEGATIVE_INFINITY;
  let last: Traced['burst'] | undefined;
  for (const one of twin.traced) {
    const { at, observations } = one.burst;
    const isWaited = last?.observations.some(isRejected) && at[0] - last.at[1] > windowMs / 60;
    if (at[0] - begin >= windowMs || (isWaited && observations.some(isAdmitted))) {
      windows.push([]);
      begin = at[0];
    }
    windows.at(-1)?.push(one);
    last = one.burst;
  }
  return windows.map((window) => {
    const [from = 0, to = 0] = [window[0]?.burst.at[0], window.at(-1)?.burst.at[1]];
    const phases = window.flatMap(({ burst }) => burst.observations.map(({ phase }) => phase));
    return {
      startedAt: new Date(from).toISOString(),
      durationMs: rounded(to - from),
      phases: [...new Set(phases)].filter((phase) => phase !== ''),
      points: window.flatMap(({ burst, after: [least, most] }) =>
        burst.observations.map((one) => ({
          id: one.id,
          sent: rounded(one.sentAt - from),
          received: rounded(one.receivedAt - from),
          outcome: one.outcome,
          remaining: remainingOf(one),
          explained: [Math.max(0, rounded(least)), Math.max(0, rounded(most))],
        })),
      ),
    };
  });
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
