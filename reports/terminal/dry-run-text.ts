import type { DryRun } from '../../lib/run/dry-run.js';
import type { Settings } from '../../lib/run/settings.js';
import { count, duration, integer } from '../text.js';
import { layoutOf } from './layout.js';

/** What `--dry-run` prints: what a run would send to the target, and how long it would take under the plan. */
export function dryRunText(plan: DryRun, settings: Settings, { columns }: { columns: number }): string {
  const { target, limits } = settings;
  const { requests, minutes } = plan.limits;
  const ofLimits =
    requests === 0
      ? 'No limit is tested: none is selected, or the plan of the key is not known (--plan, NAME_PLAN).'
      : `The limits are tested with load: at most ${count(requests, 'request')}, about ${count(minutes, 'minute')}.`;
  return [
    `Nothing was sent to ${target.name}, ${target.baseUrl}.`,
    ...(plan.sent === 0 ? [] : [layoutOf({ columns, colour: false }).paragraph('', runText(plan, settings))]),
    ...(limits === 'none' ? [] : [ofLimits]),
    '',
  ].join('\n');
}

function runText({ sent, byOperation, waits }: DryRun, { target, profile, seed }: Settings): string {
  const { name, perMinute } = target.plan;
  const operations = Object.entries(byOperation).map(([name, number]) => `${integer(number)} ${name}`);
  const given = target.planGiven ? '' : ', assumed because none was given';
  const waiting = waits > 1_000 ? `about ${duration(waits)} of waiting` : 'no waiting';
  return [
    `A ${profile} run with seed ${seed}, tried against the embedded reference service with an empty store, sends ${count(sent, 'request')}: ${operations.join(', ')}.`,
    `There is ${waiting} on the ${name} plan (${integer(perMinute)} a minute${given}).`,
    'A store that already holds animals or categories takes a few more or fewer.',
  ].join(' ');
}
