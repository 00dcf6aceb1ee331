import { notTestedResult } from '../../lib/verdict/judgement.js';
import { catalogue } from '../../lib/specification/catalogue.js';
import type { RunRecord } from '../../lib/evidence/record/record.js';
import { sampleMeasurement } from './sample-measurement.js';
import { conformingRecord } from './sample-record.js';

const latency = { min: 0.8, p50: 2.1, p90: 4.7, p99: 18.2, p999: 44, max: 61.5, mean: 2.9 };

/** The record of a load of half a minute at 5 a second: refused once, silent for six seconds, one bound of two missed. */
export function loadRecord(): RunRecord {
  const [sent, refused, errors] = [120, 1, 1];
  const good = sent - refused - errors;
  const { plan, perMinute, perDay } = sampleMeasurement();
  return {
    ...conformingRecord(),
    verdict: 'partial',
    classes: [],
    requirements: catalogue.map(({ id }) => notTestedResult(id, 'a load judges no requirement')),
    plans: [{ plan, perMinute, perDay }],
    load: {
      ratePerSecond: 5,
      durationMs: 30_000,
      mix: { listPets: 8, createPet: 1, getPet: 0 },
      sent,
      good,
      goodputPerSecond: good / 30,
      refused,
      errors,
      withheld: 150 - sent,
      byStatus: { 200: good, 429: refused, 503: errors },
      latency,
      byOperation: { listPets: { sent: sent - 12, latency }, createPet: { sent: 12 } },
      thresholds: [
        { name: 'p99', bound: 'at most 250ms', measured: '18.2ms', outcome: 'kept' },
        { name: 'errors', bound: 'at most 0', measured: `1 of ${sent}`, outcome: 'broken' },
      ],
    },
  };
}
