import { expect, it } from 'vitest';
import { exchangeSchema } from '../../lib/http/exchange/exchange.js';
import { runRecordSchema, verdicts } from '../../lib/record/record.js';
import { sampleExchanges } from './sample-exchanges.js';
import { conformingRecord, faultyRecord } from './sample-record.js';

it('makes records and exchanges that their schemas accept, with every verdict in the faulty one', () => {
  for (const record of [faultyRecord(), conformingRecord()])
    expect(runRecordSchema.parse(record)).toEqual(record);
  for (const exchange of sampleExchanges()) expect(exchangeSchema.parse(exchange)).toEqual(exchange);
  expect(new Set(faultyRecord().requirements.map((row) => row.verdict))).toEqual(new Set(verdicts));
  expect(faultyRecord().verdict).toBe('non-conformant');
  expect(conformingRecord().verdict).toBe('conformant');
});

it('cites only exchanges that it has', () => {
  const ids = new Set(sampleExchanges().map((exchange) => exchange.id));
  const cited = faultyRecord().requirements.flatMap((row) =>
    row.findings.flatMap((finding) => finding.exchanges),
  );
  expect(cited.filter((id) => !ids.has(id))).toEqual([]);
});
