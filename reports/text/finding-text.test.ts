import { expect, it } from 'vitest';
import { withoutCodeMarks } from './finding-text.js';

it.each([
  ['`message`: a string', 'message: a string'],
  ['no `security`', 'no security'],
  ['responses: `201`, `401`', 'responses: 201, 401'],
  ['201 {"name":"`Rex`"} for `name`', '201 {"name":"`Rex`"} for name'],
  ['"a \\"`b`\\" c" `d`', '"a \\"`b`\\" c" d'],
  ['a lone ` stays', 'a lone ` stays'],
])('writes %s as %s', (text, plain) => {
  expect(withoutCodeMarks(text)).toBe(plain);
});
