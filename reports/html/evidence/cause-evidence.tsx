import type { JSX } from 'preact';
import { differenceBetween, type Difference } from '../../text/difference.js';
import { withoutCodeMarks } from '../../text/finding-text.js';
import { count } from '../../text/quantity.js';
import { ExchangeLinks } from '../parts/links.js';
import { Facts } from '../parts/table.js';
import { Prose, TargetText } from '../parts/text.js';
import { ExchangeView } from './exchange-view.js';
import type { ShownExchanges } from './shown-exchanges.js';
import { longestCommand, longestQuoted, type ShownFinding } from './shown-findings.js';

function Quoted({ text, difference }: { text: string; difference: Difference | undefined }): JSX.Element {
  return (
    <code class="quoted">
      {difference ? (
        <>
          <TargetText text={difference.before} />
          {difference.own !== '' && (
            <mark>
              <TargetText text={difference.own} />
            </mark>
          )}
          <TargetText text={difference.after} />
        </>
      ) : (
        <TargetText text={text} keepLayout longest={longestQuoted} />
      )}
    </code>
  );
}

/** What was expected and received, at which place, and the command that reproduces it. */
function Particulars({ finding }: Pick<ShownFinding, 'finding'>): JSX.Element | null {
  const { pointer, reproduce } = finding;
  // All of a quotation is set as code: nothing in it needs a mark.
  const expected = finding.expected && withoutCodeMarks(finding.expected);
  const received = finding.received && withoutCodeMarks(finding.received);
  const difference = expected && received ? differenceBetween(expected, received) : undefined;
  const code = (text: string | undefined) => text && <TargetText text={text} />;
  const quoted = (text: string | undefined, part: Difference | undefined) =>
    text === undefined ? undefined : <Quoted text={text} difference={part} />;
  return (
    <Facts
      kind="particulars"
      facts={[
        ['Expected', quoted(expected, difference?.expected)],
        ['Received', quoted(received, difference?.received)],
        ['Place', pointer && <code>{code(pointer)}</code>],
        [
          'Reproduce',
          reproduce && (
            <pre class="command">
              <TargetText text={reproduce} keepLayout longest={longestCommand} />
            </pre>
          ),
        ],
      ]}
    />
  );
}

export interface FindingViewProperties {
  readonly shownFinding: ShownFinding;
  /** Whose finding it is, if that is not said already. */
  readonly id?: string | undefined;
  readonly exchanges: ShownExchanges;
}

/** One finding: what is wrong, what was expected and received, how to see it again, and the exchanges behind it. */
export function FindingView({ shownFinding, id, exchanges }: FindingViewProperties): JSX.Element {
  const { finding, anchor, result } = shownFinding;
  const here = exchanges.at(anchor);
  const elsewhere = finding.exchanges.filter((id) => !here.some((exchange) => exchange.id === id));
  const occurrences = finding.occurrences ?? finding.exchanges.length;
  return (
    <li class="finding" id={anchor}>
      <p class="finding-message">
        {id !== undefined && (
          <>
            <a href={`#${id}`}>{id}</a>{' '}
          </>
        )}
        <Prose text={finding.message} />
      </p>
      <Particulars finding={finding} />
      {here.map((exchange) => (
        <ExchangeView exchange={exchange} about={{ finding, title: result.title }} />
      ))}
      <p class="note">
        {elsewhere.length > 0 && (
          <>
            {here.length > 0 ? 'Also' : 'Shown'} by{' '}
            <ExchangeLinks ids={elsewhere} shown={exchanges} most={12} />.{' '}
          </>
        )}
        {occurrences > finding.exchanges.length && `Seen in ${count(occurrences, 'exchange')} in all.`}
      </p>
    </li>
  );
}
