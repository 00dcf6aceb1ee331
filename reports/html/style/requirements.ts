/** The annotated specification, and its requirements. */
export const requirements = `
.outcome { display: inline-flex; align-items: baseline; gap: 0.4em; color: var(--tone); font-weight: 650; white-space: nowrap; }
.outcome .symbol { transform: translateY(0.1em); vertical-align: 0; }
.level { font-size: 0.8125rem; font-weight: 600; letter-spacing: 0.02em; }
.waiver { border-left: 3px solid var(--warn); padding-left: 0.75rem; margin: 0.35rem 0; }

.legend .particulars > div { grid-template-columns: 9.5rem 1fr; }
.section { border-top: 1px solid var(--rule); }
.section > summary { padding: 0.5rem 0; display: grid; grid-template-columns: minmax(0, 22rem) 1fr; gap: 0.25rem 1rem; align-items: baseline; }
.section > summary .counts { margin: 0; }
.section > summary h3 { font-size: 1rem; }
.section[open] { padding-bottom: 1rem; }
.clause .clause { margin-top: 1rem; }
.clause-number { display: inline-block; min-width: 2.25rem; font-weight: 600; }
.says { color: var(--quiet); max-width: 48rem; margin: 0.25rem 0 0.5rem; }
.requirements { margin-top: 0.5rem; }
.requirement { display: grid; grid-template-columns: 9.5rem 1fr; gap: 1rem; padding: 0.6rem 0; border-top: 1px solid var(--rule); }
.requirement p { margin: 0; }
.requirement .note, .requirement .reason, .requirement .waiver { margin-top: 0.2rem; }
.requirement-id { font-weight: 650; margin-right: 0.25rem; }
.compact .requirement { padding: 0.3rem 0; }
@media (max-width: 40rem) {
  .requirement, .legend .particulars > div, .section > summary { grid-template-columns: 1fr; gap: 0.15rem; }
  .section > summary { padding: 0.3rem 0; }
}
`;
