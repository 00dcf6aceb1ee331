import type { DryRun } from '../../lib/run/dry-run.js';
import type { Settings } from '../../lib/run/settings.js';
import { duration } from '../text/duration.js';
import { count } from '../../lib/usage/count.js';

/** What `--dry-run` prints: what would be asked of the target, and how long the plan makes it take. */
export function dryRunText(dryRun: DryRun, settings: Settings, { columns }: { columns: number }): string {
  const { target } = settings;
  return [
    `Nothing was sent to ${target.name}, ${target.baseUrl}.`,
    ...(dryRun.requests === 0 ? [] : probeLines(dryRun, settings, columns)),
    ...limitLines(dryRun, settings),
    '',
  ].join('\n');
}

function probeLines(dryRun: DryRun, { target, profile, seed }: Settings, columns: number): string[] {
  const { requests, creates, waits } = dryRun;
  const plan = `${target.plan.name} (${target.plan.perMinute} a minute)${target.planGiven ? '' : ', assumed: none was given'}`;
  return [
    `A ${profile} run, rehearsed with seed ${seed} against the embedded reference service with an empty store, asks:`,
    '',
    ...table(dryRun, columns),
    '',
    `${count(requests, 'request')}, ${creates} of them creates${target.readOnly ? ' (read-only)' : ''}; ${waits > 1_000 ? `about ${duration(waits)} of waiting` : 'no waiting'} on the plan ${plan}.`,
    'What several requirements need is asked once: survey, control, stock, aftermath.',
    'A store that holds animals, or knows its categories, takes a few more or fewer.',
  ];
}

function table({ byPurpose }: DryRun, columns: number): string[] {
  const entries = byPurpose.map(({ purpose, requests }) => `${purpose} ${requests}`);
  const width = Math.max(...entries.map((entry) => entry.length), 1) + 3;
  const perLine = Math.max(1, Math.floor((columns - 2) / width));
  const lines: string[] = [];
  for (let start = 0; start < entries.length; start += perLine) {
    const cells = entries.slice(start, start + perLine).map((entry) => entry.padEnd(width));
    lines.push(`  ${cells.join('').trimEnd()}`);
  }
  return lines;
}

function limitLines({ limits }: DryRun, { limits: asked, target, planKeys }: Settings): string[] {
  if (asked === 'none') return [];
  if (limits.length === 0) {
    const unknown = planKeys === undefined && !target.planGiven;
    return [
      `No limit is tried: ${unknown ? 'the plan of the key was not given (--plan, or NAME_PLAN)' : 'none is selected'}.`,
    ];
  }
  return [
    `The limits are tried with load${limits.length > 1 ? ', side by side' : ''}:`,
    ...limits.map(
      ({ plan, requests, minutes }) =>
        `  ${plan.padEnd(12)}at most ${count(requests, 'request')}, about ${count(minutes, 'minute')}`,
    ),
  ];
}
