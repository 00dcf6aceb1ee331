import { describe, expect, it } from 'vitest';
import './robustness.suite.js';
import { judged } from '../lib/evidence/testing/evidence-of.js';
import type { Exchange } from '../lib/evidence/exchange.js';
import { creationOf, exchangeOf, type Sketch } from '../lib/verdict/testing/exchange.js';

/** Milliseconds after a fixed moment. */
const at = (milliseconds: number): string =>
  new Date(Date.parse('2026-03-01T12:00:00.000Z') + milliseconds).toISOString();
const lost = { status: null, failure: 'reset' } as const;

describe('ROBUST-01', () => {
  const resultOf = (...exchanges: Exchange[]) => judged('ROBUST-01', exchanges);
  const creation = (status: number, sent: unknown): Exchange =>
    exchangeOf({ operation: 'createPet', method: 'POST', status, sent });

  it('allows the statuses of each operation, and another 4xx where the specification is silent', () => {
    const verdictOf = (...exchanges: Exchange[]) => resultOf(...exchanges).verdict;
    expect(verdictOf(exchangeOf(), exchangeOf({ status: 429 }), creation(400, {}))).toBe('pass');
    expect(verdictOf(exchangeOf({ status: 400 }))).toBe('fail');
    expect(verdictOf(exchangeOf({ status: 400, path: '/pets?limit=0' }))).toBe('pass');
    expect(verdictOf(creation(422, {}))).toBe('fail');
    expect(verdictOf(creation(422, { name: ' Rex', categoryId: 1 }))).toBe('pass');
    expect(verdictOf(creation(500, { name: ' Rex', categoryId: 1 }))).toBe('fail');
    expect(verdictOf(exchangeOf({ operation: 'getPet', path: '/pets/x', status: 422 }))).toBe('pass');
  });

  it('names the lone surrogate behind which no listing is served, and no other creation', () => {
    const sent = { name: 'Rex \ud800', categoryId: 1 };
    const messagesOf = (sentBefore: unknown, after: number) =>
      resultOf(
        exchangeOf({ sentAt: at(0) }),
        exchangeOf({
          operation: 'createPet',
          method: 'POST',
          status: 500,
          sent: sentBefore,
          sentAt: at(100),
        }),
        exchangeOf({ status: 500, sentAt: at(200) }),
        exchangeOf({ status: after, sentAt: at(300) }),
      ).findings.map(({ message }) => message);
    const since = /^listPets responds 500, .*, since an animal was created: .* lone surrogate/;
    expect(messagesOf(sent, 500)).toContainEqual(expect.stringMatching(since));
    expect(messagesOf(sent, 200)).not.toContainEqual(expect.stringMatching(since));
    expect(messagesOf({ ...sent, name: 'Rex' }, 500)).not.toContainEqual(expect.stringMatching(since));
  });

  it('allows 415 for a creation that has neither a body nor a Content-Type', () => {
    expect(resultOf(creation(415, undefined)).verdict).toBe('pass');
    expect(resultOf(creation(415, 'text')).verdict).toBe('fail');
  });

  it('attributes what broke off to the network if it succeeds when it is sent again', () => {
    const again = resultOf(exchangeOf({ id: 'e1', ...lost }), exchangeOf({ repeats: 'e1' }));
    expect([again.verdict, again.notes?.[0]]).toEqual(['pass', expect.stringContaining('1 of 2 requests')]);
    const twice = resultOf(
      exchangeOf(),
      exchangeOf({ id: 'e1', ...lost }),
      exchangeOf({ repeats: 'e1', ...lost }),
    );
    expect(twice.findings).toMatchObject([{ message: expect.stringContaining('no complete response') }]);
    expect(resultOf(exchangeOf(), exchangeOf(lost)).verdict).toBe('inconclusive');
    expect(resultOf(exchangeOf(lost), exchangeOf(lost)).reason).toContain('no response was ever received');
  });

  it('fails a target that loses requests in each of the last rounds of ten at once', () => {
    const round = (start: number, losses: number): Exchange[] =>
      Array.from({ length: 10 }, (_one, index) => {
        const id = `e${start + index}`;
        const first = exchangeOf({ id, sentAt: at(start), total: 50, ...(index < losses && lost) });
        return index < losses ? [first, exchangeOf({ sentAt: at(start + 60), repeats: id })] : [first];
      }).flat();
    const messageOf = (...losses: number[]) =>
      resultOf(...losses.flatMap((number, index) => round(100 * index, number))).findings[0]?.message;
    const clean = [0, 0, 0, 0, 0];
    expect(messageOf(...clean, 3, 2, 1)).toMatch(
      /^6 of \d+ requests broke off and succeeded only when repeated$/u,
    );
    expect(messageOf(...clean, 3, 2, 1, 0)).toBeUndefined();
    expect(messageOf(...clean, 2, 2, 1)).toBeUndefined();
    expect(messageOf(...clean, 3, 4, 0)).toBeUndefined();
  });
});

describe('ROBUST-02', () => {
  const rex = { name: 'pc1 one', categoryId: 1, status: 'sold' };
  const created = creationOf({ ...rex, id: 7 }, { sent: rex, sentAt: at(0) });
  const look = (time: number, shown: object = rex, id = 7): Exchange =>
    exchangeOf({ operation: 'getPet', path: `/pets/${id}`, json: { ...shown, id }, sentAt: at(time) });
  const unlisted = (method: string, time: number, sketch: Sketch = {}): Exchange =>
    exchangeOf({
      operation: null,
      method,
      path: '/pets/7',
      status: 405,
      sent: { ...rex, name: 'pc1 two' },
      sentAt: at(time),
      ...sketch,
    });
  const resultOf = (...exchanges: Exchange[]) => judged('ROBUST-02', [created, look(100), ...exchanges]);

  it('passes if methods that are not listed are refused and leave the animal as it was', () => {
    expect(resultOf(unlisted('PUT', 200), look(300)).verdict).toBe('pass');
    expect(resultOf(unlisted('PUT', 200, { status: 200 }), look(300)).verdict).toBe('warn');
    // It is not one of those that the requirement is about.
    expect(resultOf(unlisted('GET', 200, { path: '/v1/pets', status: 200 })).verdict).toBe('inconclusive');
  });

  it('fails if an animal was changed or removed', () => {
    const changed = { ...rex, name: 'pc1 two' };
    const both = [unlisted('PATCH', 200), unlisted('PUT', 210), look(300, changed)];
    const message = (...exchanges: Exchange[]) => resultOf(...exchanges).findings.map((one) => one.message);
    expect(message(...both)).toEqual(['a method that is not listed changed an animal']);
    const gone = exchangeOf({ operation: 'getPet', path: '/pets/7', status: 404, sentAt: at(300) });
    expect(message(unlisted('DELETE', 200), gone)).toEqual(['a method that is not listed removed an animal']);
  });

  it('leaves it to others if getPet does not show the animal, or shows animals now so, now otherwise', () => {
    const none = exchangeOf({ operation: 'getPet', path: '/pets/7', status: 500, sentAt: at(150) });
    expect(resultOf(none, unlisted('PUT', 200), look(300)).leftTo).toEqual(['GET-04']);
    // Neither a name that was sent nor one that is shown: that is no animal that took it.
    const wrapped = exchangeOf({
      operation: 'getPet',
      path: '/pets/7',
      json: [{ ...rex, id: 7 }],
      sentAt: at(300),
    });
    expect(resultOf(unlisted('DELETE', 200, { sent: undefined }), wrapped)).toMatchObject({
      verdict: 'inconclusive',
      leftTo: ['GET-01'],
    });
    const sold = { ...rex, status: 'pending' };
    const other = creationOf({ ...rex, id: 8 }, { sent: rex, sentAt: at(0) });
    expect(
      resultOf(other, look(110, rex, 8), look(120, sold, 8), unlisted('PUT', 200), look(300, sold)).leftTo,
    ).toEqual(['GET-01']);
  });

  it('warns if a listing shows another animal of the name that was sent', () => {
    const page = (name: string): Exchange => exchangeOf({ json: [{ ...rex, id: 9, name }], sentAt: at(400) });
    expect(resultOf(unlisted('POST', 200), look(300), page('pc1 one')).verdict).toBe('pass');
    expect(resultOf(unlisted('POST', 200), look(300), page('pc1 two')).findings[0]?.message).toBe(
      'a method that is not listed added an animal',
    );
  });
});
