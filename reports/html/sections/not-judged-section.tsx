import type { JSX } from 'preact';
import type { RunRecord } from '../../../lib/record/record.js';
import { notJudged } from '../../summary/not-judged.js';
import { Prose } from '../text/prose.js';
import { RequirementLinks } from '../text/requirement-links.js';
import { OutcomeMark } from '../parts/outcome-mark.js';

/** What this report can't claim: the rows without a judgement, by reason. */
export function NotJudgedSection({ record }: { readonly record: RunRecord }): JSX.Element | null {
  const groups = notJudged(record.requirements);
  if (groups.length === 0) return null;
  return (
    <section id="not-judged" aria-labelledby="not-judged-title">
      <h2 id="not-judged-title">What was not judged, and why</h2>
      <ul class="requirements compact">
        {groups.map(({ verdict, reason, ids }) => (
          <li class={`requirement is-${verdict}`}>
            <OutcomeMark outcome={verdict} />
            <div>
              <p class="requirement-title">
                <RequirementLinks ids={ids} inRanges />
              </p>
              <p class="reason">
                <Prose text={reason} />
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
