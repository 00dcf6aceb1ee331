/** Paper: the verdicts of all requirements, and what is folded only on request; rows and entries whole, page numbers. */
export const print = `
@page {
  size: A4;
  margin: 20mm 16mm 18mm;
  @bottom-right { content: "Page " counter(page) " of " counter(pages); font: 8pt "Helvetica Neue", "Liberation Sans", Arial, sans-serif; color: #555d67; }
}
@media print {
  :root { color-scheme: light; font-size: 9.5pt; }
  body { line-height: 1.45; }
  main, .headline, .page-end { max-width: none; padding-left: 0; padding-right: 0; }
  .headline { padding-top: 0; }
  .contents, .skip, .whole { display: none; }
  main > section { padding-top: 18pt; }
  h2 { font-size: 15pt; }
  h3 { font-size: 11.5pt; }
  h4 { font-size: 10pt; }
  .headline h1 { font-size: 22pt; }
  h2, h3, h4, .says, .lead, .label, caption, summary, .tags, .see { break-after: avoid; }
  .requirement, .cause, .step, .says, .lead, tr, .class, .particulars, .chart, figcaption, .facts > div, .exchange, .page-end, .data { break-inside: avoid; }
  .exchange + .note, .open + .note { break-before: avoid; }
  tr:has(th[scope="rowgroup"]), .plan > p { break-after: avoid; }
  .page-end { padding-top: 6mm; padding-bottom: 0; }
  .section { break-inside: auto; }
  :root:not(:has(#print-whole:checked)) {
    .specification :is(.says, .see, .note, .reason, .legend), #evidence, #appendix, #open { display: none; }
    .specification .requirements { columns: 2; column-gap: 6mm; font-size: 8.5pt; }
    .specification .requirement { padding: 0.6mm 0; grid-template-columns: 22mm 1fr; gap: 2mm; }
  }
  .requirement { grid-template-columns: 26mm 1fr; gap: 4mm; }
  .messages { grid-template-columns: 1fr 1.4fr; gap: 0 4mm; }
  .exchange { font-size: 8pt; box-decoration-break: clone; -webkit-box-decoration-break: clone; }
  .exchange > summary { padding: 1.2mm 2mm; }
  .exchange > :not(summary) { margin-left: 2mm; margin-right: 2mm; }
  .message pre, pre.body { padding: 1mm 1.5mm; line-height: 1.35; }
  .classes { grid-template-columns: repeat(3, 1fr); gap: 8mm; }
  .facts { grid-template-columns: 1fr 1fr; gap: 0 8mm; }
  .facts > div { grid-template-columns: 20mm 1fr; gap: 3mm; }
  .windows { grid-template-columns: 1fr 1fr; gap: 0 4mm; }
  :root:has(#print-whole:checked) .windows { grid-template-columns: 1fr; }
  .data th, .data td { padding-right: 2mm; white-space: normal; }
  .data { font-size: 8pt; }
  .scrolled { overflow: visible; }
  .leftovers { columns: 3; font-size: 8pt; }
  .leftovers li { padding: 0.3mm 0; }
  thead { display: table-header-group; }
  p, pre { orphans: 3; widows: 3; }
  a { color: inherit; text-decoration: none; }
  :target { outline: 0; }
  .section::details-content, #causes details::details-content, #run details::details-content, #files details::details-content, :root:has(#print-whole:checked) details::details-content { content-visibility: visible; block-size: auto; }
  summary { list-style: none; }
  summary::-webkit-details-marker { display: none; }
  .command, .message pre, pre.body, .warnings { background: none; border: 0.5pt solid var(--rule); }
  mark { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;
