import { h, type VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { RunRecord } from '../lib/evidence/record/record.js';
import type { RequirementResult } from '../lib/evidence/record/requirement-result.js';
import { classOfResult } from './summary/outcomes.js';
import { elapsedMs, runFacts } from './summary/run-facts.js';
import { viewOf } from './summary/run-view.js';
import { isSelfCheck, selfCheck } from './summary/verdict-sentences.js';
import { foundText, testCaseOf, type TestCase } from './test-case.js';
import { levelText, withoutCodeMarks } from './text.js';

interface Case extends TestCase {
  readonly name: string;
  readonly classname: string;
  /** Of a failure: what it is about, and its first line. */
  readonly type?: string;
  readonly message?: string;
  readonly output?: string;
}

/**
 * JUnit XML in the dialect that Jenkins publishes a schema for: a case for each requirement. A run that was
 * cut off and a problem of the waivers are errors of their own.
 */
export function junitXml(recorded: RunRecord): string {
  const { record, problems } = viewOf(recorded);
  const { run, requirements } = record;
  const cases = [
    ...requirements.map((result) => caseOf(result, record)),
    ...problems.map(([what, text], index): Case => {
      return { name: `${index + 1}. ${what}`, classname: 'run', kind: 'error', text };
    }),
  ];
  const name = `Pet Store Service conformance${isSelfCheck(record) ? `. ${selfCheck}` : ''}`;
  const countOf = (kind: Case['kind']): number => cases.filter((one) => one.kind === kind).length;
  const counts = { tests: cases.length, failures: countOf('failed'), errors: countOf('error') };
  const timestamp = run.startedAt.replace(/\.\d+Z$/u, '');
  const properties = runFacts(record).map(([name, value]) => ['\n', h('property', { name, value })]);
  const suite = h(
    'testsuite',
    { name, id: 0, ...counts, skipped: countOf('skipped'), timestamp },
    ['\n', h('properties', null, properties)],
    cases.map((one) => ['\n', elementOf(one)]),
  );
  const time = (elapsedMs(run) / 1_000).toFixed(3);
  const text = renderToString(h('testsuites', { name, ...counts, time }, '\n', suite));
  // Jenkins attaches the file that a case names so: no target may name one.
  const inert = text.replaceAll('[[ATTACHMENT|', '[ [ATTACHMENT|').replaceAll(']]>', ']]&gt;');
  return `<?xml version="1.0" encoding="UTF-8"?>\n${inert}\n`;
}

function elementOf({ name, classname, kind, text, type, message, output }: Case): VNode {
  return h(
    'testcase',
    { name, classname } as Record<string, string>,
    kind === 'skipped' && h('skipped', null, text),
    kind === 'error' && h('error', { message: text }, text),
    kind === 'failed' && h('failure', { type, message }, text),
    output && h('system-out', null, output),
  );
}

function caseOf(result: RequirementResult, record: RunRecord): Case {
  const { id, level, title, findings, notes = [], observations = [] } = result;
  const tested = testCaseOf(result, record);
  const isTolerated = findings.length > 0 && tested.kind !== 'failed';
  const output = [
    ...(isTolerated ? [foundText(result, record)] : []),
    ...notes,
    ...observations.map(({ subject, behaviour }) => `${subject}: ${behaviour}`),
  ];
  return {
    ...tested,
    name: `${id} ${withoutCodeMarks(title)} (${levelText(result)})`,
    classname: `${classOfResult(result)}.${id.split('-')[0]}`,
    type: level,
    message: withoutCodeMarks(findings[0]?.message ?? title),
    output: output.join('\n'),
  };
}
