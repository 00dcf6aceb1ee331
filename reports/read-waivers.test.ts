import { expect, it } from 'vitest';
import { UsageProblem } from '../lib/explain/usage-problem.js';
import { parseWaivers, readWaivers } from './waivers.js';

const good = { id: 'LIST-09', reason: 'legacy rows', owner: 'store team', until: '2026-04-30' };

it('reads a list in YAML and the same list in JSON', async () => {
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
  expect(await parseWaivers(yaml, 'waivers.yaml')).toEqual(waivers);
  expect(await parseWaivers(JSON.stringify(waivers), 'waivers.json')).toEqual(waivers);
});

it.each(['', '# nothing yet\n', '[]'])('reads %j as no waivers', async (text) => {
  expect(await parseWaivers(text, 'waivers.yaml')).toEqual([]);
});

it.each([
  [
    [{ ...good, id: 'LIST-99' }],
    'waivers.yaml: id of waiver 1 must be the name of a requirement that can fail; got "LIST-99"',
  ],
  [
    [good, { ...good, id: 'LIST-11' }],
    'id of waiver 2 must be the name of a requirement that can fail; got "LIST-11"',
  ],
  [[{ ...good, until: undefined }], 'until of waiver 1 must be a date such as 2026-04-30'],
  [[{ ...good, until: '2026-02-30' }], 'until of waiver 1 must be a date such as 2026-04-30'],
  [[{ ...good, reason: '' }], 'reason of waiver 1 must say why the failure is tolerated'],
  [[{ ...good, owner: ' ' }], 'owner of waiver 1 must say who'],
  [[{ ...good, reason: undefined, raeson: 'b' }], 'reason of waiver 1 must say why the failure is tolerated'],
  [[{ ...good, matches: {} }], 'matches of waiver 1 must name an operation, a status or words'],
  [good, 'waivers.yaml: a list of waivers is expected'],
  [['LIST-09'], 'waivers.yaml: a list of waivers is expected'],
  [[{ ...good, raeson: 'b' }], 'unknown option raeson. Did you mean reason?'],
])('refuses %j with the place and what to do', async (waivers, message) => {
  const parsed = parseWaivers(JSON.stringify(waivers), 'waivers.yaml');
  await expect(parsed).rejects.toThrow(UsageProblem);
  await expect(parsed).rejects.toThrow(message);
});

it.each([
  ['- id: LIST-09\n  reason: "b', /^waivers\.yaml: .* in line \d$/u],
  ['- *nothing', /^waivers\.yaml: not valid YAML: unidentified alias/u],
])('refuses %j, which is not YAML, in one line', async (text, message) => {
  await expect(parseWaivers(text, 'waivers.yaml')).rejects.toThrow(message);
});

it('refuses a file that is not there', async () => {
  await expect(readWaivers('/nowhere/waivers.yaml')).rejects.toThrow(
    /the waivers \/nowhere\/waivers\.yaml can't be read \(ENOENT\)/u,
  );
});
