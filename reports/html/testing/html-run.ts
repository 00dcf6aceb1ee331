import type { RecordedExchange } from '../../../lib/evidence/recorded-exchange.js';
import type { RunRecord } from '../../../lib/evidence/record/record.js';
import { sampleExchanges } from '../../testing/sample-exchanges.js';
import type { HtmlRun } from '../render.js';

/** A finished run in memory. */
export function htmlRun(
  record: RunRecord,
  exchanges: readonly RecordedExchange[] = sampleExchanges(),
): HtmlRun {
  return {
    record,
    exchangesById: async (ids) => {
      const wanted = new Set(ids);
      return new Map(exchanges.filter(({ id }) => wanted.has(id)).map((exchange) => [exchange.id, exchange]));
    },
  };
}
