import type { JSX } from 'preact';
import type { RunView } from '../../summary/run-view.js';
import { CauseEvidence, type CauseEvidenceProperties } from '../evidence/cause-evidence.js';
import type { ShownExchanges } from '../evidence/shown-exchanges.js';
import type { CauseGroup } from '../evidence/shown-findings.js';
import { FirstCauses } from '../parts/first-causes.js';
import { RequirementLinks, SectionLinks } from '../parts/links.js';
import { OutcomeSymbol } from '../parts/outcome-mark.js';
import { Reason, RequirementItem, WaiverNote } from '../parts/requirement-item.js';
import { Prose, TargetText } from '../parts/text.js';

/** A cause folded under a line, with all that shows it. */
function Folded({
  group,
  exchanges,
  anchor,
}: CauseEvidenceProperties & { anchor: (id: string) => { id?: string } }) {
  const { id, outcome, only, message, results, leftOpen, ids } = group.cause;
  return (
    <details class={`proof is-${outcome}`}>
      <summary>
        <OutcomeSymbol outcome={outcome} />{' '}
        <b>
          <TargetText text={ids} />
        </b>{' '}
        <Prose text={message} />
      </summary>
      <div id={`cause-${id}`} class="proof-inside">
        <ul class="tags">
          {results.map((result) => (
            <li {...anchor(result.id)}>
              <a href={`#${result.id}`}>{result.id}</a> <Prose text={result.title} />{' '}
              <span class="quiet">
                {result.level} <SectionLinks section={result.section} />
              </span>
            </li>
          ))}
        </ul>
        {only?.waived && <WaiverNote waived={only.waived} />}
        {leftOpen.length > 0 && (
          <p class="note">
            Not judged because of it: <RequirementLinks ids={leftOpen.map((result) => result.id)} />.
          </p>
        )}
        <CauseEvidence group={group} exchanges={exchanges} />
      </div>
    </details>
  );
}

export interface EvidenceSectionProperties {
  readonly groups: readonly CauseGroup[];
  readonly exchanges: ShownExchanges;
}

/** The evidence of every cause, failures first; null if nothing was found. */
export function EvidenceSection({ groups, exchanges }: EvidenceSectionProperties): JSX.Element | null {
  if (groups.length === 0) return null;
  // The annotated specification leads to the first cause of a requirement.
  const linked = new Set<string>();
  const anchor = (id: string): { id?: string } =>
    linked.size < linked.add(id).size ? { id: `findings-of-${id}` } : {};
  return (
    <section id="evidence" aria-labelledby="evidence-title">
      <h2 id="evidence-title">Evidence</h2>
      <FirstCauses
        groups={groups}
        list={(some) => (
          <>
            {some.map((group) => (
              <Folded group={group} exchanges={exchanges} anchor={anchor} />
            ))}
          </>
        )}
      />
    </section>
  );
}

/** The requirements of the selected classes that were not judged, by reason; what a cause keeps open stands with it. */
export function NotJudgedSection({ view }: { readonly view: RunView }): JSX.Element | null {
  const groups = view.notJudged;
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
