import type { JSX } from 'preact';
import type { Finding } from '../../../lib/evidence/record/requirement-result.js';
import { withoutCodeMarks } from '../../text/finding-text.js';
import { Facts } from '../parts/table.js';
import { TargetText } from '../parts/text.js';

/** What was expected and received, and the place in a body or a description. All of it is set as code. */
export function FindingFacts({ expected, received, pointer }: Finding): JSX.Element {
  const quoted = (text: string | undefined) =>
    text && (
      <code class="quoted">
        <TargetText text={withoutCodeMarks(text)} keepLayout />
      </code>
    );
  const facts = { Expected: quoted(expected), Received: quoted(received), Place: quoted(pointer) };
  return <Facts facts={Object.entries(facts)} />;
}
