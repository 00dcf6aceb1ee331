import { describe, expect, test } from 'vitest';
import type { PlanMeasurement } from '../../../lib/record/record.js';
import { sampleMeasurement } from '../../testing/sample-measurement.js';
import { admittedByWindow, admittedSoFar, thinnedWindows } from './admissions.js';
import { planTimeline } from './plan-timeline.js';
import { restartsOf, windowEdges } from './window-moments.js';

type Phase = PlanMeasurement['phases'][number];

const phase = (more: Partial<Phase>): Phase => ({
  name: 'sequence',
  startedAt: '2026-03-02T09:30:00.000Z',
  durationMs: 10_000,
  sent: 0,
  admitted: 0,
  refused: 0,
  failed: 0,
  sentAfterFirst429: 0,
  sender: 'client',
  exact: true,
  windows: [],
  series: [],
  seriesOmitted: 0,
  ...more,
});
const measured = (...phases: Phase[]): PlanMeasurement => ({ ...sampleMeasurement(), phases });

describe("a plan's phases on one axis", () => {
  test('stand at their recorded times', () => {
    const timeline = planTimeline(
      measured(phase({}), phase({ name: 'burst', startedAt: '2026-03-02T09:31:00.000Z', durationMs: 500 })),
    );
    expect(timeline.phases).toEqual([
      { name: 'sequence', from: 0, to: 10 },
      { name: 'burst', from: 60, to: 60.5 },
    ]);
  });

  test('follow each other where their times overlap', () => {
    expect(planTimeline(measured(phase({}), phase({}))).phases.map(({ from }) => from)).toEqual([0, 10]);
  });

  test('are drawn from a sample with the sums of the whole', () => {
    const { points } = planTimeline(
      measured(
        phase({
          sent: 1_000,
          admitted: 900,
          refused: 100,
          series: [
            { t: 0, status: 200 },
            { t: 5, status: 200 },
            { t: 9, status: 429 },
          ],
          seriesOmitted: 997,
        }),
      ),
    );
    expect(points.map(({ weight }) => weight)).toEqual([450, 450, 100]);
  });
});

describe('what was admitted in a window', () => {
  test('starts anew when the next one begins', () => {
    const series = [1, 2, 3, 61, 62].map((seconds) => ({
      t: seconds * 1_000,
      status: seconds === 3 ? 429 : 200,
    }));
    const windows = [
      { from: 0, to: 60_000 },
      { from: 60_000, to: 120_000 },
    ];
    const steps = admittedSoFar(planTimeline(measured(phase({ durationMs: 70_000, series, windows }))));
    expect(steps.map(({ seconds, admitted, refused }) => [seconds, admitted, refused])).toEqual([
      [0, 0, false],
      [1, 1, false],
      [2, 2, false],
      [3, 2, true],
      [60, 2, false],
      [60, 0, false],
      [61, 1, false],
      [62, 2, false],
    ]);
  });

  test('is told window by window, and the highest is never thinned away', () => {
    const series = Array.from({ length: 1_000 }, (_, index) => ({
      t: index * 600,
      status: index === 501 ? 429 : 200,
    }));
    const windows = Array.from({ length: 100 }, (_, index) => ({
      from: index * 6_000,
      to: (index + 1) * 6_000,
    }));
    const steps = admittedByWindow(planTimeline(measured(phase({ durationMs: 600_000, series, windows }))));
    expect(steps).toHaveLength(100);
    expect(steps[50]).toEqual({ seconds: 300, admitted: 9, refused: true });
    expect(steps[51]).toEqual({ seconds: 306, admitted: 10, refused: false });
    const { line, crosses } = thinnedWindows(steps, ({ seconds }) => seconds / 60);
    expect(line.map(({ admitted }) => admitted)).toEqual(line.map(() => 10));
    expect(line).toHaveLength(11);
    expect(crosses).toHaveLength(1);
  });
});

describe('windows read off resets that are rounded', () => {
  const burst = phase({
    name: 'burst',
    startedAt: '2026-03-02T09:31:00.200Z',
    durationMs: 300,
    windows: [{ from: 450, to: 60_450 }],
  });
  const timeline = planTimeline(measured(phase({ windows: [{ from: -300, to: 59_700 }] }), burst));

  test('have each edge once', () => {
    expect(windowEdges(timeline)).toEqual([59.7]);
  });

  test('begin with the phase whose first requests belong to them', () => {
    expect(restartsOf(timeline)).toEqual([-0.3, 60.2]);
  });
});
