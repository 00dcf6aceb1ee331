import type { ExplanationRecord, ExplanationWindow } from '../../evidence/record/measurements.js';
import type { RequirementResult } from '../../evidence/record/requirement-result.js';
import { isAdmitted, isRejected } from '../history/observation.js';
import { behavesLike, nameOf, unexplained } from './certificate.js';
import type { Traced } from './hypothesis.js';
import type { Diagnosis } from './judge.js';

/** Hypotheses that a reader may want to compare. */
const mostCandidates = 5;

/** What the record keeps of an explanation. @param results those that failed are the certificates */
export function explanationRecord(
  diagnosis: Diagnosis,
  results: readonly RequirementResult[],
): ExplanationRecord {
  const certificates = results.flatMap(({ id, verdict, findings }) =>
    verdict === 'fail' || verdict === 'warn'
      ? findings.slice(0, 2).map(({ message, exchanges }) => ({
          requirement: id,
          sentence: message,
          exchanges: [...exchanges],
        }))
      : [],
  );
  const marked = new Set(certificates.flatMap(({ exchanges }) => exchanges));
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
    certificates,
    windows: windowsIn(diagnosis).map((window) => windowRecord(window, marked)),
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

function windowRecord(window: readonly Traced[], marked: ReadonlySet<string>): ExplanationWindow {
  const begin = window[0]?.burst.at[0] ?? 0;
  const all = window.flatMap(({ burst }) => burst.observations);
  return {
    startedAt: new Date(begin).toISOString(),
    durationMs: rounded((window.at(-1)?.burst.at[1] ?? begin) - begin),
    phases: [...new Set(all.map(({ phase }) => phase).filter((phase) => phase !== ''))],
    points: window.flatMap(({ burst, after: [least, most] }) =>
      burst.observations.map(({ id, sentAt, receivedAt, operation, outcome, status, headers }) => ({
        id,
        sent: rounded(sentAt - begin),
        received: rounded(receivedAt - begin),
        operation,
        outcome,
        status,
        ...(headers.period === 'minute' && { remaining: headers.remaining }),
        explained: [Math.max(0, rounded(least)), Math.max(0, rounded(most))],
        ...(marked.has(id) && { marked: true }),
      })),
    ),
  };
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
