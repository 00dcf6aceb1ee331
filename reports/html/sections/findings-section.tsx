import type { JSX } from 'preact';
import type { RunRecord } from '../../../lib/record/record.js';
import { notJudged } from '../../summary/not-judged.js';
import { outcomeOf } from '../../summary/requirement-outcome.js';
import { count } from '../../text/quantity.js';
import { FindingView } from '../evidence/finding-view.js';
import type { ShownExchanges } from '../evidence/shown-exchanges.js';
import type { Group, ShownFinding } from '../evidence/shown-findings.js';
import { RequirementLinks, SectionLinks } from '../parts/links.js';
import { OutcomeMark } from '../parts/outcome-mark.js';
import { Reason, RequirementItem, WaiverNote } from '../parts/requirement-item.js';
import { Prose } from '../parts/text.js';

export interface FindingsSectionProperties {
  readonly record: RunRecord;
  readonly groups: readonly Group<ShownFinding>[];
  readonly exchanges: ShownExchanges;
}

/** Every finding, failures first, with its evidence. */
export function FindingsSection({ record, groups, exchanges }: FindingsSectionProperties): JSX.Element {
  return (
    <section id="findings" aria-labelledby="findings-title">
      <h2 id="findings-title">Findings</h2>
      {groups.length === 0 && <p>None.</p>}
      {groups.map(({ result, shown, leftOut }) => {
        const { id, title, level, section, waived } = result;
        const outcome = outcomeOf(result, record);
        return (
          <section class={`finding-group is-${outcome}`} aria-labelledby={`findings-of-${id}`}>
            <h3 id={`findings-of-${id}`}>
              <a href={`#${id}`}>{id}</a> <Prose text={title} />
            </h3>
            <p class="tags">
              <OutcomeMark outcome={outcome} /> <span class="level">{level}</span>{' '}
              <SectionLinks section={section} />
            </p>
            {waived && <WaiverNote waived={waived} />}
            <ol class="findings">
              {shown.map((one) => (
                <FindingView shownFinding={one} result={result} exchanges={exchanges} />
              ))}
            </ol>
            {leftOut > 0 && <p class="note">{count(leftOut, 'further finding')} in report.json.</p>}
          </section>
        );
      })}
    </section>
  );
}

/** The requirements without a judgement, by reason. */
export function NotJudgedSection({ record }: { readonly record: RunRecord }): JSX.Element | null {
  const groups = notJudged(record.requirements);
  if (groups.length === 0) return null;
  return (
    <section id="not-judged" aria-labelledby="not-judged-title">
      <h2 id="not-judged-title">What was not judged, and why</h2>
      <ul class="requirements compact">
        {groups.map(({ verdict, reason, ids }) => (
          <RequirementItem outcome={verdict} title={<RequirementLinks ids={ids} />}>
            <Reason text={reason} />
          </RequirementItem>
        ))}
      </ul>
    </section>
  );
}
