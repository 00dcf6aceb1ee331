import type { ComponentChildren, JSX } from 'preact';
import { count } from '../../text/quantity.js';
import { ExchangeLinks } from '../parts/links.js';
import { Table } from '../parts/table.js';
import { Prose } from '../parts/text.js';
import { ExchangeView } from './exchange-view.js';
import { Particulars, Quoted } from './particulars.js';
import type { ShownExchanges } from './shown-exchanges.js';
import type { CauseGroup, ShownFinding } from './shown-findings.js';

export interface CauseEvidenceProperties {
  readonly group: CauseGroup;
  readonly exchanges: ShownExchanges;
}

/** The exchanges that a finding names, and in how many more it was seen. */
function Seen({ shown, exchanges }: { shown: ShownFinding; exchanges: ShownExchanges }): JSX.Element {
  const { finding } = shown;
  const more = (finding.occurrences ?? 0) - finding.exchanges.length;
  return (
    <>
      <ExchangeLinks ids={finding.exchanges} shown={exchanges} most={4} />
      {more > 0 && `, ${count(more, 'more time')}`}
    </>
  );
}

/** What all findings have in common is said once. */
function common(values: readonly (string | undefined)[]): string | undefined {
  return new Set(values).size === 1 ? values[0] : undefined;
}

/** Several findings of one cause as a table, a row each. */
function FindingTable({ group, exchanges }: CauseEvidenceProperties): JSX.Element {
  const { cause, shown } = group;
  const { only } = cause;
  const expected = common(shown.map(({ finding }) => finding.expected));
  const columns: [name: string, cell: (one: ShownFinding) => ComponentChildren, isThere: boolean][] = [
    [
      'Finding',
      ({ anchor, finding }) => (
        <span id={anchor}>
          <Prose text={finding.message} />
        </span>
      ),
      true,
    ],
    ['Requirement', ({ result: { id } }) => <a href={`#${id}`}>{id}</a>, !only],
    ['Expected', ({ finding }) => <Quoted text={finding.expected ?? ''} />, expected === undefined],
    ['Received', ({ finding }) => <Quoted text={finding.received ?? ''} />, true],
    ['Exchanges', (one) => <Seen shown={one} exchanges={exchanges} />, true],
  ];
  const there = columns.filter(([, , isThere]) => isThere);
  return (
    <Table
      id={`findings-${cause.id}`}
      caption={
        <>
          {count(shown.length, 'finding')} of {cause.id}
          {expected !== undefined && (
            <>
              , each expected <Quoted text={expected} />
            </>
          )}
        </>
      }
      head={there.map(([name]) => name)}
      rows={shown.map((one) => there.map(([, cell]) => cell(one)))}
      kind="findings"
    />
  );
}

/** All that shows a cause: its findings, and the exchanges behind them. */
export function CauseEvidence({ group, exchanges }: CauseEvidenceProperties): JSX.Element {
  const { shown, leftOut } = group;
  const [first, ...others] = shown;
  return (
    <>
      {first && others.length > 0 && <FindingTable group={group} exchanges={exchanges} />}
      {first && others.length === 0 && (
        <div id={first.anchor}>
          <p>
            <Prose text={first.finding.message} />{' '}
            <span class="quiet">
              <Seen shown={first} exchanges={exchanges} />
            </span>
          </p>
          <Particulars finding={first.finding} />
        </div>
      )}
      {leftOut > 0 && <p class="note">{count(leftOut, 'further finding')} in report.json.</p>}
      {shown.flatMap(({ anchor, finding }) =>
        exchanges
          .at(anchor)
          .map((exchange, index) => (
            <ExchangeView
              exchange={exchange}
              finding={finding}
              command={index === 0 ? finding.reproduce : undefined}
            />
          )),
      )}
    </>
  );
}
