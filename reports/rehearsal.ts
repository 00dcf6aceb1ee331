import type { Rehearsal } from '../lib/run/rehearsal.js';
import type { Settings } from '../lib/run/settings.js';
import { duration } from './duration.js';

/** What `--dry-run` prints: what would be asked of the target, and how long the plan makes it take. */
export function renderRehearsal(
  { byPurpose, requests, creates, waits }: Rehearsal,
  { target, profile, seed }: Settings,
  { columns }: { columns: number },
): string {
  const entries = byPurpose.map(({ purpose, requests: count }) => `${purpose} ${count}`);
  const width = Math.max(...entries.map((entry) => entry.length), 1) + 3;
  const perLine = Math.max(1, Math.floor((columns - 2) / width));
  const lines: string[] = [];
  for (let start = 0; start < entries.length; start += perLine) {
    lines.push(
      `  ${entries
        .slice(start, start + perLine)
        .map((entry) => entry.padEnd(width))
        .join('')
        .trimEnd()}`,
    );
  }
  const plan = `${target.plan.name} (${target.plan.perMinute} a minute)${target.planGiven ? '' : ', assumed: none was given'}`;
  return `Nothing was sent to ${target.name}, ${target.baseUrl}.
A ${profile} run, rehearsed with seed ${seed} against the embedded reference service with an empty store, asks:

${lines.join('\n')}

${requests} requests, ${creates} of them creates${target.readOnly ? ' (read-only)' : ''}; ${waits > 1_000 ? `about ${duration(waits)} of waiting` : 'no waiting'} on the plan ${plan}.
A store that holds animals, or knows its categories, takes a few more or fewer.
`;
}
