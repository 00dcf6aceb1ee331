/** The pictures of limits: marks and lines by shape and dash, not by colour alone. */
export const charts = `
figure { margin: 1rem 0; }
figcaption { color: var(--quiet); font-size: 0.875rem; margin-top: 0.5rem; max-width: 56rem; }
.plan + .plan { margin-top: 3rem; }
.plan h3 { margin-bottom: 0.25rem; }
.plan h4 { margin-top: 1rem; }
.certificates li, .readings li { margin-top: 0.35rem; max-width: 56rem; }
.certificates li { border-left: 3px solid var(--fail); padding-left: 0.75rem; }
.chart { display: block; width: 100%; height: auto; font-size: 11px; }
.windows { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 0 2rem; }
.window { min-width: 0; }
.chart text { fill: var(--quiet); stroke: none; }
.chart .axis-name { fill: var(--ink); }
.chart .measure { fill: var(--ink); font-weight: 600; font-size: 12px; }
.chart path { fill: none; stroke: var(--strong-rule); stroke-width: 1; }
.chart .grid { stroke: var(--rule); }
.chart .axis { stroke: var(--strong-rule); }
.chart .wait { fill: var(--raised); }
.chart .line { stroke: var(--observed); stroke-width: 2; stroke-linejoin: round; }
.chart .thin { stroke-width: 1.25; }
.chart .dots { stroke: var(--observed); stroke-width: 3.5; stroke-linecap: round; }
.chart .explained { fill: var(--rule); stroke: var(--strong-rule); stroke-dasharray: 3 2; }
.chart .mark-rejected { stroke: var(--fail); stroke-width: 1.5; }
.chart .mark-admitted { stroke: var(--pass); stroke-width: 1.5; }
.chart .mark-failed, .chart .mark-unknown { stroke: var(--warn); stroke-width: 1.5; }
.chart .ring { fill: none; stroke: var(--ink); stroke-width: 1.5; pointer-events: all; }
#load .facts { margin: 1.25rem 0; }
.data td:not(:last-child), .data thead th:not(:first-child, :last-child) { text-align: right; }
[aria-labelledby="load-latencies"] :is(td, th):last-child { text-align: right; }
`;
