import { describe, expect, it } from 'vitest';
import { evidenceOf } from '../evidence/testing/evidence-of.js';
import { creationOf, exchangeOf } from './testing/exchange.js';
import { resultOf } from './testing/result-of.js';
import { shownAsCreated } from './verbs.js';

type Fields = Readonly<Record<string, unknown>>;

/** What is found if an animal that was created from `sent` and shown as `returned` is later shown as `shown`. */
function findings(sent: Fields, returned: Fields, shown: Fields): string[] {
  const { pets } = evidenceOf([creationOf(returned, { sent }), exchangeOf({ json: [shown] })]);
  return [...pets.created.values()].flatMap((pet) =>
    pet.listed.flatMap((showing) =>
      resultOf(shownAsCreated(pet, showing)).findings.map(({ message }) => message),
    ),
  );
}

const sent = { name: 'Rex', categoryId: 9007199254740993n, status: 'sold' };
const returned = { id: 1, ...sent };

describe('an animal as it was created', () => {
  it('is shown with the same fields, and others beside them', () => {
    expect(findings(sent, returned, { ...returned, tags: [], createdAt: 'now' })).toEqual([]);
    expect(findings(sent, { ...returned, createdAt: 'then' }, { ...returned, createdAt: 'now' })).toEqual([]);
  });

  it.each([
    [{ name: 'rex' }, '`name`'],
    [{ categoryId: 9007199254740992n }, '`categoryId`'],
    [{ categoryId: '9007199254740993' }, '`categoryId`'],
    [{ status: 'pending' }, '`status`'],
    [{ status: undefined }, '`status`'],
    [{ status: null }, '`status`'],
  ])('is not one with %o', (change, field) => {
    const [finding] = findings(sent, returned, { ...returned, ...change });
    expect(finding).toContain(`the listing shows another ${field} than the creation returned`);
  });

  it('may show a status that the creation left untold, as none was sent', () => {
    const { status: _status, ...silent } = sent;
    expect(findings(silent, { id: 1, ...silent }, { ...returned, status: 'available' })).toEqual([]);
    expect(
      findings(silent, { ...returned, status: 'available' }, { ...returned, status: 'sold' }),
    ).not.toEqual([]);
  });

  it('is not judged by a field that the creation had wrong already', () => {
    expect(findings(sent, { ...returned, name: 'REX' }, { ...returned, name: 'Rex' })).toEqual([]);
  });
});
