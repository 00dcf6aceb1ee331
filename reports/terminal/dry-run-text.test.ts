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

it('tells what is asked for which requirement, and how long the plan makes it last', () => {
  const byPurpose = [
    { purpose: 'survey', requests: 1, creates: 0 },
    { purpose: 'CREATE-01', requests: 70, creates: 70 },
  ];
  const text = render({ ...nothing, byPurpose, requests: 71, creates: 70, waits: 60_000 }, settings);
  expect(text).toContain('survey 1       CREATE-01 70\n');
  expect(text).toContain(
    '71 requests, 70 of them creates; about 60.0 s of waiting on the plan free (60 a minute).',
  );
});

it('tells what the limits come to, and nothing of probes where there are none', () => {
  const limits = [
    { plan: 'free', requests: 243, minutes: 2 },
    { plan: 'pro', requests: 963, minutes: 2 },
  ] as const;
  expect(render({ ...nothing, limits }, { ...settings, limits: 'minute' })).toBe(
    `Nothing was sent to staging, https://staging.example/v1.
The limits are tried with load, side by side:
  free        at most 243 requests, about 2 minutes
  pro         at most 963 requests, about 2 minutes
`,
  );
});

it('says why no limit is tried', () => {
  const unknown = {
    ...settings,
    limits: 'minute',
    target: { ...settings.target, planGiven: false },
  } as const;
  expect(render(nothing, unknown)).toContain('No limit is tried: the plan of the key was not given');
  expect(render(nothing, { ...settings, limits: 'minute' })).toContain(
    'No limit is tried: none is selected.',
  );
});
