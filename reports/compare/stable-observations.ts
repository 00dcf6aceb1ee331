import type { RunRecord } from '../../lib/evidence/record/record.js';
import type { Observation, RequirementResult } from '../../lib/evidence/record/requirement-result.js';
import { leftoverMarker } from '../summary/leftovers.js';

type Stable = Pick<Observation, 'subject' | 'behaviour'>;

/** How a limit was measured differs in every run; the result stands beside it. */
const traces = /\btrace of Remaining$/u;

/** What differs between two runs of one service: identifiers, how full the store was, how often something was seen. */
const ofOneRun: ReadonlyArray<readonly [pattern: RegExp, steady: string]> = [
  [/\/pets\/-?\d+/gu, '/pets/{petId}'],
  [/, of \d+ known\b/gu, ''],
  [/ with (?:"[^"]*"|absent)(?:, (?:"[^"]*"|absent))+/gu, ' of several statuses'],
  [/, (?:once|\d+ times)$/u, ''],
];

/** What was observed of a requirement, as it would read in any other run. Compared as they stand, no two runs would be alike. */
export function stableObservations({ observations = [] }: RequirementResult, record: RunRecord): Stable[] {
  const { marker = '' } = leftoverMarker(record.leftovers) ?? {};
  const steady = (text: string): string =>
    ofOneRun.reduce(
      (shown, [pattern, name]) => shown.replace(pattern, name),
      marker === '' ? text : text.replaceAll(marker, '…'),
    );
  return observations
    .filter(({ subject }) => !traces.test(subject))
    .map(({ subject, behaviour }) => ({
      subject: withoutIdentifier(steady(subject)),
      behaviour: steady(behaviour),
    }));
}

/** The subject "`petId` 12.0 for 12" without the id of the animal: "`petId` N.0 for N". */
function withoutIdentifier(subject: string): string {
  const id = / for (-?\d+)$/u.exec(subject)?.[1];
  return id === undefined ? subject : subject.replaceAll(id.replace(/^-/u, ''), 'N');
}
