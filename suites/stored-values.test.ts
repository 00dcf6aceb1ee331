import { describe, expect, it } from 'vitest';
import './stored-values.suite.js';
import { judged } from '../lib/evidence/testing/evidence-of.js';
import type { Exchange } from '../lib/evidence/exchange.js';
import { creationOf, exchangeOf } from '../lib/verdict/testing/exchange.js';

const animal = { id: 1, name: 'Rex', categoryId: 7, status: 'sold' };
const created = (change: object, shown: object = {}): Exchange =>
  creationOf({ ...animal, ...change }, { json: { ...animal, ...change, ...shown } });
const refused = (change: object, status = 400): Exchange =>
  creationOf({ ...animal, ...change }, { status, json: {} });
const control = created({});

describe('CREATE-12', () => {
  const long = { id: 2, categoryId: 9007199254740993n };
  const of = (...exchanges: Exchange[]): string => judged('CREATE-12', [control, ...exchanges]).verdict;

  it('passes if every digit comes back, and fails if one does not', () => {
    expect(of(created(long))).toBe('pass');
    expect(of(created(long, { categoryId: 9007199254740992n }))).toBe('fail');
    expect(of(created(long), exchangeOf({ json: [{ ...animal, ...long, categoryId: 1 }] }))).toBe('fail');
  });

  it('shows the smallest category that is not kept', () => {
    const longest = { id: 3, categoryId: 9223372036854775807n };
    const rounded = [created(longest, { categoryId: 2n ** 63n }), created(long, { categoryId: 2n ** 53n })];
    expect(judged('CREATE-12', [control, ...rounded]).findings).toMatchObject([
      {
        message: 'the created Pet does not have the `categoryId` that was sent',
        received: '9007199254740992',
      },
    ]);
  });

  it('fails if one is refused, unless the target checks categories', () => {
    expect(of(refused(long))).toBe('fail');
    expect(of(refused(long), refused({ categoryId: 8 }))).toBe('not-applicable');
    expect(of(created(long), refused({ categoryId: 8 }))).toBe('pass');
    expect(of(created(long), refused({ categoryId: 0 }))).toBe('pass');
  });

  it('is inconclusive if nothing was accepted, or nothing was tried', () => {
    expect(judged('CREATE-12', [refused(long)]).leftTo).toEqual(['CREATE-01']);
    expect(of()).toBe('inconclusive');
  });
});

describe('CREATE-13', () => {
  const text = { id: 2, name: 'Zoë "1"' };
  const long = { id: 3, name: 'x'.repeat(65) };
  const of = (...exchanges: Exchange[]): string => judged('CREATE-13', [control, ...exchanges]).verdict;

  it('passes if text comes back as it was sent, and fails if it does not', () => {
    expect(of(created(text))).toBe('pass');
    expect(of(created(text, { name: 'Zoe "1"' }))).toBe('fail');
    expect(of(created(text), exchangeOf({ json: [{ ...animal, ...text, name: 'Zo' }] }))).toBe('fail');
  });

  it('fails if text is refused, and a plain name of as many bytes is not', () => {
    expect(of(refused(text))).toBe('inconclusive');
    expect(of(refused(text), created({ id: 4, name: 'x'.repeat(8) }))).toBe('fail');
    expect(of(refused(text), refused({ name: 'x'.repeat(8) }), created({ id: 4, name: 'Ë' }))).toBe('pass');
  });

  it('fails if text is refused, though a body with another fault is refused, too', () => {
    const faulty = refused({ name: 'x', categoryId: undefined });
    expect(of(refused(text), faulty, created({ id: 4, name: 'x'.repeat(8) }))).toBe('fail');
  });

  it('lets a long name be refused, and not be cut', () => {
    expect(of(created(text), refused(long, 422))).toBe('pass');
    expect(of(created(text), created(long))).toBe('pass');
    expect(of(created(text), created(long, { name: 'x'.repeat(64) }))).toBe('fail');
  });

  it('leaves a body that is not JSON to MEDIA-01', () => {
    const broken = creationOf({ ...animal, ...text }, { text: '{"name":"Zo' });
    expect(judged('CREATE-13', [control, broken]).leftTo).toEqual(['MEDIA-01']);
  });
});
