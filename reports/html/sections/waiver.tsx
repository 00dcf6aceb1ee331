import type { JSX } from 'preact';
import type { RequirementResult } from '../../../lib/record/record.js';
import { TargetText } from '../parts/target-text.js';
import { Prose } from '../text/prose.js';

/** Who answers for a waived failure, why and until when. */
export function Waiver({
  waived,
}: {
  readonly waived: NonNullable<RequirementResult['waived']>;
}): JSX.Element {
  return (
    <p class="waiver">
      Waived until <TargetText text={waived.until} /> by <TargetText text={waived.owner} />:{' '}
      <Prose text={waived.reason} />
    </p>
  );
}
