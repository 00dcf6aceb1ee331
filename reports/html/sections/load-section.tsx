import type { JSX } from 'preact';
import type { LoadMeasurement, RunRecord } from '../../../lib/record/record.js';
import { latencyTable, loadFacts, thresholdText, workerTable } from '../../summary/load-summary.js';
import { capitalized } from '../../summary/verdict-sentences.js';
import { OutcomeMark } from '../parts/outcome-mark.js';
import { Facts, Table } from '../parts/table.js';
import { TargetText } from '../parts/text.js';

/** The bounds that the load was given; they decide its exit code. */
function Bounds({ load: { thresholds } }: { readonly load: LoadMeasurement }): JSX.Element {
  if (thresholds.length === 0) return <p>No bound was set (--p99, --errors and others).</p>;
  const rows = thresholds.map((threshold) => {
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
  const [workerHead, ...workers] = workerTable(load) ?? [];
  return (
    <>
      <Table
        id="load-latencies"
        caption="Latency, from the planned moment of a request to its response"
        head={latencyHead}
        rows={latencies}
      />
      {workerHead && (
        <Table
          id="load-workers"
          caption="Each worker; the figures above are those of all"
          head={workerHead}
          rows={workers}
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
