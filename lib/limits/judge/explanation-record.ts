import type { ExplanationRecord, ExplanationWindow } from '../../evidence/record/measurements.js';
import { isAdmitted, isRejected } from '../history/observation.js';
import { behavesLike, nameOf, unexplained } from './certificate.js';
import type { Traced } from './hypothesis.js';
import type { Diagnosis } from './judge.js';

/** Hypotheses that a reader may want to compare. */
const mostCandidates = 5;

/** What the record keeps of an explanation. */
export function explanationRecord(diagnosis: Diagnosis): ExplanationRecord {
  const { best, conforming, rivals } = diagnosis;
  const all = [best, ...rivals.slice(0, 1), ...conforming];
  const names = all.map(({ hypothesis }) => nameOf(hypothesis));
  // The cheapest of each name: more of them tell a reader nothing.
  const candidates = all.filter((_one, index) => names.indexOf(names[index] ?? '') === index);
  return {
    behavesLike: behavesLike(diagnosis),
    conforming: diagnosis.deviation === undefined,
    candidates: candidates.slice(0, mostCandidates).map((one) => ({
      name: nameOf(one.hypothesis),
      conforming: one.hypothesis.deviation === undefined,
      cost: Math.round(one.total * 10) / 10,
      unexplained: unexplained(one),
    })),
    windows: windowsIn(diagnosis).map(windowRecord),
  };
}

/**
 * The history in parts of about a window, with what would remain by the conforming limiter of the kind that is named: a new
 * part begins when a window has passed, or after a wait behind a rejection.
 */
function windowsIn({ twin: { traced }, history: { windowMs } }: Diagnosis): Traced[][] {
  const windows: Traced[][] = [];
  for (const one of traced) {
    const current = windows.at(-1);
    const begin = current?.[0]?.burst.at[0] ?? Number.NEGATIVE_INFINITY;
    const last = current?.at(-1)?.burst;
    const waited =
      last?.observations.some(isRejected) === true &&
      one.burst.at[0] - last.at[1] > windowMs / 60 &&
      one.burst.observations.some(isAdmitted);
    if (!current || waited || one.burst.at[0] - begin >= windowMs) windows.push([one]);
    else current.push(one);
  }
  return windows;
}

function windowRecord(window: readonly Traced[]): ExplanationWindow {
  const begin = window[0]?.burst.at[0] ?? 0;
  const all = window.flatMap(({ burst }) => burst.observations);
  return {
    startedAt: new Date(begin).toISOString(),
    durationMs: rounded((window.at(-1)?.burst.at[1] ?? begin) - begin),
    phases: [...new Set(all.map(({ phase }) => phase).filter((phase) => phase !== ''))],
    points: window.flatMap(({ burst, after: [least, most] }) =>
      burst.observations.map(({ id, sentAt, receivedAt, outcome, headers }) => ({
        id,
        sent: rounded(sentAt - begin),
        received: rounded(receivedAt - begin),
        outcome,
        ...(headers.period === 'minute' && { remaining: headers.remaining }),
        explained: [Math.max(0, rounded(least)), Math.max(0, rounded(most))],
      })),
    ),
  };
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
