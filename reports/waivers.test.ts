import { describe, expect, it } from 'vitest';
import { runRecordSchema, type RunRecord } from '../lib/evidence/record/record.js';
import { exitCode } from '../lib/verdict/class-verdict.js';
import { viewOf } from './summary/run-view.js';
import { renderTerminal } from './terminal/terminal-report.js';
import { recordOf, sampleRows, type Changes } from './testing/sample-record.js';
import { applyWaivers, type Waiver } from './waivers.js';

const now = '2026-04-30T23:59:59.999Z';
const file = { file: 'waivers.yaml', sha256: 'a'.repeat(64) };
const waiver = (id: Waiver['id'], more: Partial<Waiver> = {}): Waiver => ({
  id,
  reason: 'known',
  owner: 'store team',
  until: '2026-04-30',
  ...more,
});
const unjudged = { verdict: 'inconclusive', reason: 'no control' } as const;

/** One failure, one warning, and one requirement that was left out: only the failure stands before exit code 0. */
function record(more: Changes = {}): RunRecord {
  return recordOf(
    sampleRows({
      'LIST-09': { verdict: 'fail', findings: [{ message: 'Wrong.\n# "quoted"', exchanges: [] }] },
      'AUTH-07': { verdict: 'warn' },
      'LIST-05': { verdict: 'not-tested', reason: 'left out', selected: false },
      ...more,
    }),
  );
}
const rowOf = (of: RunRecord, id: string) => of.requirements.find((row) => row.id === id);

function applied(of: RunRecord, waivers: readonly Waiver[], finishedAt = now) {
  const ended = { ...of, run: { ...of.run, finishedAt } };
  const { verdict, waiverProblems, ...rest } = applyWaivers(ended, { ...file, waivers });
  const changed = { ...rest, verdict, ...(waiverProblems && { waiverProblems }) };
  return { verdict, problems: waiverProblems, code: exitCode(changed), record: changed };
}

describe('a waiver', () => {
  it('takes a failure out of the verdict until its last day has ended, and is shown on the row', () => {
    expect(exitCode(record())).toBe(1);
    const waived = applied(record(), [waiver('LIST-09')]);
    expect(waived).toMatchObject({ code: 0, verdict: 'partial', problems: undefined });
    expect(waived.record.classes[0]).toMatchObject({ id: 'functional', verdict: 'partial', waived: 1 });
    expect(rowOf(waived.record, 'LIST-09')).toMatchObject({
      verdict: 'fail',
      waived: { owner: 'store team', until: '2026-04-30' },
    });
    expect(runRecordSchema.parse(waived.record)).toEqual(waived.record);
  });

  it.each<[string, Changes, Partial<Waiver>, string, string]>([
    [
      'has expired, from the day after',
      {},
      {},
      '2026-05-01T00:00:00.000Z',
      'LIST-09: expired after 2026-04-30; ask store team to renew or remove it',
    ],
    [
      'is for what is missed no longer',
      { 'LIST-09': { verdict: 'pass' } },
      {},
      now,
      'LIST-09: matches no finding of this run, the verdict is pass; ask store team to remove it',
    ],
    [
      'matches no finding',
      {},
      { matches: { words: 'another' } },
      now,
      'LIST-09: matches no finding of this run, the verdict is fail; ask store team to remove it',
    ],
  ])('that %s fails the run, and marks nothing', (_, changes, more, ended, problem) => {
    const outcome = applied(record(changes), [waiver('LIST-09', more)], ended);
    expect(outcome).toMatchObject({ code: 1, problems: [problem] });
    expect(rowOf(outcome.record, 'LIST-09')?.waived).toBeUndefined();
  });

  it.each<[string, Waiver]>([
    ['for what this run did not test', waiver('LIST-05')],
    ['of another target', waiver('LIST-09', { target: 'production' })],
  ])('%s is neither used nor a problem', (_, other) => {
    expect(applied(record(), [other])).toMatchObject({ verdict: 'non-conformant', problems: undefined });
  });

  it('of another target is named as such', () => {
    const others = [waiver('LIST-09', { target: 'production' }), waiver('AUTH-07')];
    const { record: told } = applied(record(), others);
    expect(told.run.waivers).toEqual({ ...file, ofOtherTargets: ['LIST-09 (production)'] });
    const said = ['Note', 'Waivers of another target, not used: LIST-09 (production).'];
    expect(viewOf(told).news).toContainEqual(said);
  });

  it('that keeps another requirement from being judged is told with the way out', () => {
    const open = record({ 'LIST-08': { ...unjudged, leftTo: ['LIST-09'] } });
    const once = applied(open, [waiver('LIST-09')]);
    expect(once.code).toBe(3);
    const way = 'The run stays incomplete until this is fixed, or waivers cover LIST-08, too.';
    expect(viewOf(once.record).causes.map(({ remarks }) => remarks.at(-1))).toContain(way);
    expect(renderTerminal(once.record, { columns: 120, colour: false })).toContain(way);
    const both = applied(open, [waiver('LIST-09'), waiver('LIST-08')]);
    expect(both.code).toBe(0);
    expect(renderTerminal(both.record, { columns: 120, colour: false })).not.toContain('stays incomplete');
  });

  it('covers what could not be judged: the class is partial then, no longer incomplete', () => {
    const open = record({ 'LIST-09': { verdict: 'pass' }, 'AUTH-06': unjudged });
    expect(applied(open, []).code).toBe(3);
    expect(applied(open, [waiver('AUTH-06')])).toMatchObject({ verdict: 'partial', code: 0 });
    expect(applied(open, [waiver('AUTH-06', { matches: { words: 'another reason' } })]).code).toBe(3);
  });

  it('with `matches` covers the findings that fit alone, so that a new failure is seen', () => {
    const fact = { kind: 'response', operation: 'listPets', status: 200 } as const;
    const old = { message: 'an id occurs twice', exchanges: [], fact };
    const fresh = { message: 'an id is missing', exchanges: [], fact: { ...fact, status: 500 } };
    const both = record({ 'LIST-09': { verdict: 'fail', findings: [old, fresh] } });
    const known = record({ 'LIST-09': { verdict: 'fail', findings: [old] } });
    const matches = { operation: 'listPets', status: 200, words: 'OCCURS twice' } as const;
    const narrow = waiver('LIST-09', { matches });
    expect(applied(known, [narrow]).code).toBe(0);
    expect(applied(both, [narrow]).code).toBe(1);
    expect(applied(both, [narrow, waiver('LIST-09', { matches: { status: 500 } })]).code).toBe(0);
    for (const wrong of [{ operation: 'getPet' }, { status: 404 }, { words: 'three times' }] as const)
      expect(applied(known, [waiver('LIST-09', { matches: wrong })]).code).toBe(1);
  });

  it.each(['staging', 'https://staging.petstore.example/v1'])('of %s holds for that target', (target) => {
    expect(applied(record(), [waiver('LIST-09', { target })]).code).toBe(0);
  });

  it('covers a warning too, so that a strict run passes', () => {
    const strict = record({ 'LIST-09': { verdict: 'pass' } });
    strict.run = { ...strict.run, strict: true };
    expect(applied(strict, []).verdict).toBe('non-conformant');
    expect(applied(strict, [waiver('AUTH-07')]).code).toBe(0);
  });
});
