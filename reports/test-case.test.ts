import { describe, expect, it } from 'vitest';
import type { RunRecord } from '../lib/evidence/record/record.js';
import { conformingRecord, faultyRecord } from './testing/sample-record.js';
import { describeFindings, expectConformant, tellOutcome } from './test-case.js';

describe('the findings as text', () => {
  it('say what was expected and received, how to see it again, and where more is said', () => {
    const text = describeFindings(faultyRecord());
    expect(text).toMatch(/\n NON-CONFORMANT {2}\d+ requirements failed/);
    expect(text).toContain(`✗ LIST-02  MUST § 4.1, 8  \`limit=n\` (1 to 100) returns at most n animals
  A page holds more animals than \`limit\` allows.
    expected  at most 2 animals
    received  3 animals
`);
    expect(text).toContain('    curl -sS -H "Authorization: Bearer $PETSTORE_API_KEY"');
    expect(text).toContain('    npm run explain -- LIST-02');
    expect(describeFindings(conformingRecord())).toMatch(/^Functional {3}conformant: [^✗]*\n CONFORMANT {2}/);
  });

  it('are thrown for a run that fails or could not judge, and not for one that exits with 0', () => {
    expect(() => expectConformant(faultyRecord())).toThrow(describeFindings(faultyRecord()));
    expect(() => expectConformant(conformingRecord({ verdict: 'incomplete' }))).toThrow(/ INCOMPLETE {2}/);
    expect(() => expectConformant(conformingRecord())).not.toThrow();
  });
});

describe('a requirement as a test', () => {
  /** How the test of a requirement ends, and what it says. */
  function outcomeOf(record: RunRecord, id: string): string {
    let said = 'passed';
    try {
      tellOutcome(record, id, (note) => (said = `skipped: ${note}`));
    } catch (error) {
      said = `failed: ${error instanceof Error ? error.message : ''}`;
    }
    return said;
  }

  it.each([
    ['a failure', 'LIST-02', /^failed: .*\n {4}received {2}3 animals$/msu],
    ['a MUST that could not be judged', 'AUTH-06', /^failed: inconclusive: no page showed the control/u],
    ['a warning', 'AUTH-07', /^passed$/u],
    ['what was not selected', 'LIST-05', /^skipped: not tested: /u],
    ['what is waived', 'LIST-09', /^skipped: Waived until 2026-04-30 by store team: legacy rows/u],
  ])('%s (%s) says %s', (_, id, said) => {
    expect(outcomeOf(faultyRecord(), id)).toMatch(said);
  });

  it('fails for a warning if the run is strict', () => {
    const record = faultyRecord();
    const strict = { ...record, run: { ...record.run, strict: true } };
    expect(outcomeOf(strict, 'AUTH-07')).toMatch(/^failed: /);
  });
});
