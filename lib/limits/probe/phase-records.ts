import { latencyOf } from '../../load/latency.js';
import type { PlanMeasurement } from '../../record/record.js';
import type { Observation } from '../history/observation.js';

type PhaseRecord = PlanMeasurement['phases'][number];

/** Points that the record keeps of a phase. */
const mostPoints = 600;

/** What the record keeps of the parts of the probes: their figures, and a series of points. */
export function phaseRecords(history: readonly Observation[]): PhaseRecord[] {
  const phases: Observation[][] = [];
  for (const one of history) {
    const current = phases.at(-1);
    if (current?.[0]?.phase === one.phase) current.push(one);
    else phases.push([one]);
  }
  return phases.map(phaseRecord);
}

function phaseRecord(requests: readonly Observation[]): PhaseRecord {
  const begin = Math.min(...requests.map(({ sentAt }) => sentAt));
  const end = Math.max(...requests.map(({ receivedAt }) => receivedAt));
  const answered = requests.filter(({ status }) => status !== null);
  const admitted = requests.filter(({ outcome }) => outcome === 'admitted').length;
  const rejected = requests.filter(({ outcome }) => outcome === 'rejected');
  const first = Math.min(...rejected.map(({ receivedAt }) => receivedAt));
  // Each 429, and as many of the others, evenly chosen, as there is room for.
  const every = Math.ceil(requests.length / Math.max(1, mostPoints - rejected.length));
  const kept = requests
    .filter(({ outcome }, index) => outcome === 'rejected' || index % every === 0)
    .slice(0, mostPoints);
  return {
    name: requests[0]?.phase ?? '',
    startedAt: new Date(begin).toISOString(),
    durationMs: Math.round(end - begin),
    sent: requests.length,
    admitted,
    refused: rejected.length,
    failed: requests.length - admitted - rejected.length,
    sentAfterFirst429: requests.filter(({ sentAt }) => sentAt > first).length,
    sender: 'undici',
    exact: answered.length === requests.length,
    windows: [],
    ...(answered.length === 0
      ? {}
      : { latency: latencyOf(answered.map(({ sentAt, receivedAt }) => receivedAt - sentAt)) }),
    series: kept.map((one) => pointOf(one, begin)),
    seriesOmitted: requests.length - kept.length,
  };
}

function pointOf(
  { sentAt, receivedAt, status, headers }: Observation,
  begin: number,
): PhaseRecord['series'][number] {
  const rounded = (milliseconds: number): number => Math.round(milliseconds * 100) / 100;
  const { remaining, reset } = headers;
  return {
    t: rounded(sentAt - begin),
    status,
    ...(remaining === undefined ? {} : { remaining }),
    ...(reset === undefined ? {} : { reset: Math.round(reset / 1000) }),
    latencyMs: rounded(receivedAt - sentAt),
  };
}
