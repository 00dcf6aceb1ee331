import { expect, it } from 'vitest';
import { systemClock } from '../../lib/http/clock/clock.js';
import type { DryRun } from '../../lib/run/dry-run.js';
import type { Settings } from '../../lib/run/settings.js';
import { plans } from '../../lib/specification/plan.js';
import { dryRunText } from './dry-run-text.js';

const settings: Settings = {
  target: {
    name: 'staging',
    baseUrl: 'https://staging.example/v1',
    apiKey: 'k',
    plan: plans.free,
    planGiven: true,
    consistencyMs: 2_000,
    deadlineMs: 10_000,
    readOnly: false,
  },
  profile: 'standard',
  limits: 'none',
  only: [],
  except: [],
  strict: false,
  seed: 7,
  command: '',
  clock: systemClock,
  environment: {},
};
const nothing: DryRun = { byPurpose: [], requests: 0, creates: 0, waits: 0, limits: [] };

const render = (dryRun: DryRun, asked: Settings): string => dryRunText(dryRun, asked, { columns: 80 });

it('prints what is sent for which requirement, and how long it takes under the plan', () => {
  const byPurpose = [
    { purpose: 'survey', requests: 1, creates: 0 },
    { purpose: 'CREATE-01', requests: 70, creates: 70 },
  ];
  const text = render({ ...nothing, byPurpose, requests: 71, creates: 70, waits: 60_000 }, settings);
  expect(text).toContain('  survey 1   CREATE-01 70\n');
  expect(text).toContain(
    'In total: 71 requests, 70 of them creates; about 1 min of waiting on the free\nplan (60 a minute).',
  );
});

it('prints what the limits need, and nothing of probes if there are none', () => {
  const limits = [
    { plan: 'free', requests: 243, minutes: 2 },
    { plan: 'pro', requests: 963, minutes: 2 },
  ] as const;
  expect(render({ ...nothing, limits }, { ...settings, limits: 'minute' })).toBe(
    `Nothing was sent to staging, https://staging.example/v1.
The limits are tested with load, side by side:
  free        at most 243 requests, about 2 minutes
  pro         at most 963 requests, about 2 minutes
`,
  );
});

it('says why no limit is tested', () => {
  const unknown = {
    ...settings,
    limits: 'minute',
    target: { ...settings.target, planGiven: false },
  } as const;
  expect(render(nothing, unknown)).toContain('No limit is tested: the plan of the key is not known');
  expect(render(nothing, { ...settings, limits: 'minute' })).toContain(
    'No limit is tested: none is selected.',
  );
});
