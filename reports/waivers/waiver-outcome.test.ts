import { describe, expect, it } from 'vitest';
import { runRecordSchema, type RunRecord } from '../../lib/record/record.js';
import { exitCode } from '../../lib/verdict/exit-status.js';
import { recordOf, sampleRows, type Changes } from '../testing/sample-record.js';
import { applyWaivers } from './waiver-outcome.js';
import { draftWaivers } from './draft-waivers.js';
import { parseWaivers } from './read-waivers.js';
import type { Waiver } from './read-waivers.js';

const now = new Date('2026-04-30T23:59:59.999Z');
const waiver = (id: Waiver['id'], more: Partial<Waiver> = {}): Waiver => ({
  id,
  reason: 'known',
  owner: 'store team',
  until: '2026-04-30',
  ...more,
});
const changes: Changes = {
  'LIST-09': { verdict: 'fail', findings: [{ message: 'Wrong.\n# "quoted"', exchanges: [] }] },
  'AUTH-07': { verdict: 'warn' },
  'AUTH-06': { verdict: 'inconclusive', reason: 'no control' },
  'LIST-05': { verdict: 'not-tested', reason: 'left out', selected: false },
};

/** One failure, one warning; without the inconclusive row, so that only the failure stands between it and exit code 0. */
function record(more: Changes = {}): RunRecord {
  return recordOf(sampleRows({ ...changes, 'AUTH-06': { verdict: 'pass' }, ...more }));
}
const rowOf = (of: RunRecord, id: string) => of.requirements.find((row) => row.id === id);

describe('a waiver', () => {
  it('takes a failure out of the verdict until its last day has ended, and is shown on the row', () => {
    expect(exitCode(record())).toBe(1);
    const waived = applyWaivers(record(), [waiver('LIST-09')], { now });
    expect(exitCode(waived)).toBe(0);
    expect(waived.verdict).toBe('partial');
    expect(waived.classes[0]).toMatchObject({ id: 'functional', verdict: 'partial', waived: 1 });
    expect(rowOf(waived, 'LIST-09')).toMatchObject({
      verdict: 'fail',
      waived: { owner: 'store team', until: '2026-04-30' },
    });
    expect(runRecordSchema.parse(waived)).toEqual(waived);
  });

  it('fails the run from the day after, and the failure counts again', () => {
    const expired = applyWaivers(record(), [waiver('LIST-09')], { now: new Date('2026-05-01T00:00:00Z') });
    expect(expired.waiverProblems).toEqual([
      'LIST-09: expired after 2026-04-30; ask store team to renew or remove it',
    ]);
    expect(rowOf(expired, 'LIST-09')?.waived).toBeUndefined();
    expect(exitCode(expired)).toBe(1);
  });

  it('fails the run where its requirement is missed no longer', () => {
    const stale = applyWaivers(record({ 'LIST-09': { verdict: 'pass' } }), [waiver('LIST-09')], { now });
    expect(stale.waiverProblems).toEqual([
      'LIST-09: matches no failure, the verdict is pass; ask store team to remove it',
    ]);
    expect(stale.verdict).not.toBe('non-conformant');
    expect(exitCode(stale)).toBe(1);
  });

  it('for what this run did not test is neither used nor a problem', () => {
    const applied = applyWaivers(record(), [waiver('LIST-05')], { now });
    expect(applied.waiverProblems).toBeUndefined();
    expect(rowOf(applied, 'LIST-05')?.waived).toBeUndefined();
  });

  it('covers what could not be judged: the class is partial then, no longer incomplete', () => {
    const open = record({ 'LIST-09': { verdict: 'pass' }, 'AUTH-06': changes['AUTH-06'] ?? {} });
    expect(exitCode(applyWaivers(open, [], { now }))).toBe(3);
    const applied = applyWaivers(open, [waiver('AUTH-06')], { now });
    expect([applied.verdict, exitCode(applied)]).toEqual(['partial', 0]);
    const other = waiver('AUTH-06', { matches: { words: 'another reason' } });
    expect(exitCode(applyWaivers(open, [other], { now }))).toBe(3);
  });

  it('with `matches` covers the findings that fit alone, so that a new failure is seen', () => {
    const fact = { kind: 'response', operation: 'listPets', status: 200 } as const;
    const old = { message: 'an id occurs twice', exchanges: [], fact };
    const fresh = { message: 'an id is missing', exchanges: [], fact: { ...fact, status: 500 } };
    const both = record({ 'LIST-09': { verdict: 'fail', findings: [old, fresh] } });
    const known = record({ 'LIST-09': { verdict: 'fail', findings: [old] } });
    const matches = { operation: 'listPets', status: 200, words: 'OCCURS twice' } as const;
    const narrow = [waiver('LIST-09', { matches })];
    expect(exitCode(applyWaivers(known, narrow, { now }))).toBe(0);
    expect(exitCode(applyWaivers(both, narrow, { now }))).toBe(1);
    const second = waiver('LIST-09', { matches: { status: 500 } });
    expect(exitCode(applyWaivers(both, [...narrow, second], { now }))).toBe(0);
    for (const wrong of [{ operation: 'getPet' }, { status: 404 }, { words: 'three times' }] as const)
      expect(exitCode(applyWaivers(known, [waiver('LIST-09', { matches: wrong })], { now }))).toBe(1);
    expect(applyWaivers(known, [...narrow, second], { now }).waiverProblems).toEqual([
      'LIST-09: matches no finding of this run; ask store team to remove it',
    ]);
  });

  it('that ends within a week is said', () => {
    const soon = applyWaivers(record(), [waiver('LIST-09', { until: '2026-05-07' })], { now });
    expect(soon.waiverReminders).toEqual(['The waiver of LIST-09 ends after 2026-05-07; ask store team.']);
    const later = [waiver('LIST-09', { until: '2026-06-30' })];
    expect(applyWaivers(record(), later, { now }).waiverReminders).toBeUndefined();
  });

  it('holds for its own target alone, by name or by address, and before one for all', () => {
    const elsewhere = applyWaivers(record(), [waiver('LIST-09', { target: 'production' })], { now });
    expect(elsewhere.verdict).toBe('non-conformant');
    expect(elsewhere.waiverProblems).toBeUndefined();
    for (const target of ['staging', 'https://staging.petstore.example/v1']) {
      const both = [waiver('LIST-09'), waiver('LIST-09', { target, reason: 'own' })];
      expect(rowOf(applyWaivers(record(), both, { now }), 'LIST-09')?.waived?.reason).toBe('own');
    }
  });

  it('covers a warning too, so that a strict run passes', () => {
    const strict = record({ 'LIST-09': { verdict: 'pass' } });
    strict.run = { ...strict.run, strict: true };
    expect(applyWaivers(strict, [], { now }).verdict).toBe('non-conformant');
    expect(exitCode(applyWaivers(strict, [waiver('AUTH-07')], { now }))).toBe(0);
  });

  it('can be applied again to a record that has it already, with the same result', () => {
    const once = applyWaivers(record(), [waiver('LIST-09')], { now });
    expect(applyWaivers(once, [waiver('LIST-09')], { now })).toEqual(once);
    expect(applyWaivers(once, [], { now })).toEqual(applyWaivers(record(), [], { now }));
  });
});

describe('a draft of waivers', () => {
  const filledIn = (text: string) =>
    text.replaceAll('reason: ""', 'reason: why').replaceAll('owner: ""', 'owner: who');

  it('has one for each failure, which serves once reason and owner are filled in, and not before', () => {
    const draft = draftWaivers(record(), { now });
    expect(() => parseWaivers(draft, 'draft.yaml')).toThrow(/say why/u);
    const waivers = parseWaivers(filledIn(draft), 'draft.yaml');
    expect(waivers).toEqual([
      { id: 'LIST-09', target: 'staging', reason: 'why', owner: 'who', until: '2026-05-30' },
    ]);
    expect(exitCode(applyWaivers(record(), waivers, { now }))).toBe(0);
  });

  it('keeps what earlier waivers say, takes out what is met, and adds what is missing', () => {
    const earlier: Waiver[] = [
      waiver('LIST-09', { reason: 'the old reason', matches: { status: 200 } }),
      waiver('GET-01'),
      waiver('GET-01', { target: 'production' }),
      waiver('LIST-05'),
    ];
    const text = draftWaivers(record({ 'LIST-02': { verdict: 'fail' } }), { now, earlier });
    const waivers = parseWaivers(filledIn(text), 'draft.yaml');
    expect(waivers).toEqual([
      earlier[0],
      earlier[2],
      earlier[3],
      { id: 'LIST-02', target: 'staging', reason: 'why', owner: 'who', until: '2026-05-30' },
    ]);
  });

  it('is an empty list where nothing failed', () => {
    expect(
      parseWaivers(draftWaivers(record({ 'LIST-09': { verdict: 'pass' } }), { now }), 'draft.yaml'),
    ).toEqual([]);
  });
});
