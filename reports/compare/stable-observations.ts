import type { Observation, RequirementResult, RunRecord } from '../../lib/record/record.js';
import { leftoverMarker } from '../summary/leftovers.js';

type Stable = Pick<Observation, 'subject' | 'behaviour'>;

/** How a limit was measured differs in every run; the result stands beside it. */
const traces = /\btrace of Remaining$/u;

/** How full the store was, and which statuses its first page happened to hold, is not what the service does. */
const ofKnown = /, of \d+ known\b/gu;
const severalStatuses = / with (?:"[^"]*"|absent)(?:, (?:"[^"]*"|absent))+/gu;

/**
 * What was observed of a requirement, as it would read in any other run: without the run's marker, the identifiers of
 * its animals and how often something was seen. Compared as they stand, no two runs would be alike.
 */
export function stableObservations({ observations = [] }: RequirementResult, record: RunRecord): Stable[] {
  const { marker } = leftoverMarker(record.leftovers) ?? {};
  const steady = (text: string): string =>
    (marker === undefined ? text : text.replaceAll(marker, '…'))
      .replaceAll(/\/pets\/-?\d+/gu, '/pets/{petId}')
      .replaceAll(ofKnown, '')
      .replaceAll(severalStatuses, ' of several statuses')
      .replace(/, (?:once|\d+ times)$/u, '');
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
