import { describe, expect, it } from 'vitest';
import './authentication.suite.js';
import { judged } from '../lib/evidence/testing/evidence-of.js';
import { Exchange } from '../lib/evidence/exchange.js';
import { creationOf, exchangeOf, type Sketch } from '../lib/verdict/testing/exchange.js';

const rex = { name: 'pc1 AUTH 1', categoryId: 1, status: 'sold' };
const at = (second: number): string => `2026-03-01T12:00:${String(second).padStart(2, '0')}.000Z`;
const listing = (sketch: Sketch = {}): Exchange => exchangeOf({ json: [], ...sketch });
const fetch = (sketch: Sketch = {}): Exchange =>
  exchangeOf({ operation: 'getPet', path: '/pets/7', json: { ...rex, id: 7 }, ...sketch });
const creation = (sketch: Sketch = {}): Exchange => creationOf({ ...rex, id: 7 }, { sent: rex, ...sketch });
/** What the target accepts with the valid key. */
const controls = [listing(), creation(), fetch()];
const refused: Sketch = { status: 401, json: { code: 'unauthorized', message: 'no', status: 401 } };

describe.each([
  ['AUTH-01', 'missing'],
  ['AUTH-02', 'unknown'],
  ['AUTH-03', 'malformed'],
] as const)('%s', (id, credential) => {
  const verdictOf = (...exchanges: Exchange[]) => judged(id, exchanges).verdict;

  it('judges each operation that the target accepts with the valid key', () => {
    const all = [listing, creation, fetch].map((make) => make({ ...refused, credential }));
    expect(verdictOf(...controls, ...all)).toBe('pass');
    for (const make of [listing, creation, fetch])
      expect(verdictOf(...controls, ...all, make({ credential }))).toBe('fail');
    expect(verdictOf(listing(), creation(), ...all)).toBe('inconclusive');
  });

  it('leaves requests to others that are faulty beside the credential', () => {
    const faulty = listing({ path: '/pets?limit=0', credential, status: 400 });
    expect(verdictOf(...controls, listing({ ...refused, credential }), faulty)).toBe('pass');
    expect(verdictOf(...controls, faulty)).toBe('inconclusive');
  });

  it('passes over requests over the limit', () => {
    const limited = listing({ credential, status: 429 });
    expect(verdictOf(...controls, listing({ ...refused, credential }), limited)).toBe('pass');
  });
});

describe('AUTH-04', () => {
  it('counts the refusals of the valid key', () => {
    const { verdict, findings } = judged('AUTH-04', [
      listing({ ...refused, credential: 'unknown' }),
      listing(refused),
      listing(),
    ]);
    expect([verdict, findings[0]?.message]).toEqual(['fail', 'listPets refused the valid key']);
  });

  it('is inconclusive if no operation accepts the key', () => {
    expect(judged('AUTH-04', [listing(refused), fetch({ status: 403 })]).verdict).toBe('inconclusive');
  });
});

describe('AUTH-05', () => {
  const verdictOf = (...exchanges: Exchange[]) => judged('AUTH-05', [...controls, ...exchanges]).verdict;
  const limited: Sketch = { path: '/pets?limit=0', credential: 'unknown' };

  it('judges faulty requests with a bad key on each operation', () => {
    expect(verdictOf(listing({ ...refused, ...limited }))).toBe('pass');
    expect(verdictOf(listing({ ...limited, status: 400 }))).toBe('fail');
    expect(verdictOf(creation({ sent: '{"name":', status: 400, credential: 'missing' }))).toBe('fail');
    expect(verdictOf(fetch({ path: '/pets/9', status: 404, credential: 'missing' }))).toBe('fail');
  });

  it('leaves an operation that requires no key to AUTH-01', () => {
    const open = listing({ credential: 'missing' });
    expect(
      judged('AUTH-05', [...controls, open, listing({ ...limited, credential: 'missing' })]),
    ).toMatchObject({ verdict: 'inconclusive', leftTo: ['AUTH-01'] });
  });
});

describe('AUTH-06', () => {
  const guest = { ...rex, name: 'pc1 AUTH 2' };
  const unauthorized = creation({ ...refused, sent: guest, credential: 'missing', sentAt: at(1) });
  const after = creationOf({ ...rex, name: 'pc1 AUTH 3', id: 8 }, { sentAt: at(2) });
  const page = (...names: string[]): Exchange =>
    listing({ json: names.map((name, index) => ({ ...rex, id: 8 + index, name })), sentAt: at(3) });

  it('fails if a listing shows what was refused', () => {
    const verdictOf = (...names: string[]) =>
      judged('AUTH-06', [unauthorized, after, page('pc1 AUTH 3', ...names)]).verdict;
    expect(verdictOf()).toBe('pass');
    expect(verdictOf('pc1 AUTH 2')).toBe('fail');
  });

  it('fails, too, if a creation without a key was accepted', () => {
    const accepted = creation({
      sent: guest,
      json: { ...guest, id: 9 },
      credential: 'missing',
      sentAt: at(1),
    });
    expect(judged('AUTH-06', [accepted, after, page('pc1 AUTH 3', 'pc1 AUTH 2')]).verdict).toBe('fail');
  });

  it('is inconclusive if no listing shows an animal that was created later', () => {
    expect(judged('AUTH-06', [unauthorized, after, page()]).verdict).toBe('inconclusive');
  });
});

describe('AUTH-08', () => {
  const verdictOf = (status: number, ...others: Exchange[]) =>
    judged('AUTH-08', [listing({ credential: 'equivalent', status }), ...others]).verdict;

  it('warns if the scheme in lower case is the only reason for a refusal', () => {
    expect(verdictOf(200)).toBe('pass');
    expect(verdictOf(401, listing())).toBe('warn');
    expect(verdictOf(400, listing())).toBe('warn');
    expect(verdictOf(401)).toBe('inconclusive');
    expect(verdictOf(400)).toBe('inconclusive');
    expect(verdictOf(500)).toBe('inconclusive');
  });

  it('takes for a success what plain creations get, whatever that is', () => {
    const accepted = (credential: 'valid' | 'equivalent'): Exchange => creation({ status: 202, credential });
    expect(judged('AUTH-08', [accepted('valid'), accepted('equivalent')]).verdict).toBe('pass');
  });
});

it('AUTH-07 is left to AUTH-01 if nothing is refused with 401', () => {
  const result = judged('AUTH-07', [
    ...controls,
    listing({ ...refused, status: 403, credential: 'missing' }),
  ]);
  expect(result).toMatchObject({ verdict: 'inconclusive', leftTo: ['AUTH-01'] });
});
