import type { ComponentChildren, JSX } from 'preact';
import type { RequirementResult } from '../../../lib/record/record.js';
import type { Outcome } from '../../summary/requirement-outcome.js';
import { waiverText } from '../../text/finding-text.js';
import { OutcomeMark } from './outcome-mark.js';
import { Prose } from './text.js';

/** Notes shown of one requirement: the rest is in the record. */
const mostNotes = 10;

/** An entry of a list of requirements: its outcome, a title and what belongs to it. */
export function RequirementItem({
  outcome,
  id,
  title,
  children,
}: {
  readonly outcome: Outcome;
  readonly id?: string;
  readonly title: ComponentChildren;
  readonly children?: ComponentChildren;
}): JSX.Element {
  return (
    <li class={`requirement is-${outcome}`} id={id}>
      <OutcomeMark outcome={outcome} />
      <div>
        <p class="requirement-title">{title}</p>
        {children}
      </div>
    </li>
  );
}

/** Why a result is what it is: its reason, its waiver, its notes. */
export function Reasons({ result }: { readonly result: RequirementResult }): JSX.Element {
  const { reason, waived, notes = [] } = result;
  return (
    <>
      {reason !== undefined && <Reason text={reason} />}
      {waived && <WaiverNote waived={waived} />}
      {notes.slice(0, mostNotes).map((note) => (
        <p class="note">
          <Prose text={note} />
        </p>
      ))}
    </>
  );
}

export function Reason({ text }: { readonly text: string }): JSX.Element {
  return (
    <p class="reason">
      <Prose text={text} />
    </p>
  );
}

/** Who tolerates a known failure, why and until when. */
export function WaiverNote({ waived }: { waived: NonNullable<RequirementResult['waived']> }): JSX.Element {
  return (
    <p class="waiver">
      <Prose text={waiverText(waived)} />
    </p>
  );
}
