import type { JSX } from 'preact';
import type { RequirementResult } from '../../../lib/record/record.js';
import { Foreign } from '../text/foreign.js';
import { Prose } from '../text/prose.js';

/** Who answers for a waived failure, why and until when. */
export function Waiver({
  waived,
}: {
  readonly waived: NonNullable<RequirementResult['waived']>;
}): JSX.Element {
  return (
    <p class="waiver">
      Waived until <Foreign text={waived.until} /> by <Foreign text={waived.owner} />:{' '}
      <Prose text={waived.reason} />
    </p>
  );
}
