import type { PlanMeasurement } from '../../../lib/record/record.js';

type Phase = PlanMeasurement['phases'][number];

/** One answer of a limit run; `seconds` since the plan's first phase began. */
export interface TimelinePoint {
  /** Which of the timeline's phases it belongs to. */
  readonly phase: number;
  readonly seconds: number;
  readonly refused: boolean;
  /** No answer at all. */
  readonly failed: boolean;
  /** How many requests it stands for: more than one where the record holds a sample. */
  readonly weight: number;
  readonly remaining: number | undefined;
  readonly latencyMs: number | undefined;
}

interface Span {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** All phases of a plan on one axis of time, in seconds. */
export interface Timeline {
  readonly seconds: number;
  readonly phases: readonly Span[];
  readonly windows: readonly Pick<Span, 'from' | 'to'>[];
  readonly points: readonly TimelinePoint[];
  readonly omitted: number;
}

/** What a kept point stands for, so that the sums are those of the phase though its series is a sample. */
function weights({ series, admitted, refused, failed }: Phase): (status: number | null) => number {
  const kept = { admitted: 0, refused: 0, failed: 0 };
  const kind = (status: number | null) =>
    status === null ? 'failed' : status === 429 ? 'refused' : 'admitted';
  for (const { status } of series) kept[kind(status)]++;
  const sums = { admitted, refused, failed };
  return (status) => Math.max(1, sums[kind(status)] / Math.max(1, kept[kind(status)]));
}

/** Where each phase begins, in milliseconds since the first: as recorded, and never inside the one before it. */
function beginnings(phases: readonly Phase[]): number[] {
  const first = Math.min(...phases.map((phase) => Date.parse(phase.startedAt)));
  let free = 0;
  return phases.map((phase) => {
    const recorded = Date.parse(phase.startedAt) - first;
    const begin = Number.isFinite(recorded) && recorded >= free ? recorded : free;
    free = begin + phase.durationMs;
    return begin;
  });
}

/** Lays a plan's phases on one axis: each at its recorded time, or after the one before it where they overlap. */
export function planTimeline({ phases: measured }: PlanMeasurement): Timeline {
  const phases = [...measured].sort((one, other) => Date.parse(one.startedAt) - Date.parse(other.startedAt));
  const begins = beginnings(phases);
  const placed = phases.map((phase, index) => ({ phase, begin: begins[index] ?? 0 }));
  const points = placed.flatMap(({ phase, begin }, index) => {
    const weight = weights(phase);
    return phase.series.map(({ t, status, remaining, latencyMs }) => ({
      phase: index,
      seconds: (begin + t) / 1_000,
      refused: status === 429,
      failed: status === null,
      weight: phase.seriesOmitted > 0 ? weight(status) : 1,
      remaining,
      latencyMs,
    }));
  });
  const spans = placed.map(({ phase, begin }) => ({
    name: phase.name,
    from: begin / 1_000,
    to: (begin + phase.durationMs) / 1_000,
  }));
  return {
    seconds: Math.max(0.001, ...spans.map((span) => span.to)),
    phases: spans,
    windows: placed.flatMap(({ phase, begin }) =>
      phase.windows.map(({ from, to }) => ({ from: (begin + from) / 1_000, to: (begin + to) / 1_000 })),
    ),
    points: points.sort((one, other) => one.seconds - other.seconds),
    omitted: measured.reduce((sum, phase) => sum + phase.seriesOmitted, 0),
  };
}
