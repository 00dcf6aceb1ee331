import { latencyOf } from '../load/latency.js';
import type { PlanMeasurement } from '../record/record.js';
import type { Plan } from '../specification/plan.js';
import type { LimitEvidence } from './evidence.js';
import type { Phase } from './key-session.js';
import { isFixed } from './models.js';
import { admitted, refused, type Seen } from './seen.js';
import { clockDifference } from './target-clock.js';
import { viewOf } from './told.js';
import { inSeries } from './series.js';

type PhaseRecord = PlanMeasurement['phases'][number];

/** What the record keeps of one plan's run. */
export function measurementOf(
  plan: Plan,
  phases: readonly Phase[],
  evidence: LimitEvidence,
): Omit<PlanMeasurement, 'requirements'> {
  const { candidates, certainty, trace } = evidence.identification;
  return {
    plan: plan.name,
    perMinute: plan.perMinute,
    perDay: plan.perDay,
    ...(evidence.history.length === 0
      ? {}
      : {
          algorithm: {
            name: candidates.length === 0 ? 'unknown' : candidates.join(' or '),
            certainty,
            trace,
          },
        }),
    phases: phases.filter(({ requests }) => requests.length > 0).map((phase) => phaseRecord(phase, evidence)),
  };
}

function phaseRecord(phase: Phase, evidence: LimitEvidence): PhaseRecord {
  const { requests } = phase;
  const begin = Math.min(phase.startedAt, ...requests.slice(0, 1).map(({ sentAt }) => sentAt));
  const passed = requests.filter(admitted).length;
  const refusals = requests.filter(refused).length;
  const kept = inSeries(requests);
  const answered = requests.filter(({ status }) => status !== null);
  return {
    name: phase.name,
    startedAt: new Date(begin).toISOString(),
    durationMs: Math.max(0, Math.round(phase.endedAt - begin)),
    sent: requests.length,
    admitted: passed,
    refused: refusals,
    failed: requests.length - passed - refusals,
    sentAfterFirst429: sentInSpite(requests),
    sender: 'undici pool',
    exact: phase.exact,
    windows: windowsOf(requests, begin, evidence),
    ...(answered.length === 0 ? {} : { latency: latencyOf(answered.map(({ sentAt, at }) => at - sentAt)) }),
    series: kept.map((request) => pointOf(request, begin)),
    seriesOmitted: requests.length - kept.length,
  };
}

/** Requests sent after the first 429 had arrived, and before the time was over that it asked to wait. */
function sentInSpite(requests: readonly Seen[]): number {
  const first = requests
    .filter(refused)
    .reduce<Seen | undefined>((a, b) => (a && a.at <= b.at ? a : b), undefined);
  if (!first) return 0;
  const { retryAfter } = first.told;
  const waited = retryAfter?.form === 'seconds' ? retryAfter.seconds * 1000 : Number.POSITIVE_INFINITY;
  return requests.filter(({ sentAt }) => sentAt > first.at && sentAt < first.at + waited).length;
}

function pointOf({ sentAt, at, status, told }: Seen, begin: number): PhaseRecord['series'][number] {
  const rounded = (milliseconds: number): number => Math.round(milliseconds * 100) / 100;
  return {
    t: rounded(sentAt - begin),
    status,
    ...(told.remaining === undefined ? {} : { remaining: told.remaining }),
    ...(told.reset === undefined ? {} : { reset: Math.round(told.reset.at / 1000) }),
    latencyMs: rounded(at - sentAt),
  };
}

/** The minute's windows that the target announced, in milliseconds since the phase's beginning. */
function windowsOf(
  requests: readonly Seen[],
  begin: number,
  evidence: LimitEvidence,
): PhaseRecord['windows'] {
  const { plan, windowMs, difference, identification } = evidence;
  if (!identification.candidates.some(isFixed)) return [];
  const ahead = clockDifference(difference);
  const ends = requests.flatMap(({ told }) =>
    told.reset !== undefined && viewOf(told, plan, windowMs) === 'minute'
      ? [Math.round(told.reset.at - ahead - begin)]
      : [],
  );
  return [...new Set(ends)]
    .filter((end, index, all) => index === 0 || end - (all[index - 1] ?? 0) > 2_000)
    .map((to) => ({ from: to - windowMs, to }));
}
