import { expect, it } from 'vitest';
import { requirementRanges } from './requirement-id.js';

it.each([
  [[], ''],
  [['AUTH-01'], 'AUTH-01'],
  [['AUTH-01', 'AUTH-02'], 'AUTH-01, AUTH-02'],
  [['AUTH-01', 'AUTH-02', 'AUTH-03', 'AUTH-05', 'LIST-06'], 'AUTH-01 to AUTH-03, AUTH-05, LIST-06'],
  [['LIST-09', 'LIST-10', 'LIST-11'], 'LIST-09 to LIST-11'],
])('writes %j as "%s"', (ids, text) => {
  expect(requirementRanges(ids)).toBe(text);
});
