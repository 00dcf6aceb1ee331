import { h, type ComponentChild, type VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { RunRecord, RequirementResult } from '../lib/evidence/record/record.js';
import { classOfResult } from '../lib/verdict/class-verdict.js';
import { measuredText } from './summary/measurements.js';
import { elapsedMs, viewOf } from './summary/run-view.js';
import { isSelfCheck, selfCheck } from './summary/verdict-sentences.js';
import { foundText, testCaseOf, type TestCase } from './test-case.js';
import { levelText } from './text.js';

/** JUnit XML in Jenkins' dialect: a case for each requirement, bound of a load, and problem of the run. */
export function junitXml(recorded: RunRecord): string {
  const { record, problems, facts } = viewOf(recorded);
  const { run, load, requirements } = record;
  const cases = [
    ...(load?.thresholds.map(boundCase) ?? []),
    ...requirements.map((result) => caseOf(result, record)),
    ...problems.map(([what, text], index) => {
      const element = caseElement(`${index + 1}. ${what}`, 'run', h('error', { message: text }, text));
      return { kind: 'error', element } as const;
    }),
  ];
  const name = `Pet Store Service conformance${isSelfCheck(record) ? `. ${selfCheck}` : ''}`;
  const countOf = (kind: TestCase['kind']): number => cases.filter((one) => one.kind === kind).length;
  const counts = { tests: cases.length, failures: countOf('failed'), errors: countOf('error') };
  const timestamp = run.startedAt.replace(/\.\d+Z$/u, '');
  const properties = facts.map(([name, value]) => ['\n', h('property', { name, value })]);
  const suite = h(
    'testsuite',
    { name, id: 0, ...counts, skipped: countOf('skipped'), timestamp },
    ['\n', h('properties', null, properties)],
    cases.map(({ element }) => ['\n', element]),
  );
  const time = (elapsedMs(run) / 1_000).toFixed(3);
  const text = renderToString(h('testsuites', { name, ...counts, time }, '\n', suite));
  // Jenkins attaches the file that a case names so: no target may name one.
  const inert = text.replaceAll('[[ATTACHMENT|', '[ [ATTACHMENT|').replaceAll(']]>', ']]&gt;');
  return `<?xml version="1.0" encoding="UTF-8"?>\n${inert}\n`;
}

function caseElement(name: string, classname: string, ...content: readonly ComponentChild[]): VNode {
  return h('testcase', { name, classname } as Record<string, string>, ...content);
}

function boundCase(threshold: NonNullable<RunRecord['load']>['thresholds'][number]) {
  const { name, bound, outcome } = threshold;
  const kind = ({ kept: 'passed', broken: 'failed', open: 'error' } as const)[outcome];
  const message = `${name} ${bound}: ${measuredText(threshold)}`;
  const element = caseElement(
    `${name} ${bound}`,
    'load.bounds',
    kind === 'error' && h('error', { message }, message),
    kind === 'failed' && h('failure', { type: 'bound', message }, message),
  );
  return { kind, element };
}

function caseOf(result: RequirementResult, record: RunRecord) {
  const { id, level, title, findings, notes = [], observations = [] } = result;
  const { kind, text } = testCaseOf(result, record);
  const message = findings[0]?.message ?? title;
  const isTolerated = findings.length > 0 && kind !== 'failed';
  const output = [
    ...(isTolerated ? [foundText(result, record)] : []),
    ...notes,
    ...observations.map(({ subject, behaviour }) => `${subject}: ${behaviour}`),
  ];
  const element = caseElement(
    `${id} ${title} (${levelText(result)})`,
    `${classOfResult(result)}.${id.split('-')[0]}`,
    kind === 'skipped' && h('skipped', null, text),
    kind === 'error' && h('error', { message: text }, text),
    kind === 'failed' && h('failure', { type: level, message }, text),
    output.length > 0 && h('system-out', null, output.join('\n')),
  );
  return { kind, element };
}
