import type { ScaleLinear, ScaleLogarithmic } from 'd3-scale';
import type { ComponentChildren, JSX } from 'preact';

/** The box of every chart, in the units of its drawing; on a narrow page one unit is about a pixel. */
const box = { width: 330, height: 200, left: 42, right: 12, top: 28, bottom: 36 } as const;

export const plot = {
  left: box.left,
  right: box.width - box.right,
  top: box.top,
  bottom: box.height - box.bottom,
} as const;

type Scale = ScaleLinear<number, number> | ScaleLogarithmic<number, number>;

/** Two decimals are finer than any screen. */
export function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

export interface FrameProperties {
  /** Unique in the document: the title and the description take their ids from it. */
  readonly id: string;
  readonly title: string;
  /** What the picture shows, in words: for those who do not see it. */
  readonly description: string;
  readonly x: Scale;
  readonly y: Scale;
  readonly xTicks: readonly number[];
  readonly yTicks: readonly number[];
  readonly xName: string;
  readonly yName: string;
  readonly xText: (value: number) => string;
  readonly yText: (value: number) => string;
  /** Where the axis of time is cut short, in the units of the drawing. */
  readonly waits?: readonly { readonly from: number; readonly to: number }[];
  readonly children: ComponentChildren;
}

/** Axes with their names, a title and a description around what a chart draws. */
export function Frame(properties: FrameProperties): JSX.Element {
  const { id, title, description, x, y, xTicks, yTicks, xName, yName, xText, yText, waits = [] } = properties;
  return (
    <svg
      class="chart"
      role="img"
      viewBox={`0 0 ${box.width} ${box.height}`}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-description`}
    >
      <title id={`${id}-title`}>{title}</title>
      <desc id={`${id}-description`}>{description}</desc>
      <g class="grid">
        {yTicks.map((tick) => (
          <path d={`M${plot.left} ${rounded(y(tick))}H${plot.right}`} />
        ))}
      </g>
      <g class="ticks">
        {yTicks.map((tick) => (
          <text x={plot.left - 6} y={rounded(y(tick)) + 3.5} text-anchor="end">
            {yText(tick)}
          </text>
        ))}
        {xTicks.map((tick) => (
          <>
            <path d={`M${rounded(x(tick))} ${plot.bottom}v4`} />
            <text x={rounded(x(tick))} y={plot.bottom + 15} text-anchor="middle">
              {xText(tick)}
            </text>
          </>
        ))}
      </g>
      <path class="axis" d={`M${plot.left} ${plot.bottom}H${plot.right}`} />
      {waits.length > 0 && <Waits waits={waits} />}
      <text class="axis-name" x={plot.right} y={box.height - 5} text-anchor="end">
        {xName}
      </text>
      <text class="measure" x="0" y="11">
        {yName}
      </text>
      {properties.children}
    </svg>
  );
}

/** A band for each wait, and the axis broken under it. */
function Waits({ waits }: Required<Pick<FrameProperties, 'waits'>>): JSX.Element {
  return (
    <g class="waits">
      {waits.map(({ from, to }) => (
        <rect x={rounded(from)} y={plot.top} width={rounded(to - from)} height={plot.bottom - plot.top} />
      ))}
      <path
        d={waits
          .map(({ from, to }) => `M${rounded((from + to) / 2 - 5)} ${plot.bottom + 4}l4-8m2 8l4-8`)
          .join('')}
      />
    </g>
  );
}
