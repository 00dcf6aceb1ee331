import { describe, expect, it } from 'vitest';
import { conformingRecord, faultyRecord } from '../testing/sample-record.js';
import { describeFindings, expectConformant } from './describe-findings.js';
import { testOutcome } from '../vitest/test-outcome.js';

describe('the findings as text', () => {
  it('say what was expected and received, how to see it again, and where more is said', () => {
    const text = describeFindings(faultyRecord());
    expect(text).toMatch(/^non-conformant: \d+ requirements failed/);
    expect(text).toContain(
      [
        'LIST-02 MUST § 4.1, 8: limit=n (1 to 100) returns at most n animals',
        '  A page holds more animals than `limit` allows.',
        '  expected: at most 2 animals',
        '  received: 3 animals',
      ].join('\n'),
    );
    expect(text).toContain('  reproduce: curl -sS -H "Authorization: Bearer $PETSTORE_API_KEY"');
    expect(text).toContain('  more: npm run explain -- LIST-02');
    expect(text).not.toContain('LIST-09');
  });

  it('of a conforming run are its verdict alone', () => {
    expect(describeFindings(conformingRecord())).toMatch(/^(?:conformant|partial): [^\n]+$/);
  });
});

describe('the assertion', () => {
  it('throws the findings, and nothing for a run that exits with 0', () => {
    expect(() => expectConformant(faultyRecord())).toThrow(describeFindings(faultyRecord()));
    expect(() => expectConformant(conformingRecord())).not.toThrow();
  });

  it('throws for a run that could not judge', () => {
    const record = conformingRecord({ verdict: 'incomplete' });
    expect(() => expectConformant(record)).toThrow(/^incomplete: /);
  });
});

describe('a requirement as a test', () => {
  const outcomeOf = (id: string) => testOutcome(faultyRecord(), id);

  it('fails for a failure, and for a MUST that could not be judged', () => {
    expect(outcomeOf('LIST-02')).toMatchObject({
      outcome: 'failed',
      text: expect.stringContaining('  received: 3 animals'),
    });
    expect(outcomeOf('AUTH-06')).toEqual({
      outcome: 'failed',
      text: 'inconclusive: no page showed the control animal within 2 s',
    });
  });

  it('passes for a warning unless the run is strict', () => {
    expect(outcomeOf('AUTH-07').outcome).toBe('passed');
    const record = faultyRecord();
    const strict = { ...record, run: { ...record.run, strict: true } };
    expect(testOutcome(strict, 'AUTH-07').outcome).toBe('failed');
  });

  it('is skipped if it was not selected, or is waived', () => {
    expect(outcomeOf('LIST-05')).toMatchObject({
      outcome: 'skipped',
      text: expect.stringMatching(/^not tested: /),
    });
    expect(outcomeOf('LIST-09').outcome).toBe('skipped');
  });
});
