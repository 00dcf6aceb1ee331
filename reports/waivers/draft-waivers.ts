import type { RunRecord } from '../../lib/evidence/record/record.js';
import { clip } from '../../lib/explain/clip.js';
import { printable } from '../../lib/explain/printable.js';
import { outcomeOf } from '../summary/requirement-outcome.js';
import { runCauses } from '../summary/run-causes.js';

/** How long a drafted waiver holds unless its owner changes it. */
const daysToFix = 30;

const head = `# Waivers for known failures. Each needs a reason and an owner before it can be used; a waiver that expires
# (after its day "until", by UTC) or that no longer matches a failure fails the run.
`;

/**
 * A file of waivers to start from, in YAML: one for each failure of the run and for what can't be judged because of it, their
 * reason and owner still to be filled in.
 */
export function draftWaivers(record: RunRecord, now: Date): string {
  const until = new Date(now.getTime() + daysToFix * 86_400_000).toISOString().slice(0, 10);
  const open = new Set(runCauses(record).flatMap(({ leftOpen }) => leftOpen.map(({ id }) => id)));
  const wanted = record.requirements.filter(
    (result) => outcomeOf(result, record) === 'fail' || (open.has(result.id) && !result.waived),
  );
  const drafts = wanted.map(({ id, level, title, findings, reason }) => {
    const message = clip(printable(findings[0]?.message ?? reason ?? title), 160);
    return `
# ${level} ${printable(title)}: ${message}
- id: ${JSON.stringify(id)}
  target: ${JSON.stringify(record.target.name)}
  reason: ""
  owner: ""
  until: ${until}
`;
  });
  return drafts.length === 0 ? `${head}[]\n` : `${head}${drafts.join('')}`;
}
