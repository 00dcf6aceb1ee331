/** The page: type, measure, the bar that stays in sight, headings, lists of facts, tables. */
export const page = `
* { box-sizing: border-box; }
html { scroll-padding-top: 6rem; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0;
  background: var(--paper);
  color: var(--ink);
  font: 1rem/1.55 -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Liberation Sans", Arial, sans-serif;
  overflow-wrap: anywhere;
}
code, pre, .clause-number { font-family: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "Liberation Mono", monospace; }
code, pre { font-size: 0.875em; }
h1, h2, h3, h4 { line-height: 1.25; text-wrap: balance; margin: 0; font-weight: 650; }
h2 { font-size: 1.375rem; margin-bottom: 0.6rem; letter-spacing: -0.01em; }
h3 { font-size: 1.125rem; }
h4 { font-size: 1rem; }
p { margin: 0 0 0.5rem; }
ul, ol { margin: 0; padding: 0; list-style: none; }
a { color: var(--link); text-underline-offset: 0.15em; text-decoration-thickness: 1px; }
:is(a, summary, [tabindex], input, select):focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 2px; }
:target { outline: 2px solid var(--link); outline-offset: 6px; border-radius: 2px; }
summary { cursor: pointer; }
main, .headline, .page-end { max-width: 68rem; margin: 0 auto; padding: 0 1.5rem; }
main > section { padding: 1.75rem 0 0; }
.lead { color: var(--quiet); max-width: 46rem; margin-bottom: 1rem; }
.note { color: var(--quiet); font-size: 0.875rem; margin: 0.25rem 0 0; }
.quiet { color: var(--quiet); font-weight: 400; }
.label { font-size: 0.75rem; font-weight: 600; letter-spacing: 0.04em; text-transform: uppercase; color: var(--quiet); margin: 0.75rem 0 0.25rem; }
.hidden { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: 1rem; top: -6rem; background: var(--paper); color: var(--link); padding: 0.5rem 1rem; border: 2px solid; z-index: 3; }
.skip:focus { top: 0.5rem; }
.symbols { position: absolute; }
.symbol { width: 1em; height: 1em; flex: none; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; vertical-align: -0.125em; }
.unseen { font: 600 0.75em/1.4 ui-monospace, Menlo, Consolas, "Liberation Mono", monospace; border: 1px solid; border-radius: 3px; padding: 0 0.2em; margin: 0 0.1em; white-space: nowrap; }
.left-out { color: var(--quiet); font-style: italic; }
mark { background: var(--wrong-ground); color: var(--wrong-ink); font-weight: 600; text-decoration: underline; text-decoration-thickness: 2px; text-underline-offset: 0.2em; border-radius: 2px; }

.headline { padding-top: 2rem; padding-bottom: 1.25rem; }
.kind { color: var(--quiet); margin-bottom: 0.25rem; font-size: 0.9375rem; }
.headline h1 { font-size: clamp(1.75rem, 1.2rem + 2.2vw, 2.5rem); letter-spacing: -0.02em; }
.verdict { font-size: 1.125rem; margin: 0.5rem 0 0; max-width: 56rem; }
.verdict b, .verdict .symbol { color: var(--tone); }
.verdict .symbol { margin-right: 0.35em; }
.base-url { color: var(--quiet); margin: 0.35rem 0 0; font-size: 0.9375rem; }

.contents { position: sticky; top: 0; z-index: 2; background: var(--paper); border-block: 1px solid var(--rule); padding: 0.5rem max(1.5rem, calc((100vw - 65rem) / 2)); font-size: 0.9375rem; }
.contents ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1.1rem; }
.contents a { text-decoration: none; }
.contents a:hover { text-decoration: underline; }

.since { border-left: 4px solid var(--observed); padding-left: 0.75rem; margin-bottom: 1rem; }
.cause { display: grid; grid-template-columns: 8rem 13rem 1fr; gap: 0 1rem; padding: 0.3rem 0; border-top: 1px solid var(--rule); align-items: baseline; }
.cause p { margin: 0; }
.cause-ids { font-weight: 650; }
.cause-ids a { color: inherit; text-decoration: none; }
.cause-ids a, .tags a, table.findings a { white-space: nowrap; }
.cause-message a { color: inherit; }
.steps { counter-reset: step; }
.step { counter-increment: step; border-top: 1px solid var(--rule); padding: 0.45rem 0 0.5rem 2.25rem; position: relative; }
.step::before { content: counter(step); position: absolute; left: 0; color: var(--quiet); font-weight: 650; font-variant-numeric: tabular-nums; }
.step h3 { font-size: 1rem; }

.classes { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 18rem), 1fr)); gap: 2rem; }
.class h3 { display: flex; gap: 0.5em; align-items: center; }
.class h3 .symbol { color: var(--tone); }
.class-sentence { margin: 0.35rem 0 0.75rem; }
.counts { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; margin-top: 0.6rem; font-size: 0.9375rem; }
.counts .outcome { color: inherit; font-weight: 400; }
.counts .symbol { color: var(--tone); }
.warnings { border-left: 4px solid var(--warn); background: var(--raised); padding: 0.75rem 1rem; margin-top: 1.5rem; }
.warnings li + li { margin-top: 0.5rem; }

.argument { display: inline-block; max-width: 100%; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 0 3rem; margin: 0; }
.facts > div { display: grid; grid-template-columns: 7.5rem 1fr; gap: 1rem; padding: 0.3rem 0; border-top: 1px solid var(--rule); }
.facts dt { color: var(--quiet); }
.facts dd { margin: 0; }

table { border-collapse: collapse; width: 100%; font-size: 0.9375rem; }
caption { text-align: left; color: var(--quiet); font-size: 0.875rem; padding-bottom: 0.35rem; }
th, td { text-align: left; vertical-align: top; padding: 0.45rem 1rem 0.45rem 0; border-top: 1px solid var(--rule); }
thead th { color: var(--quiet); font-weight: 600; font-size: 0.875rem; border-top: 0; vertical-align: bottom; }
tbody th { font-weight: 600; }
th[scope="rowgroup"] { padding-top: 1.25rem; border-top-color: var(--strong-rule); }
table.open td:first-child { width: 30%; }
table.open .references { width: 14%; }
.leftovers { columns: 20rem; column-gap: 2.5rem; margin-top: 0.75rem; font-size: 0.9375rem; }
.leftovers li { break-inside: avoid; padding: 0.2rem 0; border-bottom: 1px solid var(--rule); }
.leftovers b { font-weight: 600; font-variant-numeric: tabular-nums; margin-right: 0.5rem; }
.data { overflow-wrap: normal; }
.data th, .data td { padding-right: 1.25rem; font-variant-numeric: tabular-nums; }
.data td:not(:last-child) { white-space: nowrap; }
.scrolled { overflow-x: auto; }
.page-end { color: var(--quiet); font-size: 0.875rem; padding-top: 1.5rem; padding-bottom: 1.5rem; }
table.findings { overflow-wrap: break-word; }
table.findings td:last-child { min-width: 7rem; }
table.findings caption .quoted { color: var(--ink); }
table.findings :is(td, th) { font-weight: 400; padding-top: 0.3rem; padding-bottom: 0.3rem; }

@media (max-width: 40rem) {
  body { font-size: 0.9375rem; line-height: 1.45; }
  main, .headline, .page-end { padding-left: 1rem; padding-right: 1rem; }
  main > section { padding-top: 1.25rem; }
  .headline { padding-top: 1.25rem; }
  .cause .note { display: none; }
  .step { padding-left: 1.25rem; }
  .contents { padding: 0.5rem 1rem; }
  .cause { grid-template-columns: 7rem 1fr; }
  .cause > div { grid-column: 1 / -1; }
  .facts > div { grid-template-columns: 5.5rem 1fr; }
}
@media (max-height: 34rem), (max-width: 40rem) {
  .contents { position: static; }
  html { scroll-padding-top: 1rem; }
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
`;
