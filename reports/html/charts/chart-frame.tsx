import type { ComponentChildren, JSX } from 'preact';

export interface Axis {
  /** A scale of d3. */
  readonly scale: (value: number) => number;
  readonly ticks: readonly number[];
  readonly name: string;
  readonly text: (value: number) => string;
}

/** The box of a chart and the plot inside it, in the units of the drawing; on a narrow page one unit is about a pixel. */
export interface Box {
  readonly width: number;
  readonly height: number;
  /** The room for labels to the left of the plot. */
  readonly left: number;
}
export const smallBox: Box = { width: 330, height: 200, left: 42 };

export function plotOf({ width, height, left }: Box) {
  return { left, right: width - 12, top: 34, bottom: height - 36 } as const;
}

/** Two decimals are finer than any screen. */
export function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

export interface ChartFrameProperties {
  /** Unique in the document: the title and the description take their ids from it. */
  readonly id: string;
  readonly title: string;
  /** What the picture shows, in words: for those who do not see it. */
  readonly description: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly box?: Box;
  readonly children: ComponentChildren;
}

/** Axes with their names, a title and a description around what a chart draws. */
export function ChartFrame(properties: ChartFrameProperties): JSX.Element {
  const { id, title, description, x, y, box = smallBox, children } = properties;
  const plot = plotOf(box);
  return (
    <svg
      class="chart"
      // A chart with links inside is a group: an image would hide them.
      role={box === smallBox ? 'img' : 'group'}
      viewBox={`0 0 ${box.width} ${box.height}`}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-description`}
    >
      <title id={`${id}-title`}>{title}</title>
      <desc id={`${id}-description`}>{description}</desc>
      <path
        class="grid"
        d={y.ticks.map((tick) => `M${plot.left} ${rounded(y.scale(tick))}H${plot.right}`).join('')}
      />
      <g class="ticks">
        {y.ticks.map((tick) => (
          <text x={plot.left - 6} y={rounded(y.scale(tick)) + 3.5} text-anchor="end">
            {y.text(tick)}
          </text>
        ))}
        {x.ticks.map((tick) => (
          <>
            <path d={`M${rounded(x.scale(tick))} ${plot.bottom}v4`} />
            <text x={rounded(x.scale(tick))} y={plot.bottom + 15} text-anchor="middle">
              {x.text(tick)}
            </text>
          </>
        ))}
      </g>
      <path class="axis" d={`M${plot.left} ${plot.bottom}H${plot.right}`} />
      <text class="axis-name" x={plot.right} y={box.height - 5} text-anchor="end">
        {x.name}
      </text>
      <text class="measure" x="0" y="11">
        {y.name}
      </text>
      {children}
    </svg>
  );
}
