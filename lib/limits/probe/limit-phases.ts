import { latencyOf } from '../../load/latency.js';
import type { PlanMeasurement } from '../../record/record.js';
import type { Observation } from '../history/observation.js';

/** The parts of the probes, as exchanges name them. */
export type LimitPhase =
  | 'opening'
  | 'costs'
  | 'sequence'
  | 'behind sequence'
  | 'look'
  | 'control'
  | 'burst'
  | 'vantage points'
  | 'ban'
  | 'ban ignored'
  | 'ban afterwards';

type PhaseRecord = PlanMeasurement['phases'][number];

/** The figures of a part of the probes, as the record keeps them; the requests themselves are in the explanation. */
export function phaseRecord(
  figures: Omit<PhaseRecord, 'startedAt' | 'sender' | 'windows' | 'series' | 'seriesOmitted'>,
  startedAt: number,
): PhaseRecord {
  return {
    ...figures,
    startedAt: new Date(startedAt).toISOString(),
    durationMs: Math.round(figures.durationMs),
    sender: 'undici',
    windows: [],
    series: [],
    seriesOmitted: figures.sent,
  };
}

/** The figures of each part, one after the other. */
export function phaseRecords(history: readonly Observation[]): PhaseRecord[] {
  const phases: Observation[][] = [];
  for (const one of history) {
    const current = phases.at(-1);
    if (current?.[0]?.phase === one.phase) current.push(one);
    else phases.push([one]);
  }
  return phases.map((requests) => {
    const begin = Math.min(...requests.map(({ sentAt }) => sentAt));
    const answered = requests.filter(({ status }) => status !== null);
    const admitted = requests.filter(({ outcome }) => outcome === 'admitted').length;
    const rejected = requests.filter(({ outcome }) => outcome === 'rejected');
    const first = Math.min(...rejected.map(({ receivedAt }) => receivedAt));
    const times = answered.map(({ sentAt, receivedAt }) => receivedAt - sentAt);
    const figures = {
      name: requests[0]?.phase ?? '',
      durationMs: Math.max(...requests.map(({ receivedAt }) => receivedAt)) - begin,
      sent: requests.length,
      admitted,
      refused: rejected.length,
      failed: requests.length - admitted - rejected.length,
      sentAfterFirst429: requests.filter(({ sentAt }) => sentAt > first).length,
      exact: answered.length === requests.length,
      ...(times.length === 0 ? {} : { latency: latencyOf(times) }),
    };
    return phaseRecord(figures, begin);
  });
}
