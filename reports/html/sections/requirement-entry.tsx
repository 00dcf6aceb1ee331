import type { JSX } from 'preact';
import { isRequirementId, requirementRow } from '../../../lib/specification/catalogue.js';
import type { RequirementResult } from '../../../lib/record/record.js';
import { counted } from '../../text/quantity.js';
import { Prose } from '../text/prose.js';
import { SectionReference } from '../text/section-reference.js';
import { outcomeOf } from '../parts/outcome.js';
import { OutcomeMark } from '../parts/outcome-mark.js';
import { Waiver } from './waiver.js';

/** Notes shown of one requirement: the rest is in the record. */
const mostNotes = 10;

/** How the row is judged, with the catalogue's ∀ in words. */
function judgedHow(id: string): string {
  const judged = isRequirementId(id) ? requirementRow(id).judged : '';
  return judged
    .replace(/^∀(?= \w+s\b)/, 'all')
    .replace(/^∀(?= \w)/, 'every')
    .replace(/^∀/, 'every exchange');
}

function pointTo(row: RequirementResult): JSX.Element | null {
  if (row.findings.length > 0) {
    return <a href={`#findings-of-${row.id}`}>{counted(row.findings.length, 'finding')}</a>;
  }
  if (row.level === 'OBSERVE' && (row.observations ?? []).length > 0) {
    return <a href={`#open-${row.id}`}>{counted((row.observations ?? []).length, 'observation')}</a>;
  }
  return null;
}

/** A requirement at its place in the specification: how it stands, why, and what that rests on. */
export function RequirementEntry({ row }: { readonly row: RequirementResult }): JSX.Element {
  const judged = judgedHow(row.id);
  const outcome = outcomeOf(row);
  const evidence = pointTo(row);
  // A row that the user left out is no news: its reason stands among the facts.
  const leftOut = row.verdict === 'not-tested' && row.selected !== true;
  return (
    <li class={`requirement is-${outcome}`} id={row.id}>
      <OutcomeMark outcome={outcome} />
      <div>
        <p class="requirement-title">
          <b class="requirement-id">{row.id}</b> <Prose text={row.title} />
        </p>
        {row.reason !== undefined && !leftOut && (
          <p class="reason">
            <Prose text={row.reason} />
          </p>
        )}
        {row.waived && <Waiver waived={row.waived} />}
        {(row.notes ?? []).slice(0, mostNotes).map((note) => (
          <p class="note">
            <Prose text={note} />
          </p>
        ))}
        <p class="note">
          <span class="level">{row.level}</span>{' '}
          {row.section === '' ? 'beside the specification' : <SectionReference section={row.section} />}
          {' · '}
          {leftOut ? (
            <Prose text={row.reason ?? ''} />
          ) : row.checks > 0 ? (
            counted(row.checks, 'check')
          ) : (
            'no check'
          )}
          {evidence && <> · {evidence}</>}
          {judged !== '' && (
            <>
              {' · Test: '}
              <Prose text={judged} />
            </>
          )}
        </p>
      </div>
    </li>
  );
}
