import type {
  ExplanationPoint,
  ExplanationRecord,
  ExplanationWindow,
} from '../../evidence/record/explanation.js';
import type { RequirementResult } from '../../evidence/record/requirement-result.js';
import type { Observation } from '../history/observation.js';
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
  const twin = twinRooms(diagnosis);
  const candidates = new Set([best, ...rivals.slice(0, 1), ...conforming].slice(0, mostCandidates));
  return {
    behavesLike: behavesLike(diagnosis),
    conforming: diagnosis.deviation === undefined,
    candidates: [...candidates].map((one) => ({
      name: nameOf(one.hypothesis),
      conforming: one.hypothesis.deviation === undefined,
      cost: Math.round(one.total * 10) / 10,
      unexplained: unexplained(one),
    })),
    certificates,
    windows: windowsIn(diagnosis).map((window) => windowRecord(window, marked, twin)),
  };
}

/** The history in parts of about a window: a new one begins when a window has passed, or after a wait behind a rejection. */
function windowsIn({ best: { traced }, history: { windowMs } }: Diagnosis): Traced[][] {
  const windows: Traced[][] = [];
  for (const one of traced.toSorted((a, b) => a.burst.at[0] - b.burst.at[0])) {
    const current = windows.at(-1);
    const begin = current?.[0]?.burst.at[0] ?? Number.NEGATIVE_INFINITY;
    const last = current?.at(-1)?.burst;
    const waited =
      last?.observations.some(({ outcome }) => outcome === 'rejected') === true &&
      one.burst.at[0] - last.at[1] > windowMs / 60 &&
      one.burst.observations.some(({ outcome }) => outcome === 'admitted');
    if (!current || waited || one.burst.at[0] - begin >= windowMs) windows.push([one]);
    else current.push(one);
  }
  return windows;
}

type Rooms = ReadonlyMap<string, Traced['after']>;

/** What would remain after each request by the conforming limiter of the same kind; none if the explanation conforms. */
function twinRooms({ deviation, twin }: Diagnosis): Rooms {
  const traced = deviation ? twin.traced : [];
  return new Map(traced.flatMap(({ burst, after }) => burst.observations.map(({ id }) => [id, after])));
}

function windowRecord(
  window: readonly Traced[],
  marked: ReadonlySet<string>,
  twin: Rooms,
): ExplanationWindow {
  const begin = window[0]?.burst.at[0] ?? 0;
  const all = window.flatMap(({ burst }) => burst.observations);
  return {
    startedAt: new Date(begin).toISOString(),
    durationMs: rounded((window.at(-1)?.burst.at[1] ?? begin) - begin),
    phases: [...new Set(all.map(({ phase }) => phase).filter((phase) => phase !== ''))],
    points: window.flatMap(({ burst, after }) =>
      burst.observations.map((one) => {
        const conforming = twin.get(one.id);
        return {
          ...point(one, after, begin, marked),
          ...(conforming && { conforming: roundedRoom(conforming) }),
        };
      }),
    ),
  };
}

function point(
  observation: Observation,
  room: Traced['after'],
  begin: number,
  marked: ReadonlySet<string>,
): ExplanationPoint {
  const { id, sentAt, receivedAt, operation, outcome, status, headers } = observation;
  const shown = headers.period === 'minute' ? headers.remaining : undefined;
  return {
    id,
    sent: rounded(sentAt - begin),
    received: rounded(receivedAt - begin),
    operation,
    outcome,
    status,
    ...(shown !== undefined && { remaining: shown }),
    explained: roundedRoom(room),
    ...(marked.has(id) && { marked: true }),
  };
}

function roundedRoom([least, most]: Traced['after']): [number, number] {
  return [Math.max(0, rounded(least)), Math.max(0, rounded(most))];
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
