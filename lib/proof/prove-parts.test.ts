import { expect, it } from 'vitest';
import type { Entry } from './matrix.js';
import { catalogue, classOf } from '../specification/catalogue.js';
import { blindTo, entryLines, totalLines } from './prove-parts.js';

const fault: Entry = {
  kind: 'fault',
  name: 'limit-ignored-by-a-service-with-a-rather-long-name',
  title:
    'A page always holds 20 animals, whatever the limit that was asked for, and so does every other page',
  profile: 'standard',
  breaks: ['LIST-02', 'LIST-04', 'LIST-07', 'CREATE-01', 'CREATE-02', 'CREATE-03'],
  turned: ['LIST-02', 'LIST-04', 'LIST-07', 'CREATE-01', 'CREATE-02', 'CREATE-03'],
  open: [],
  suiteErrors: [],
  causes: ['LIST-02 LIST-04'],
  requests: 1_280,
};
const variant: Entry = { ...fault, kind: 'variant', name: 'oldest-first', breaks: [], turned: [] };

it('tells of a fault what turned', () => {
  const lines = entryLines(fault);
  expect(lines[0]).toMatch(/^ok {2}limit-ignored/);
  expect(lines.join(' ')).toContain('CREATE-03');
  expect(entryLines({ ...fault, turned: [], breaks: [] })[0]).toMatch(/nothing turned$/);
});

it('tells of a variant that it conforms, and what stays open', () => {
  expect(entryLines(variant)).toEqual([`ok  ${'oldest-first'.padEnd(40)}conforms`]);
  const open = { ...variant, leavesOpen: ['LIST-08'], open: ['LIST-08'] };
  expect(entryLines(open)[0]).toMatch(/^ok .*conforms; open: LIST-08$/);
});

it('tells what is not as it should be, and what the fault is', () => {
  const lines = entryLines({ ...fault, turned: ['PET-01'] });
  expect(lines[0]).toMatch(/^NOT /);
  expect(lines).toContain('      turned, and should not: PET-01');
  expect(lines.join(' ')).toContain('A page always holds 20 animals');
});

it('adds up', () => {
  const text = totalLines([fault, variant], 1_234).join('\n');
  expect(text).toContain('1 fault, turning 6 requirements\n1 conforming variant, 0 pairs of faults\n2,560 ');
  expect(text).toContain('Each turned exactly what it should.');
  const wrong = totalLines([{ ...fault, turned: [] }, variant], 1_234).join('\n');
  expect(wrong).toContain('Not as they should be: limit-ignored');
});

it('tells how many faults are found under circumstances, and which are not', () => {
  const found = { ...fault, breaks: [], group: fault.breaks };
  const missed = { ...found, name: 'limit-one-less + sliding-counter', turned: [] };
  expect(entryLines(missed).join(' ')).toMatch(/^ok .* not found$/);
  expect(totalLines([found, missed], 1)).toContain(
    'Found under circumstances: 1 of 2, not limit-one-less + sliding-counter',
  );
});

it('tells for how many faults one cause is printed', () => {
  const several = { ...fault, causes: ['LIST-02', 'PET-01'] };
  expect(totalLines([fault, several], 1)).toContain('One cause is printed for 1 of 2 faults.');
});

it('is blind to a functional MUST that no fault turns, and quick may be to LIST-05', () => {
  const musts = catalogue.filter(({ id, level }) => classOf(id) === 'functional' && level === 'MUST');
  const all: Entry = { ...fault, turned: musts.map(({ id }) => id) };
  const without = (id: string): Entry => ({ ...all, turned: all.turned.filter((one) => one !== id) });
  expect(blindTo([all])).toEqual([]);
  expect(blindTo([without('LIST-05')])).toEqual(['LIST-05']);
  expect(blindTo([{ ...without('LIST-05'), profile: 'quick' }])).toEqual([]);
  expect(blindTo([{ ...without('AUTH-01'), profile: 'quick' }])).toEqual(['AUTH-01']);
  expect(blindTo([without('AUTH-01'), fault, without('PET-01')])).toEqual([]);
});
