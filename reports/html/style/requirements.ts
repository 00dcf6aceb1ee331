import { outcomes } from '../../summary/requirement-outcome.js';

/** Choosing an outcome hides every other requirement, and each clause in which none is left. */
const filters = outcomes
  .map(
    (outcome) => `
.specification:has(#show-${outcome}:checked) .requirement:not(.is-${outcome}),
.specification:has(#show-${outcome}:checked) .clause:not(:has(.requirement.is-${outcome})) { display: none; }`,
  )
  .join('');

/** The annotated specification, its requirements and the filter that needs no script. */
export const requirements = `
.outcome { display: inline-flex; align-items: baseline; gap: 0.4em; color: var(--tone); font-weight: 650; white-space: nowrap; }
.outcome .symbol { transform: translateY(0.1em); vertical-align: 0; }
.level { font-size: 0.8125rem; font-weight: 600; letter-spacing: 0.02em; }
.waiver { border-left: 3px solid var(--warn); padding-left: 0.75rem; margin: 0.35rem 0; }

.legend .particulars > div { grid-template-columns: 9.5rem 1fr; }
.filter { display: flex; flex-wrap: wrap; gap: 0.35rem 0.5rem; border: 0; margin: 1rem 0 0; padding: 0; }
.filter legend { float: left; padding: 0.3rem 0.5rem 0.3rem 0; color: var(--quiet); }
.filter label { display: inline-flex; align-items: center; gap: 0.4em; border: 1px solid var(--strong-rule); border-radius: 999px; padding: 0.25rem 0.8rem; cursor: pointer; }
.filter label .symbol { color: var(--tone); }
.filter label:has(:checked) { border-color: var(--ink); box-shadow: inset 0 0 0 1px var(--ink); font-weight: 600; }
.filter label:has(:focus-visible) { outline: 3px solid var(--link); outline-offset: 2px; }
.filter input { position: absolute; opacity: 0; pointer-events: none; }

.specification > .clause { margin-top: 2rem; border-top: 2px solid var(--ink); padding-top: 0.75rem; }
.clause .clause { margin-top: 1.5rem; }
.clause-number { display: inline-block; min-width: 2.25rem; font-weight: 600; }
.says { color: var(--quiet); max-width: 48rem; margin: 0.25rem 0 0.5rem; }
.requirements { margin-top: 0.5rem; }
.requirement { display: grid; grid-template-columns: 9.5rem 1fr; gap: 1rem; padding: 0.6rem 0; border-top: 1px solid var(--rule); }
.requirement p { margin: 0; }
.requirement .note, .requirement .reason, .requirement .waiver { margin-top: 0.2rem; }
.requirement-id { font-weight: 650; margin-right: 0.25rem; }
.compact .requirement { padding: 0.4rem 0; }
@media (max-width: 40rem) {
  .requirement, .legend .particulars > div { grid-template-columns: 1fr; gap: 0.15rem; }
}
${filters}
`;
