/** The pictures of a limit run: lines by shape and dash, not by colour alone. */
export const charts = `
figure { margin: 1rem 0; }
figcaption { color: var(--quiet); font-size: 0.875rem; margin-top: 0.5rem; max-width: 56rem; }
.plan + .plan { margin-top: 3rem; }
.scrolled + .plan { margin-top: 2rem; }
.plan h3 { margin-bottom: 0.25rem; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 19.5rem), 1fr)); gap: 1rem 1.5rem; }
.chart { display: block; width: 100%; height: auto; font-size: 11px; }
.chart text { fill: var(--quiet); stroke: none; }
.chart .axis-name { fill: var(--ink); }
.chart .measure { fill: var(--ink); font-weight: 600; font-size: 12px; }
.chart path { fill: none; stroke: var(--strong-rule); stroke-width: 1; }
.chart .grid path { stroke: var(--rule); }
.chart .axis { stroke: var(--strong-rule); }
.chart .waits rect { fill: var(--raised); }
.chart .waits path { stroke: var(--ink); }
.chart .edges path { stroke: var(--strong-rule); stroke-dasharray: 2 3; }
.chart .limit path { stroke: var(--ink); stroke-dasharray: 6 4; }
.chart .limit text { fill: var(--ink); font-weight: 600; stroke: var(--paper); stroke-width: 4; paint-order: stroke; stroke-linejoin: round; }
.chart .line { stroke: var(--observed); stroke-width: 2; stroke-linejoin: round; }
.chart .thin { stroke-width: 1.25; }
.chart .dotted { stroke-dasharray: 1.5 3; stroke-linecap: round; }
.chart .dots { stroke: var(--observed); stroke-width: 3.5; stroke-linecap: round; }
.chart .crosses { stroke: var(--fail); stroke-width: 1.5; }
.chart .bars rect { fill: var(--observed); }
#load .facts, .bounds { margin-bottom: 1.25rem; }
.bounds { max-width: 46rem; }
.phases { overflow-wrap: normal; }
.phases th, .phases td { padding-right: 1.25rem; white-space: nowrap; }
.phases td { font-variant-numeric: tabular-nums; }
.phases .wordy { white-space: normal; min-width: 14rem; }
.phases.figures td:last-child, .phases.figures th:last-child { text-align: right; }
.charts.pairs { grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); }
.phases td:not(:last-child), .phases thead th:not(:first-child, :last-child) { text-align: right; }
`;
