import type { JSX } from 'preact';
import type { LoadMeasurement, PlanMeasurement, RunRecord } from '../../../lib/record/record.js';
import { latencyTable, loadFacts, noBounds, shareTable, thresholdText } from '../../summary/load-summary.js';
import { capitalized } from '../../summary/verdict-sentences.js';
import { count, duration, rate } from '../../text/quantity.js';
import { LatencyChart, latencyCounts } from '../charts/latency-chart.js';
import { LineChart } from '../charts/line-chart.js';
import { stretchesOf, type Stretch } from '../charts/load-stretches.js';
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

interface Reported {
  readonly seconds: number;
  readonly value: number;
}

/** Remaining rises where a window begins: its line does not go on from the last one. */
function isNewWindow(before: Reported | undefined, { value }: Reported): boolean {
  return before !== undefined && value > before.value;
}

function interrupted({ seconds }: Reported): { readonly seconds: number; readonly value: undefined } {
  return { seconds, value: undefined };
}

/** The figures behind the pictures, a row for each stretch of time. */
function Stretches({ stretches }: { readonly stretches: readonly Stretch[] }): JSX.Element {
  const milliseconds = (value: number | undefined): string => (value === undefined ? '–' : duration(value));
  return (
    <details>
      <summary>The figures of these pictures</summary>
      <Table
        id="load-stretches"
        caption="The load over time"
        head={['Middle', 'Succeeded', 'Rejected or failed', 'Median', 'Longest']}
        rows={stretches.map((one) => [
          duration(one.seconds * 1_000),
          rate(one.goodPerSecond),
          rate(one.missedPerSecond),
          milliseconds(one.median),
          milliseconds(one.longest),
        ])}
      />
    </details>
  );
}

type Phase = PlanMeasurement['phases'][number];

function Pictures({ load, phase }: { load: LoadMeasurement; phase: Phase }): JSX.Element | null {
  const stretches = stretchesOf(phase, load.ratePerSecond);
  if (stretches.length === 0) return null;
  const seconds = phase.durationMs / 1_000;
  const missed = stretches.filter(({ missedPerSecond }) => missedPerSecond > 0);
  const rates = stretches.map(({ goodPerSecond }) => goodPerSecond);
  const over = (value: 'goodPerSecond' | 'missedPerSecond' | 'median' | 'longest', from = stretches) =>
    from.map((stretch) => ({ seconds: stretch.seconds, value: stretch[value] }));
  const remaining = phase.series.flatMap(({ t, remaining: value }) =>
    value === undefined ? [] : [{ seconds: t / 1_000, value }],
  );
  const longest = stretches.reduce((most, one) => Math.max(most, one.longest ?? 0), 0);
  const counts = latencyCounts(phase);
  const { latency } = load;
  return (
    <figure>
      <div class="charts">
        <LineChart
          id="load-goodput"
          title="Goodput over time"
          description={`Between ${rate(Math.min(...rates))} and ${rate(Math.max(...rates))} succeeded, ${rate(load.ratePerSecond)} were planned; rejected or failed in ${missed.length} of ${stretches.length} stretches.`}
          seconds={seconds}
          name="Successful responses a second"
          lines={[over('goodPerSecond')]}
          crosses={over('missedPerSecond', missed)}
          level={{ value: load.ratePerSecond, text: `${rate(load.ratePerSecond)} planned` }}
        />
        <LineChart
          id="load-latency-over-time"
          title="Latency over time"
          description={`The longest latency is ${duration(longest)}.`}
          seconds={seconds}
          name="Latency in ms: median, longest (dotted)"
          lines={[over('median'), over('longest')]}
        />
        {latency && <LatencyChart latency={latency} counts={counts} id="load-latency" />}
        <LineChart
          id="load-remaining"
          title="Remaining over time"
          description={`${count(remaining.length, 'response')} reported Remaining: ${remaining[0]?.value ?? 'none'} first, ${remaining.at(-1)?.value ?? 'none'} last.`}
          seconds={seconds}
          name="Remaining, as reported"
          lines={[
            remaining.flatMap((point, index) =>
              isNewWindow(remaining[index - 1], point) ? [interrupted(point), point] : [point],
            ),
          ]}
        />
      </div>
      <Stretches stretches={stretches} />
      <figcaption>
        A cross is a rejection with 429 or an error. The dashed line is the rate that was planned.
        {phase.seriesOmitted > 0 &&
          ` Drawn from a sample, without ${count(phase.seriesOmitted, 'response')}; the figures use all of them.`}
      </figcaption>
    </figure>
  );
}

function Figures({ load }: { readonly load: LoadMeasurement }): JSX.Element {
  const [latencyHead, ...latencies] = latencyTable(load);
  const [shareHead, ...shares] = shareTable(load) ?? [];
  return (
    <>
      <Table
        id="load-latencies"
        caption="Latency, from the planned moment of a request to its response"
        head={latencyHead}
        rows={latencies}
      />
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

/** A sustained load: its bounds, what came back, how fast, and how that went over time. */
export function LoadSection({ record }: { readonly record: RunRecord }): JSX.Element {
  const { load, plans: [measurement] = [] } = record;
  const [phase] = measurement?.phases ?? [];
  return (
    <section id="load" aria-labelledby="load-title">
      <h2 id="load-title">The load</h2>
      {load ? (
        <>
          <Bounds load={load} />
          <Facts facts={loadFacts(load).map(([name, text]) => [name, <TargetText text={text} />])} />
          <Figures load={load} />
          {phase && <Pictures load={load} phase={phase} />}
        </>
      ) : (
        <p>Nothing was measured.</p>
      )}
    </section>
  );
}
