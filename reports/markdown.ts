import type { RunRecord } from '../lib/evidence/record/record.js';
import { describeFindings } from './test-case.js';
import { isLoad } from './summary/load-summary.js';
import type { Outcome } from './summary/outcomes.js';
import { verdictOf } from './summary/verdict-sentences.js';

const marks: Partial<Record<Outcome, string>> = { pass: '✅', fail: '❌', observed: '📈' };

/** A page in Markdown, as GitHub shows it for a job: the verdict as its heading, and what the terminal tells. */
export function markdownSummary(record: RunRecord): string {
  const { word, outcome } = verdictOf(record);
  const title = `Pet Store Service${isLoad(record) ? ' under load' : ''}: ${word}`;
  return markdownPage(`${marks[outcome] ?? '🟡'} ${title}`, describeFindings(record));
}

/** A printable text below a heading. It is a code block: nothing of it is active. */
export function markdownPage(title: string, text: string): string {
  // The fence is longer than every run of backquotes inside.
  const runs = text.match(/`+/gu) ?? [];
  const fence = '`'.repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
  return [`## ${title}`, '', `${fence}text`, text, fence, ''].join('\n');
}
