import { expect, it } from 'vitest';
import { withoutLogCommand } from './log-commands.js';

it.each([
  ['::error::x', ': :error::x'],
  ['   ::add-mask::x', '   : :add-mask::x'],
  ['a ##[group]b ##vso[x] ##teamcity[y]', 'a # #[group]b # #vso[x] # #teamcity[y]'],
  ['one\n::set-output', 'one\n: :set-output'],
  ['std::vector, ## heading', 'std::vector, ## heading'],
])('makes %j harmless', (line, harmless) => {
  expect(withoutLogCommand(line)).toBe(harmless);
});
