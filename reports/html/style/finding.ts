/** Findings, and the exchanges behind them. */
export const evidence = `
.proof { border-top: 1px solid var(--rule); }
.proof > summary { padding: 0.35rem 0; }
.proof > summary .symbol { color: var(--tone); margin-right: 0.5rem; }
.proof-inside { border-left: 3px solid var(--tone); padding: 0.25rem 0 0.5rem 1rem; margin-bottom: 1rem; }
.tags { margin: 0 0 0.5rem; font-size: 0.9375rem; }
.particulars { display: grid; gap: 0.35rem; margin: 0.5rem 0; }
.particulars > div { display: grid; grid-template-columns: 5.5rem 1fr; gap: 1rem; align-items: baseline; }
.particulars dt { color: var(--quiet); font-size: 0.9375rem; }
.particulars dd { margin: 0; }
.quoted { white-space: pre-wrap; unicode-bidi: isolate; }
pre { margin: 0; white-space: pre-wrap; unicode-bidi: isolate; line-height: 1.5; tab-size: 2; }
.command, .message pre, pre.body { background: var(--raised); padding: 0.6rem 0.8rem; border-radius: 4px; }
.command { user-select: all; }
.exchange { margin-top: 0.6rem; border: 1px solid var(--rule); border-radius: 4px; }
.exchange > summary { padding: 0.45rem 0.8rem; }
.exchange > :not(summary) { margin-left: 0.8rem; margin-right: 0.8rem; }
.exchange > .note { margin-bottom: 0.6rem; margin-top: 0.4rem; }
.exchange-id { font-weight: 650; }
.messages { scroll-margin-top: 6.5rem; display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 0 1rem; }
.message { min-width: 0; }
.message pre + pre { margin-top: 0.35rem; }
.message .label { margin-top: 0.25rem; }
@media (max-width: 40rem) {
  .particulars > div { display: block; }
  .particulars :is(dt, dd:not(:has(pre))) { display: inline; margin-right: 0.35rem; }
}
`;
