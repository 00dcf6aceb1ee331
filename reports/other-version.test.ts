import { describe, expect, it } from 'vitest';
import { runRecordSchema, type RunRecord } from '../lib/evidence/record/record.js';
import { compareRuns, comparisonMarkdown, comparisonText } from './compare.js';
import { renderers } from './renderers.js';
import { siteIndex } from './site.js';
import { sampleRun } from './testing/sample-folder.js';
import { conformingRecord } from './testing/sample-record.js';
import { renderTerminal } from './terminal/terminal-report.js';

/** The record of a later version, whose catalogue has a requirement more. */
function laterRecord(): RunRecord {
  const record = conformingRecord();
  const finding = { message: 'a page is not linked', exchanges: ['e1'] };
  const row = {
    id: 'LIST-99',
    level: 'MUST',
    section: '4.1',
    title: 'Pages are linked',
    verdict: 'fail',
    checks: 1,
    findings: [finding],
  } as const;
  return runRecordSchema.parse({ ...record, requirements: [...record.requirements, row] });
}

describe('a record with a requirement that this version does not know', () => {
  it('is shown by every report', async () => {
    const run = await sampleRun(laterRecord());
    for (const renderer of Object.values(renderers)) expect(await renderer.render(run)).toContain('LIST-99');
    expect(renderTerminal(run.record, { columns: 80, colour: false })).toContain('LIST-99');
    expect(siteIndex([{ name: 'later', folder: 'later', record: run.record }])).toContain('LIST-99');
  });

  it('is compared', () => {
    const comparison = compareRuns(conformingRecord(), laterRecord());
    expect(comparison.changes.map(({ id, kind }) => [id, kind])).toEqual([['LIST-99', 'newly failed']]);
    expect(comparisonText(comparison, { columns: 80, colour: false })).toContain('a page is not linked');
    expect(comparisonMarkdown(comparison)).toContain('LIST-99');
  });
});
