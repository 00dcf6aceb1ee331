import type { JSX } from 'preact';
import type { RunRecord } from '../../../lib/evidence/record/record.js';
import { loadFacts, loadTables, noBounds, thresholdText } from '../../summary/load-summary.js';
import { capitalized } from '../../text/quantity.js';
import { OutcomeMark } from '../parts/outcome-mark.js';
import { Facts, Table } from '../parts/table.js';
import { TargetText } from '../parts/text.js';

/** A sustained load: its bounds, which decide its exit code, what came back, and how fast. */
export function Load({ record: { load } }: { readonly record: RunRecord }): JSX.Element {
  if (!load) return <p>Nothing was measured.</p>;
  const bounds = load.thresholds.map((threshold) => {
    const { word, outcome, measured } = thresholdText(threshold);
    const mark = <OutcomeMark outcome={outcome} word={capitalized(word)} />;
    return [threshold.name, threshold.bound, measured, mark];
  });
  return (
    <section id="load" aria-labelledby="load-title">
      <h2 id="load-title">The load</h2>
      {bounds.length === 0 && <p>{noBounds(load)}</p>}
      {bounds.length > 0 && (
        <Table caption="Bounds" head={['Bound', 'Asked', 'Measured', 'Outcome']} rows={bounds} />
      )}
      <Facts facts={loadFacts(load).map(([name, text]) => [name, <TargetText text={text} />])} />
      {loadTables(load).map((table) => (
        <Table {...table} />
      ))}
    </section>
  );
}
