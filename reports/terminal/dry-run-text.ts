import type { DryRun } from '../../lib/run/dry-run.js';
import type { Settings } from '../../lib/run/settings.js';
import { count, duration, integer } from '../text/quantity.js';
import { layoutOf } from './layout.js';

/** What `--dry-run` prints: what a run would send to the target, and how long it would take under the plan. */
export function dryRunText(plan: DryRun, settings: Settings, { columns }: { columns: number }): string {
  const { target } = settings;
  return [
    `Nothing was sent to ${target.name}, ${target.baseUrl}.`,
    ...(plan.requests === 0 ? [] : probeLines(plan, settings, columns)),
    ...limitLines(plan, settings),
    '',
  ].join('\n');
}

function probeLines({ byPurpose, requests, creates, waits }: DryRun, settings: Settings, columns: number) {
  const { target, profile, seed } = settings;
  const { paragraph } = layoutOf({ columns, colour: false });
  const purposes = byPurpose.map(({ purpose, requests: sent }) => `${purpose}\u00A0${sent}`).join('   ');
  const given = target.planGiven ? '' : ', assumed because none was given';
  const waiting = waits > 1_000 ? `about ${duration(waits)} of waiting` : 'no waiting';
  return [
    paragraph(
      '',
      `A ${profile} run with seed ${seed}, tried against the embedded reference service with an empty store, sends these requests for each requirement:`,
    ),
    '',
    paragraph('  ', purposes).replaceAll('\u00A0', ' '),
    '',
    paragraph(
      '',
      `In total: ${count(requests, 'request')}, ${integer(creates)} of them creates${target.readOnly ? ' (read-only)' : ''}; ${waiting} on the ${target.plan.name} plan (${integer(target.plan.perMinute)} a minute${given}).`,
    ),
    paragraph('', 'A store that already holds animals or categories takes a few more or fewer.'),
  ];
}

function limitLines({ limits }: DryRun, { limits: selected, target }: Settings): string[] {
  if (selected === 'none') return [];
  if (!limits) {
    const unknown = 'the plan of the key is not known (give --plan, or NAME_PLAN)';
    return [`No limit is tested: ${target.planGiven ? 'none is selected' : unknown}.`];
  }
  const { requests, minutes } = limits;
  return [
    `The limits are tested with load: at most ${count(requests, 'request')}, about ${count(minutes, 'minute')}.`,
  ];
}
