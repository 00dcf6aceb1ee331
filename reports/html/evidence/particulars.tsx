import type { ComponentChildren, JSX } from 'preact';
import type { Finding } from '../../../lib/record/record.js';
import { withoutCodeMarks } from '../../text/finding-text.js';
import { Facts } from '../parts/table.js';
import { TargetText } from '../parts/text.js';
import { longestCommand, longestQuoted } from './shown-findings.js';

/** What was expected or received. All of it is set as code: nothing in it needs a mark. */
export function Quoted({ text }: { readonly text: string }): JSX.Element {
  return (
    <code class="quoted">
      <TargetText text={withoutCodeMarks(text)} keepLayout longest={longestQuoted} />
    </code>
  );
}

/** A command that is whole, or said to be too long: a part of it would do something else. */
export function Command({ text }: { readonly text: string }): JSX.Element {
  if (text.length > longestCommand) return <>a command of {text.length} characters, in report.json</>;
  return (
    <pre class="command">
      <TargetText text={text} keepLayout longest={longestCommand} />
    </pre>
  );
}

/** What was expected and received, at which place, how it is usually fixed, and the command that reproduces it. */
export function Particulars({
  finding,
  fix,
}: {
  readonly finding: Finding;
  readonly fix?: ComponentChildren;
}): JSX.Element | null {
  const { expected, received, pointer, reproduce } = finding;
  return (
    <Facts
      kind="particulars"
      facts={[
        ['Expected', expected && <Quoted text={expected} />],
        ['Received', received && <Quoted text={received} />],
        ['Place', pointer && <Quoted text={pointer} />],
        ['How to fix', fix],
        ['Reproduce', reproduce && <Command text={reproduce} />],
      ]}
    />
  );
}
