import type { ComponentChildren, JSX } from 'preact';
import type { RequirementResult } from '../../../lib/record/record.js';
import type { Outcome } from '../../summary/requirement-outcome.js';
import { waiverText } from '../../text/finding-text.js';
import { OutcomeMark } from './outcome-mark.js';
import { Prose } from './text.js';

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
