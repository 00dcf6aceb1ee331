import { clip } from '../lib/explain/clip.js';
import { invocationBeside } from '../lib/options/command-line.js';
import { shellWord } from '../lib/options/command-text.js';
import { printableDeep } from '../lib/explain/printable.js';
import { exitCode } from '../lib/verdict/exit-status.js';
import type { FinishedRun } from './finished-run.js';
import type { Renderer } from './renderer.js';
import type { NamedRequirement, RunCause } from './summary/run-causes.js';
import { viewOf } from './summary/run-view.js';
import { sectionText, withoutCodeMarks } from './text/finding-text.js';

/** Causes that are told whole: an agent mends the first ones, and runs again. */
const whole = 5;
/** Characters of a text that came from the target, and of a command. */
const longest = { text: 240, message: 120, command: 700 } as const;

/**
 * A run for a coding agent: a JSON object for each cause, the most fundamental first, and one for the run. A usual red run has
 * fewer than 2,000 tokens.
 */
export const agent = {
  file: 'agent.jsonl',
  async *render({ record: run, directory }: FinishedRun) {
    const record = printableDeep(run);
    const { causes, word, headline, problems, open } = viewOf(record);
    const code = exitCode(record);
    const next = `${invocationBeside(record.run.command, 'test')} --again=${shellWord(directory)}`;
    const told = causes.filter(({ outcome }) => outcome !== 'waived');
    for (const [index, cause] of told.entries())
      yield line({ ...briefFields(cause), ...(index < whole && { ...otherFields(cause), next }) });
    yield line({
      verdict: word,
      exitCode: code,
      summary: headline,
      problems: someOf(problems.map((problem) => problem.join(': '))),
      notJudged: someOf(open.map(({ ids, reason }) => ({ requirements: ids, reason }))),
      report: directory,
      next: code === 0 ? undefined : next,
    });
  },
  directoryIn: (report) => {
    const [, name = '""'] = /"report":("(?:[^"\\]|\\.)*")[^\n]*\n$/u.exec(report) ?? [];
    return String(JSON.parse(name)) || undefined;
  },
} as const satisfies Renderer;

/** A member that is undefined is left out. */
function line(value: Record<string, unknown>): string {
  return `${JSON.stringify(value)}\n`;
}

function someOf<T>(items: readonly T[]): readonly T[] | undefined {
  return items.length > 0 ? items : undefined;
}

function briefFields({ named, leftOpen, shown, message }: RunCause): Record<string, unknown> {
  const [first, ...others] = named.map(ruleOf);
  return {
    ...first,
    problem: clip(message, longest.text),
    also: someOf(others),
    notJudgedBecauseOfIt: shown && someOf(leftOpen.map(({ id }) => id)),
  };
}

function ruleOf({ id, level, section, title, outcome, others }: NamedRequirement): Record<string, unknown> {
  return {
    requirement: id,
    verdict: outcome,
    level,
    section: section === '' ? undefined : sectionText(section),
    rule: withoutCodeMarks(title),
    alsoSeen: someOf(others.map(({ message }) => clip(message, longest.message))),
  };
}

function otherFields({ shown, fix, explain }: RunCause): Record<string, unknown> {
  const { expected, received, pointer: at, reproduce = '' } = shown ?? {};
  return {
    expected: expected && clip(expected, longest.text),
    received: received && clip(received, longest.text),
    at,
    curl: reproduce !== '' && reproduce.length <= longest.command ? reproduce : undefined,
    fix,
    explain,
  };
}
