import type { JSX } from 'preact';
import type { RunRecord } from '../../../lib/record/record.js';
import { notJudged } from '../../summary/not-judged.js';
import { count } from '../../text/quantity.js';
import { FindingView } from '../evidence/finding-view.js';
import type { ShownExchanges } from '../evidence/shown-exchanges.js';
import type { CauseGroup, ShownFinding } from '../evidence/shown-findings.js';
import { RequirementLinks, SectionLinks } from '../parts/links.js';
import { OutcomeMark } from '../parts/outcome-mark.js';
import { Reason, RequirementItem, WaiverNote } from '../parts/requirement-item.js';
import { Prose } from '../parts/text.js';

export interface FindingsSectionProperties {
  readonly groups: readonly CauseGroup[];
  readonly exchanges: ShownExchanges;
}

/** Every cause, failures first: its requirements, the finding that shows it, and those that it explains. */
export function FindingsSection({ groups, exchanges }: FindingsSectionProperties): JSX.Element {
  // The annotated specification leads to the first cause of a requirement.
  const linked = new Set<string>();
  const anchor = (id: string): { id?: string } =>
    linked.size < linked.add(id).size ? { id: `findings-of-${id}` } : {};
  return (
    <section id="findings" aria-labelledby="findings-title">
      <h2 id="findings-title">Causes</h2>
      {groups.length === 0 && <p>None.</p>}
      {groups.map((group) => {
        const { id, outcome, only, message, results, leftOpen } = group.cause;
        return (
          <section class={`finding-group is-${outcome}`} aria-labelledby={`cause-${id}`}>
            <h3 id={`cause-${id}`}>
              <Prose text={only?.title ?? message} />
            </h3>
            <p class="tags">
              <OutcomeMark outcome={outcome} />
              {results.map((result) => (
                <a href={`#${result.id}`} {...anchor(result.id)}>
                  {result.id}
                </a>
              ))}
              {only && <span class="level">{only.level}</span>}
              {only && <SectionLinks section={only.section} />}
            </p>
            {only?.waived && <WaiverNote waived={only.waived} />}
            {leftOpen.length > 0 && (
              <p class="note">
                Not judged because of it: <RequirementLinks ids={leftOpen.map((result) => result.id)} />.
              </p>
            )}
            <Findings group={group} exchanges={exchanges} />
          </section>
        );
      })}
    </section>
  );
}

/** All findings of a requirement; of several requirements one, and the others on demand. */
function Findings({ group, exchanges }: { group: CauseGroup; exchanges: ShownExchanges }): JSX.Element {
  const { cause, shown, leftOut } = group;
  const { only } = cause;
  const view = (one: ShownFinding): JSX.Element => (
    <FindingView shownFinding={one} id={only ? undefined : one.result.id} exchanges={exchanges} />
  );
  const explained = only ? [] : shown.slice(1);
  return (
    <>
      <ol class="findings">{(only ? shown : shown.slice(0, 1)).map(view)}</ol>
      {explained.length > 0 && (
        <details>
          <summary>{count(explained.length, 'further finding')} with this cause</summary>
          <ol class="findings">{explained.map(view)}</ol>
        </details>
      )}
      {leftOut > 0 && <p class="note">{count(leftOut, 'further finding')} in report.json.</p>}
    </>
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
