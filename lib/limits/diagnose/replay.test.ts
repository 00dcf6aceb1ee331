import { describe, expect, it } from 'vitest';
import { burstsOf } from '../history/history.js';
import { evidenceOf, limited, times, type Sent } from '../testing/limited.js';
import {
  behavesLike,
  bothReadings,
  excessCertificate,
  tooHighCertificate,
  unexplained,
} from './certificate.js';
import { plainHypothesis } from './diagnose.js';
import { findingsOf, type Explanation, type FindingKind } from './hypothesis.js';
import { replay } from './replay.js';

const aligned = 'fixed window aligned to the clock';
/** A window that is exhausted, a look at the next one, and six requests at once. */
const usual = [...times(5, 7), 61, ...times(62, 6, 0)];

function explanationOf(sent: readonly Sent[]): Explanation {
  const { history } = evidenceOf(sent);
  const explanation = replay(plainHypothesis(history, aligned), history);
  if (!explanation) throw new Error('a replay without a bound explains something');
  return explanation;
}

function kindsIn(sent: readonly Sent[]): FindingKind[] {
  return [...new Set(explanationOf(sent).findings.map(({ kind }) => kind))];
}

describe('a replay', () => {
  it('finds nothing in what a limiter of its kind responded', () => {
    const { findings, behaviour, times: ofReset } = explanationOf(limited(usual));
    expect(findings).toEqual([]);
    expect([behaviour, ofReset]).toEqual([0, 0]);
  });

  it.each([
    ['a request too many', limited(usual, { admits: 6 }), 'excess'],
    ['a Remaining that is too high', limited(usual, { shows: (left) => left + 2 }), 'remaining too high'],
    ['requests that Remaining alone shows', limited(usual, { carried: 3 }), 'hidden requests'],
    [
      'a rejection with room for a request',
      [...limited(times(5, 3)), { at: 5.5, status: 429, remaining: 0, reset: 60, retryAfter: '55' }],
      'filled by others',
    ],
    ['a Reset that names another time', limited(usual).map((one) => ({ ...one, reset: 100 })), 'other time'],
  ] as const)('finds %s', (_name, sent, kind) => {
    expect(kindsIn(sent)).toContain(kind);
  });

  it.each([
    ['excuses what a race admits while one is left', 4, []],
    ['finds an excess in what a race admits though nothing is left', 6, ['excess']],
  ] as const)('%s', (_name, before, kinds) => {
    const atOnce = [429, 200, 200].map((status) => ({ at: 7, status, reset: 60 }));
    const { history } = evidenceOf([...limited(times(5, before)), ...atOnce]);
    const race = { ...plainHypothesis(history, aligned), overlapping: 'lost' } as const;
    expect(replay(race, history)?.findings.map(({ kind }) => kind)).toEqual(kinds);
  });

  it('gives up above a bound', () => {
    const { history } = evidenceOf(limited(usual, { admits: 7 }));
    expect(replay(plainHypothesis(history, aligned), history, { bound: 5 })).toBeUndefined();
  });

  it('takes requests that use one each as one step, and those that overlap as another', () => {
    const { history } = evidenceOf(limited(usual));
    const steps = burstsOf(history.own).map(({ observations, overlapping }) => [
      observations.length,
      overlapping,
    ]);
    expect(steps).toEqual([
      [5, false],
      [1, false],
      [1, false],
      [1, false],
      [6, true],
    ]);
  });
});

describe('a certificate', () => {
  it('counts requests that no limiter admits in so short a time', () => {
    const sent = limited(usual, { admits: 6, shows: (left) => Math.max(0, left - 1) });
    const { history, diagnosis } = evidenceOf(sent);
    const [finding] = findingsOf(explanationOf(sent), 'excess');
    if (!finding) throw new Error('nothing was found');
    expect(excessCertificate(finding, history).sentence).toBe(
      '6 requests were admitted from e1 to e6 within 0.52 s, all with the same Reset: a limiter of 5 requests in 60 s admits at most 5',
    );
    expect(behavesLike(diagnosis)).toContain('of 6 in 60 s');
    expect(bothReadings(diagnosis)).toContain('; or a ');
  });

  it.each([
    ['reported 0 remaining', times(5, 5)],
    ['was rejected', times(5, 6)],
  ] as const)('shows two exchanges if a request is admitted behind one that %s', (none, before) => {
    const sent = [...limited(before), { at: before.length === 5 ? 5.5 : 5.6, status: 200, reset: 60 }];
    const [finding] = findingsOf(explanationOf(sent), 'excess');
    if (!finding) throw new Error('nothing was found');
    const { history } = evidenceOf(sent);
    // Too few for a count to show it.
    const wide = { ...history, plan: { ...history.plan, perMinute: 60 } };
    expect(excessCertificate(finding, wide).sentence).toMatch(
      new RegExp(`^listPets \\(e\\d\\) was admitted \\d+ ms after \\w+ \\(e\\d\\) ${none}: in that time`),
    );
  });

  it('compares a Remaining that is too high with the one before it', () => {
    const sent = [...limited(times(5, 3)), { at: 5.4, remaining: 4, reset: 60 }];
    const [finding] = explanationOf(sent).findings;
    if (!finding) throw new Error('nothing was found');
    expect(tooHighCertificate(finding, evidenceOf(sent).history).sentence).toBe(
      'listPets (e4) reports 4 remaining, 0.18 s after getPet (e3) reported 2: at most 1 can be left',
    );
    expect(unexplained(explanationOf(sent))).toEqual(['a Remaining that is too high (first: e4)']);
  });

  it('has nothing to say of a limiter that conforms', () => {
    const { diagnosis } = evidenceOf(limited(usual));
    expect(diagnosis.deviation).toBeUndefined();
    expect(unexplained(diagnosis.best)).toEqual([]);
  });
});
