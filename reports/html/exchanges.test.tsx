import { expect, test } from 'vitest';
import { restOfMessage } from './exchanges.js';

const headers = [
  ['Content-Type', 'application/json'],
  ['X-Odd', '\u202eb\n'],
] as const;

test('a message is shown as it came, with what hides itself made visible', () => {
  expect(restOfMessage(headers)).toBe('\nContent-Type: application/json\nX-Odd: \\u202eb\\n');
  const body = '{"id":9223372036854775807,"n":1.10,"s":"\\u0041\\/"}';
  expect(restOfMessage([], body)).toBe(`\n\n${body}`);
  expect(restOfMessage([], 'a\n<b>\u0007')).toBe('\n\na\n<b>\\x07');
});

test('a body that is long is cut to its beginning', () => {
  const page = JSON.stringify(Array.from({ length: 100 }, (_, id) => ({ id, name: `n${id}` })));
  const shown = restOfMessage([], page);
  expect(shown.startsWith(`\n\n${page.slice(0, 1_000)}`)).toBe(true);
  expect(shown.endsWith('…')).toBe(true);
  expect(shown.length).toBeLessThan(2_010);
});
