import type { JSX } from 'preact';
import type { LoadMeasurement, RunRecord } from '../../../lib/record/record.js';
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

/** The bounds that the load was given; they decide its exit code. */
function Bounds({ load }: { readonly load: LoadMeasurement }): JSX.Element {
  if (load.thresholds.length === 0) return <p>{noBounds(load)}</p>;
  const rows = load.thresholds.map((threshold) => {
    const { word, outcome, measured } = thresholdText(threshold);
    return [
      threshold.name,
      threshold.bound,
      measured,
      <OutcomeMark outcome={outcome} word={capitalized(word)} />,
    ];
  });
  return (
    <Table id="load-bounds" caption="Bounds" head={['Bound', 'Asked', 'Measured', 'Outcome']} rows={rows} />
  );
}

function Figures({ load }: { readonly load: LoadMeasurement }): JSX.Element {
  const [latencyHead, ...latencies] = latencyTable(load);
  const [stageHead, ...stages] = stageTable(load) ?? [];
  const [shareHead, ...shares] = shareTable(load) ?? [];
  return (
    <>
      <Table
        id="load-latencies"
        caption="Latency, from the planned moment of a request to its response; below, its two parts"
        head={latencyHead}
        rows={latencies}
      />
      {stageHead && <Table id="load-stages" caption="Each stage" head={stageHead} rows={stages} />}
      {shareHead && (
        <Table
          id="load-shares"
          caption="Each share; the figures above are those of all"
          head={shareHead}
          rows={shares}
        />
      )}
    </>
  );
}

/** A sustained load: its bounds, what came back, and how fast. */
export function LoadSection({ record }: { readonly record: RunRecord }): JSX.Element {
  const { load } = record;
  return (
    <section id="load" aria-labelledby="load-title">
      <h2 id="load-title">The load</h2>
      {load ? (
        <>
          <Bounds load={load} />
          <Facts facts={loadFacts(load).map(([name, text]) => [name, <TargetText text={text} />])} />
          <Figures load={load} />
        </>
      ) : (
        <p>Nothing was measured.</p>
      )}
    </section>
  );
}
