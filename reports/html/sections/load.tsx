import type { JSX } from 'preact';
import type { RunRecord } from '../../../lib/record/record.js';
import {
  latencyTable,
  loadFacts,
  noBounds,
  shareTable,
  stageTable,
  thresholdText,
} from '../../summary/load-summary.js';
import { capitalized } from '../../summary/verdict-sentences.js';
import { OutcomeMark } from '../parts/outcome-mark.js';
import { Facts, Table } from '../parts/table.js';
import { TargetText } from '../parts/text.js';

/** A sustained load: its bounds, which decide its exit code, what came back, and how fast. */
export function Load({ record: { load } }: { readonly record: RunRecord }): JSX.Element {
  if (!load) return <p>Nothing was measured.</p>;
  const bounds = load.thresholds.map((threshold) => {
    const { word, outcome, measured } = thresholdText(threshold);
    return [
      threshold.name,
      threshold.bound,
      measured,
      <OutcomeMark outcome={outcome} word={capitalized(word)} />,
    ];
  });
  const tables = [
    [
      'Latency, from the planned moment of a request to its response; below, its two parts',
      latencyTable(load),
    ],
    ['Each stage', stageTable(load)],
    ['Each share; the figures above are those of all', shareTable(load)],
  ] as const;
  return (
    <section id="load" aria-labelledby="load-title">
      <h2 id="load-title">The load</h2>
      {bounds.length === 0 ? (
        <p>{noBounds(load)}</p>
      ) : (
        <Table
          id="load-bounds"
          caption="Bounds"
          head={['Bound', 'Asked', 'Measured', 'Outcome']}
          rows={bounds}
        />
      )}
      <Facts facts={loadFacts(load).map(([name, text]) => [name, <TargetText text={text} />])} />
      {tables.map(([caption, table], index) => {
        const [head, ...rows] = table ?? [];
        return head && <Table id={`load-table-${index + 1}`} caption={caption} head={head} rows={rows} />;
      })}
    </section>
  );
}
