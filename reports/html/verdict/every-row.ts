import { catalogue } from '../../../lib/specification/catalogue.js';
import type { RequirementResult, RunRecord } from '../../../lib/record/record.js';

/** The record with one row for each id of the catalogue, in its order: a record of another version may lack some. */
export function withEveryRow(record: RunRecord): RunRecord {
  const rows = new Map(record.requirements.map((row) => [row.id, row]));
  const requirements = catalogue.map(
    ({ id, level, section, title }): RequirementResult =>
      rows.get(id) ?? {
        id,
        level,
        section,
        title,
        verdict: 'not-tested',
        reason: 'the record has no row for it',
        checks: 0,
        findings: [],
      },
  );
  return { ...record, requirements };
}
