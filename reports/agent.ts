import { explainCommand } from '../lib/explain/page-address.js';
import { isRequirementId } from '../lib/specification/catalogue.js';
import { guidance } from '../lib/specification/guidance.js';
import { clip, printableDeep } from '../lib/usage/printable.js';
import { exitCode } from '../lib/verdict/exit-status.js';
import type { FinishedRun } from './finished-run.js';
import type { Renderer } from './renderer.js';
import { runCauses, type RunCause } from './summary/run-causes.js';
import { headline, verdictOf } from './summary/verdict-sentences.js';
import { withoutCodeMarks } from './text/finding-text.js';

/** Causes that are told whole: an agent mends the first ones, and runs again. */
const whole = 6;
/** Characters of a text that came from the target, and of a command. */
const longest = { text: 240, command: 700 } as const;

/**
 * A run for a coding agent: a JSON object for each cause, the most fundamental first, and one for the run. A usual red run has
 * fewer than 2,000 tokens.
 */
export const agent = {
  name: 'agent',
  file: 'agent.jsonl',
  summary: 'a line of JSON for each cause, for coding agents',
  async *render({ record: run, directory }: FinishedRun) {
    const record = printableDeep(run);
    const causes = runCauses(record).filter(({ outcome }) => outcome !== 'waived');
    const next = `npx petstore-conformance --again=${directory}`;
    for (const [index, cause] of causes.entries())
      yield line(index < whole ? { ...causeFields(cause), next } : briefFields(cause));
    yield line({
      verdict: verdictOf(record).word,
      exitCode: exitCode(record),
      summary: headline(record),
      ...(record.run.complete ? {} : { stopped: record.run.stopped ?? 'no reason is known' }),
      ...(record.waiverProblems ? { waivers: record.waiverProblems } : {}),
      report: directory,
      ...(exitCode(record) === 0 ? {} : { next }),
    });
  },
} as const satisfies Renderer;

function briefFields({ results, leftOpen, message }: RunCause): Record<string, unknown> {
  const [first, ...others] = [...results, ...leftOpen].map(({ id }) => id);
  return {
    requirement: first,
    ...(others.length === 0 ? {} : { also: others }),
    problem: clip(message, longest.text),
  };
}

function causeFields(cause: RunCause): Record<string, unknown> {
  const { shown, others, only } = cause;
  const { requirement, ...rest } = briefFields(cause);
  const id = String(requirement);
  const curl = shown?.reproduce;
  return {
    requirement,
    ...(only ? { level: only.level, rule: withoutCodeMarks(only.title) } : {}),
    ...rest,
    ...(shown?.expected === undefined ? {} : { expected: clip(shown.expected, longest.text) }),
    ...(shown?.received === undefined ? {} : { received: clip(shown.received, longest.text) }),
    ...(shown?.pointer === undefined ? {} : { at: shown.pointer }),
    ...(others.length === 0 ? {} : { alsoSeen: others.slice(0, 2).map(({ message }) => clip(message, 120)) }),
    ...(curl === undefined || curl.length > longest.command ? {} : { curl }),
    ...(isRequirementId(id) ? { fix: guidance[id].fix } : {}),
    explain: explainCommand(id),
  };
}

function line(value: Record<string, unknown>): string {
  return `${JSON.stringify(value)}\n`;
}
