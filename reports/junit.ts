import { h, type VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { RunRecord } from '../lib/evidence/record/record.js';
import type { RequirementResult } from '../lib/evidence/record/requirement-result.js';
import { printableDeep } from '../lib/explain/printable.js';
import type { Renderer } from './renderer.js';
import { classOfResult, classSummaries } from './summary/class-summary.js';
import { thresholdOutcome, thresholdText } from './summary/load-summary.js';
import type { RunCause } from './summary/run-causes.js';
import { elapsedMs, runFacts } from './summary/run-facts.js';
import { viewOf } from './summary/run-view.js';
import { isSelfCheck, selfCheck } from './summary/self-check.js';
import { foundText, testCaseOf } from './test-case.js';
import { levelText, withoutCodeMarks } from './text/finding-text.js';

/**
 * JUnit XML in the dialect that Jenkins publishes a schema for: a suite for each class, a case for each requirement or
 * bound of a load. A run that was cut off and a problem of the waivers are errors of their own.
 */
export const junit = {
  file: 'junit.xml',
  async *render({ record }) {
    yield documentText(printableDeep(record));
  },
} as const satisfies Renderer;

interface Case {
  readonly name: string;
  readonly classname: string;
  readonly failure?: { readonly type: string; readonly message: string; readonly text: string };
  readonly error?: string;
  readonly skipped?: string;
  readonly output?: string;
}

function documentText(record: RunRecord): string {
  const { run, load } = record;
  const { causes, problems } = viewOf(record);
  const suites = [
    ...classSummaries(record).map(({ id, results }) => ({
      name: id as string,
      cases: results.map((result) => caseOf(result, causes, record)),
    })),
    ...(load ? [{ name: 'load', cases: load.thresholds.map(boundCase) }] : []),
    ...(problems.length > 0 ? [{ name: 'run', cases: problems.map(problemCase) }] : []),
  ];
  const properties = runFacts(record).map(([name, value]) => ['\n', h('property', { name, value })]);
  const root = {
    name: `Pet Store Service conformance${isSelfCheck(record) ? `. ${selfCheck}` : ''}`,
    ...countsOf(suites.flatMap(({ cases }) => cases)),
    time: (elapsedMs(run) / 1_000).toFixed(3),
  };
  const elements = suites.map(({ name, cases }, id) => {
    const skipped = cases.filter((one) => one.skipped !== undefined).length;
    const timestamp = run.startedAt.replace(/\.\d+Z$/u, '');
    const suite = { name, id, ...countsOf(cases), skipped, timestamp };
    const tested = cases.map((one) => ['\n', elementOf(one)]);
    return ['\n', h('testsuite', suite, '\n', h('properties', null, properties), tested)];
  });
  const text = renderToString(h('testsuites', root, elements));
  // Jenkins attaches the file that a case names so: no target may name one.
  const inert = text.replaceAll('[[ATTACHMENT|', '[ [ATTACHMENT|').replaceAll(']]>', ']]&gt;');
  return `<?xml version="1.0" encoding="UTF-8"?>\n${inert}\n`;
}

function countsOf(cases: readonly Case[]): Record<string, number> {
  const failures = cases.filter(({ failure }) => failure).length;
  const errors = cases.filter(({ error }) => error !== undefined).length;
  return { tests: cases.length, failures, errors };
}

function elementOf({ failure, error, skipped, output, ...attributes }: Case): VNode {
  return h(
    'testcase',
    attributes as Record<string, string>,
    skipped !== undefined && h('skipped', null, skipped),
    error !== undefined && h('error', { message: error }, error),
    failure && h('failure', { type: failure.type, message: failure.message }, failure.text),
    output && h('system-out', null, output),
  );
}

function boundCase(threshold: NonNullable<RunRecord['load']>['thresholds'][number]): Case {
  const name = `${threshold.name} ${threshold.bound}`;
  const message = `${name}: ${thresholdText(threshold).measured}`;
  const outcome = thresholdOutcome(threshold);
  return {
    name,
    classname: 'load.bounds',
    ...(outcome === 'broken' && { failure: { type: 'bound', message, text: '' } }),
    ...(outcome === 'open' && { error: message }),
  };
}

/** What spoils a run beside its requirements. */
function problemCase([name, error]: readonly [name: string, what: string], index: number): Case {
  return { name: `${index + 1}. ${name}`, classname: 'run', error };
}

function caseOf(result: RequirementResult, causes: readonly RunCause[], record: RunRecord): Case {
  const { id, level, title, verdict, findings, notes = [], observations = [] } = result;
  const { kind, text } = testCaseOf(result, record, causes);
  const isTolerated = findings.length > 0 && kind !== 'failed';
  const output = [
    ...(isTolerated ? [`${verdict}: ${foundText(result, causes)}`] : []),
    ...notes,
    ...observations.map(({ subject, behaviour }) => `${subject}: ${behaviour}`),
  ];
  const message = withoutCodeMarks(findings[0]?.message ?? title);
  return {
    name: `${id} ${withoutCodeMarks(title)} (${levelText(result)})`,
    classname: `${classOfResult(result)}.${id.split('-')[0]}`,
    ...(kind === 'failed' && { failure: { type: level, message, text } }),
    ...(kind !== 'failed' && kind !== 'passed' && { [kind]: text }),
    output: output.join('\n'),
  };
}
