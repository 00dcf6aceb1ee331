import type { JSX } from 'preact';
import type { FindingGroup } from '../evidence/shown-findings.js';
import type { ShownExchanges } from '../evidence/shown-exchanges.js';
import { FindingView } from '../evidence/finding-view.js';
import { counted } from '../../text/quantity.js';
import { Prose } from '../text/prose.js';
import { SectionReference } from '../text/section-reference.js';
import { outcomeOf } from '../parts/outcome.js';
import { OutcomeMark } from '../parts/outcome-mark.js';
import { Waiver } from './waiver.js';

function Group({ group, exchanges }: { readonly group: FindingGroup; readonly exchanges: ShownExchanges }) {
  const { row } = group;
  return (
    <section class={`finding-group is-${outcomeOf(row)}`} aria-labelledby={`findings-of-${row.id}`}>
      <h3 id={`findings-of-${row.id}`}>
        <a href={`#${row.id}`}>{row.id}</a> <Prose text={row.title} />
      </h3>
      <p class="tags">
        <OutcomeMark outcome={outcomeOf(row)} /> <span class="level">{row.level}</span>{' '}
        <SectionReference section={row.section} />
      </p>
      {row.waived && <Waiver waived={row.waived} />}
      <ol class="findings">
        {group.shown.map((shownFinding) => (
          <FindingView shownFinding={shownFinding} exchanges={exchanges} />
        ))}
      </ol>
      {group.leftOut > 0 && (
        <p class="note">
          {counted(group.leftOut, 'further finding')} of {row.id} {group.leftOut === 1 ? 'stands' : 'stand'}{' '}
          in <code>report.json</code>.
        </p>
      )}
    </section>
  );
}

export interface FindingsSectionProperties {
  readonly groups: readonly FindingGroup[];
  readonly exchanges: ShownExchanges;
}

/** Every finding, failures first, with its evidence. */
export function FindingsSection({ groups, exchanges }: FindingsSectionProperties): JSX.Element {
  return (
    <section id="findings" aria-labelledby="findings-title">
      <h2 id="findings-title">Findings</h2>
      {groups.length === 0 ? (
        <p>None: nothing that was judged missed a requirement.</p>
      ) : (
        groups.map((group) => <Group group={group} exchanges={exchanges} />)
      )}
    </section>
  );
}
