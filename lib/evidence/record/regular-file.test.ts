import { expect, it } from 'vitest';
import { faultyRecord } from '../../../reports/testing/sample-record.js';
import { recordText } from './regular-file.js';

it('writes no half of a surrogate pair, which strict readers of JSON refuse', () => {
  const record = { ...faultyRecord(), leftovers: [{ id: '1', name: 'half \ud800, whole 😀' }] };
  const text = recordText(record);
  expect(text).not.toMatch(/\\ud[89a-f]/i);
  expect(JSON.parse(text)).toMatchObject({ leftovers: [{ id: '1', name: 'half \ufffd, whole 😀' }] });
});

it('writes no control character as it came, which a terminal may obey', () => {
  const record = { ...faultyRecord(), leftovers: [{ id: '1', name: 'red \u009b31m' }] };
  expect(recordText(record)).toContain('red \\u009b31m');
  expect(JSON.parse(recordText(record))).toEqual(record);
});
