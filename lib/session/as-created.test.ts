import { describe, expect, it } from 'vitest';
import { Answer } from '../verdict/answer.js';
import { creationOf, exchangeOf } from '../verdict/testing/exchange.js';
import { Trial } from '../verdict/trial.js';
import { animalOf, type Animal } from './animal.js';
import { judgeAsCreated, judgeUntouched } from './as-created.js';

type Fields = Readonly<Record<string, unknown>>;

function animal(shown: Fields): Animal {
  const found = animalOf(shown);
  if (!found) throw new Error('an animal has an id');
  return found;
}

/** What is found where an animal that was created from `sent` and shown as `told` is later shown as `shown`. */
function findings(sent: Fields, told: Fields, shown: Fields): string[] {
  const trial = new Trial('LIST-10');
  const created = { animal: animal(told), answer: new Answer(creationOf(told, { sent })) };
  judgeAsCreated(trial, created, { animal: animal(shown), answer: new Answer(exchangeOf()) }, 'the listing');
  return trial.findings.map(({ message, expected, received }) => `${message}: ${expected}, ${received}`);
}

const sent = { name: 'Rex', categoryId: 9007199254740993n, status: 'sold' };
const told = { id: 1, ...sent };

describe('an animal as it was created', () => {
  it('is shown with the same fields, and others beside them', () => {
    expect(findings(sent, told, { ...told, tags: [], createdAt: 'now' })).toEqual([]);
    expect(findings(sent, { ...told, createdAt: 'then' }, { ...told, createdAt: 'now' })).toEqual([]);
  });

  it.each([
    [{ name: 'rex' }, '`name`'],
    [{ categoryId: 9007199254740992n }, '`categoryId`'],
    [{ categoryId: '9007199254740993' }, '`categoryId`'],
    [{ status: 'pending' }, '`status`'],
    [{ status: undefined }, '`status`'],
    [{ status: null }, '`status`'],
  ])('is not one with %o', (change, field) => {
    const [finding] = findings(sent, told, { ...told, ...change });
    expect(finding).toContain(`the listing shows another ${field} than the creation returned`);
  });

  it('may show a status that the creation left untold, as none was sent', () => {
    const { status: _status, ...silent } = sent;
    expect(findings(silent, { id: 1, ...silent }, { ...told, status: 'available' })).toEqual([]);
    expect(findings(silent, { ...told, status: 'available' }, { ...told, status: 'sold' })).not.toEqual([]);
  });

  it('is not judged by a field that the creation had wrong already', () => {
    expect(findings(sent, { ...told, name: 'REX' }, { ...told, name: 'Rex' })).toEqual([]);
  });
});

describe('an animal that must not be changed', () => {
  const before = animal({ id: 1, name: 'Rex', categoryId: 7, status: 'sold' });
  const attempts = [{ name: 'Cuckoo', status: 'pending' }];
  const after = (status: number, json?: unknown): Trial => {
    const trial = new Trial('ROBUST-02');
    const answer = new Answer(exchangeOf({ operation: 'getPet', status, json }));
    judgeUntouched(trial, before, answer, attempts, 'PUT');
    return trial;
  };

  it('is untouched as before, and where a field is shown in another way', () => {
    expect(after(200, before.shown).findings).toEqual([]);
    expect(after(200, { ...before.shown, status: undefined }).findings).toEqual([]);
    expect(after(200, { ...before.shown, name: 'rex' }).findings).toEqual([]);
  });

  it.each([
    [200, { ...before.shown, name: 'Cuckoo' }, 'PUT changed an animal'],
    [200, { ...before.shown, status: 'pending' }, 'PUT changed an animal'],
    [404, { code: 'not_found' }, 'PUT removed an animal'],
  ])('is not after %i %j', (status, json, message) => {
    expect(after(status, json).findings).toMatchObject([{ message }]);
  });
});
