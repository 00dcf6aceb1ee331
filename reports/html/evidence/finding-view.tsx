import type { ComponentChildren, JSX } from 'preact';
import { withoutCodeMarks } from '../../text/code-marks.js';
import { counted } from '../../text/quantity.js';
import { differenceBetween, type Difference } from '../text/difference.js';
import { TargetText } from '../parts/target-text.js';
import { Prose } from '../text/prose.js';
import { ExchangeReferences } from './exchange-references.js';
import { ExchangeView } from './exchange-view.js';
import type { ShownExchanges } from './shown-exchanges.js';
import { longestCommand, longestQuoted, type ShownFinding } from './shown-findings.js';

function Quoted({
  text,
  difference,
}: {
  readonly text: string;
  readonly difference?: Difference | undefined;
}) {
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

function Row({
  name,
  children,
}: {
  readonly name: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** All of a quotation is set as code: nothing in it needs a mark. */
function plain(text: string | undefined): string | undefined {
  return text === undefined ? undefined : withoutCodeMarks(text);
}

/** What was expected and what came, where, and the command that shows it again. */
function Particulars({ finding }: Pick<ShownFinding, 'finding'>): JSX.Element | null {
  const { pointer, reproduce } = finding;
  const [expected, received] = [plain(finding.expected), plain(finding.received)];
  const difference =
    expected !== undefined && received !== undefined ? differenceBetween(expected, received) : undefined;
  const placed = pointer !== undefined && pointer !== '';
  if (expected === undefined && received === undefined && !placed && reproduce === undefined) return null;
  return (
    <dl class="particulars">
      {expected !== undefined && (
        <Row name="Expected">
          <Quoted text={expected} difference={difference?.expected} />
        </Row>
      )}
      {received !== undefined && (
        <Row name="Received">
          <Quoted text={received} difference={difference?.received} />
        </Row>
      )}
      {placed && (
        <Row name="Place">
          <code>
            <TargetText text={pointer} />
          </code>
        </Row>
      )}
      {reproduce !== undefined && (
        <Row name="Reproduce">
          <pre class="command">
            <TargetText text={reproduce} keepLayout longest={longestCommand} />
          </pre>
        </Row>
      )}
    </dl>
  );
}

export interface FindingViewProperties {
  readonly shownFinding: ShownFinding;
  readonly exchanges: ShownExchanges;
}

/** One finding: what is wrong, what was expected and received, how to see it again, and the exchanges behind it. */
export function FindingView({ shownFinding, exchanges }: FindingViewProperties): JSX.Element {
  const { finding, row, anchor } = shownFinding;
  const here = exchanges.at(anchor);
  const elsewhere = finding.exchanges.filter((id) => !here.some((exchange) => exchange.id === id));
  const occurrences = finding.occurrences ?? finding.exchanges.length;
  return (
    <li class="finding" id={anchor}>
      <p class="finding-message">
        <Prose text={finding.message} />
      </p>
      <Particulars finding={finding} />
      {here.map((exchange) => (
        <ExchangeView exchange={exchange} about={{ finding, title: row.title }} />
      ))}
      {(elsewhere.length > 0 || occurrences > finding.exchanges.length) && (
        <p class="note">
          {elsewhere.length > 0 && (
            <>
              {here.length > 0 ? 'Also' : 'Shown'} by{' '}
              <ExchangeReferences ids={elsewhere.slice(0, 12)} shown={exchanges} />
              {elsewhere.length > 12 && ` and ${elsewhere.length - 12} more`}.{' '}
            </>
          )}
          {occurrences > finding.exchanges.length && `Seen in ${counted(occurrences, 'exchange')} in all.`}
        </p>
      )}
    </li>
  );
}
