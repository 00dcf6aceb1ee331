import { expect, it } from 'vitest';
import { UsageProblem } from '../../lib/usage/usage-problem.js';
import { parseWaivers, readWaivers } from './read-waivers.js';

const good = { id: 'LIST-09', reason: 'legacy rows', owner: 'store team', until: '2026-04-30' };

it('reads a list in YAML and the same list in JSON', () => {
  const yaml = `
# known
- id: LIST-09
  reason: legacy rows
  owner: store team
  until: 2026-04-30
- { id: AUTH-07, target: staging, reason: proxy, owner: platform, until: '2026-12-31' }
`;
  const waivers = [
    good,
    { id: 'AUTH-07', target: 'staging', reason: 'proxy', owner: 'platform', until: '2026-12-31' },
  ];
  expect(parseWaivers(yaml, 'waivers.yaml')).toEqual(waivers);
  expect(parseWaivers(JSON.stringify(waivers), 'waivers.json')).toEqual(waivers);
});

it.each(['', '# nothing yet\n', '[]'])('reads %j as no waivers', (text) => {
  expect(parseWaivers(text, 'waivers.yaml')).toEqual([]);
});

it.each([
  [
    '- id: LIST-99',
    'waivers.yaml, line 1: id names LIST-99, which is not a requirement that can fail. Did you mean LIST-0',
  ],
  [`- ${JSON.stringify({ ...good, until: undefined })}`, 'waivers.yaml, line 1: until must be'],
  ['- id: LIST-09\n  reason: ""\n  owner: a\n  until: 2026-04-30', 'line 2: reason must say why'],
  ['- id: LIST-09\n  reason: b\n  owner: " "\n  until: 2026-04-30', 'line 3: owner must say who'],
  [
    '- id: LIST-09\n  reason: b\n  owner: a\n  until: 2026-02-30',
    'line 4: until must be a date such as 2026-04-30',
  ],
  [
    '- id: LIST-09\n  reason: b\n  owner: a\n  untill: 2026-04-30\n  until: 2026-04-30',
    'unknown field untill. Did you mean until?',
  ],
  [
    '- id: LIST-09\n  raeson: b\n  owner: a\n  until: 2026-04-30',
    'unknown field raeson. Did you mean reason?',
  ],
  ['- id: LIST-09\n  owner: a\n  until: 2026-04-30', 'line 1: reason must say why the failure is tolerated'],
  [
    '- id: LIST-11\n  reason: b\n  owner: a\n  until: 2026-04-30',
    'line 1: id names LIST-11, which is not a requirement that can fail.',
  ],
  ['id: LIST-09', 'line 1: a list of waivers is expected'],
  ['- LIST-09', 'line 1: Invalid input'],
  ['- id: LIST-09\n  reason: "b', 'waivers.yaml, line '],
  ['- *nothing', 'waivers.yaml, line 1: '],
  [JSON.stringify([good, good]), 'waivers.yaml, line 1: LIST-09 is waived twice'],
])('refuses %j with the place and what to do', (text, message) => {
  expect(() => parseWaivers(text, 'waivers.yaml')).toThrow(UsageProblem);
  expect(() => parseWaivers(text, 'waivers.yaml')).toThrow(message);
});

it('refuses a file that is not there', async () => {
  await expect(readWaivers('/nowhere/waivers.yaml')).rejects.toThrow(
    /the waivers \/nowhere\/waivers\.yaml can't be read \(ENOENT\)/u,
  );
});
