import { expect, it } from 'vitest';
import { systemClock } from '../../lib/http/clock/clock.js';
import type { DryRun } from '../../lib/run/dry-run.js';
import type { Settings } from '../../lib/run/settings.js';
import { plans } from '../../lib/specification/plan.js';
import { dryRunText } from './dry-run-text.js';

const target = {
  name: 'staging',
  baseUrl: 'https://staging.example/v1',
  apiKey: 'k',
  plan: plans.free,
  planGiven: true,
  consistencyMs: 2_000,
  deadlineMs: 10_000,
  readOnly: false,
};
const settings: Settings = {
  target,
  profile: 'standard',
  limits: 'none',
  only: [],
  except: [],
  strict: false,
  seed: 7,
  command: '',
  clock: systemClock,
};

function render(dryRun: Partial<DryRun>, asked: Partial<Settings> = {}): string {
  const nothing: DryRun = { sent: 0, byOperation: {}, waits: 0, limits: { requests: 0, minutes: 0 } };
  return dryRunText({ ...nothing, ...dryRun }, { ...settings, ...asked }, { columns: 80 });
}

it('prints what is sent, and how long it takes under the plan', () => {
  const text = render({ sent: 71, byOperation: { listPets: 1, createPet: 70 }, waits: 60_000 });
  expect(text.replaceAll('\n', ' ')).toContain(
    'sends 71 requests: 1 listPets, 70 createPet. There is about 1 min of waiting on the free plan (60 a minute).',
  );
});

it('prints what the limits need, or why none is tested, and nothing of probes if there are none', () => {
  const limits = { requests: 243, minutes: 2 };
  expect(render({ limits }, { limits: 'minute' })).toBe(
    `Nothing was sent to staging, https://staging.example/v1.
The limits are tested with load: at most 243 requests, about 2 minutes.
`,
  );
  expect(render({}, { limits: 'minute' })).toContain('No limit is tested: none is selected, or the plan');
});
