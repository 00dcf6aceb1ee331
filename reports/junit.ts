import { h, type VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { classOf } from '../lib/specification/catalogue.js';
import { leavesClassOpen } from '../lib/verdict/class-verdict.js';
import type { RequirementResult, RunRecord } from '../lib/record/record.js';
import type { Renderer } from './renderer.js';
import { classSummaries } from './summary/class-summary.js';
import { verdictText } from './summary/not-judged.js';
import { thresholdOutcome, thresholdText } from './summary/load-summary.js';
import { notJudgedOutcomes, outcomeOf } from './summary/requirement-outcome.js';
import type { RunCause } from './summary/run-causes.js';
import { elapsedMs } from './summary/run-summary.js';
import { viewOf, type RunView } from './summary/run-view.js';
import { isSelfCheck, selfCheck } from './summary/self-check.js';
import { findingLines, labelled, levelText, waiverText, withoutCodeMarks } from './text/finding-text.js';
import { printableDeep } from '../lib/explain/printable.js';

/**
 * JUnit XML in the dialect that Jenkins publishes a schema for: a suite for each class, a case for each requirement or
 * bound of a load. What the exit code tells, it tells too: a failure is a failure; a selected MUST that could not be judged,
 * a run that was cut off and a problem of the waivers are errors. What was not selected and what is waived is skipped with
 * its reason, so that it never reads as a pass.
 */
export const junit = {
  name: 'junit',
  file: 'junit.xml',
  summary: 'a test case for each requirement',
  async *render({ record }) {
    yield documentText(printableDeep(record));
  },
} as const satisfies Renderer;

interface Case {
  readonly attributes: Record<string, string>;
  readonly failure?: { readonly type: string; readonly message: string; readonly text: string };
  readonly error?: string;
  readonly skipped?: string;
  readonly output?: string;
}

function documentText(record: RunRecord): string {
  const { run, load } = record;
  const view = viewOf(record);
  const { causes } = view;
  const suites = [
    ...classSummaries(record).map(({ id, results }) => ({
      name: id as string,
      cases: results.map((result) => caseOf(result, causes, record)),
    })),
    ...(load ? [{ name: 'load', cases: boundCases(load) }] : []),
    ...[{ name: 'run', cases: runCases(view) }].filter(({ cases }) => cases.length > 0),
  ];
  const properties = Object.entries({ ...propertiesOf(record), ...causeProperties(causes) });
  const root = {
    name: `Pet Store Service conformance${isSelfCheck(record) ? `. ${selfCheck}` : ''}`,
    ...countsOf(suites.flatMap(({ cases }) => cases)),
    time: (elapsedMs(run) / 1_000).toFixed(3),
  };
  const elements = suites.map(({ name, cases }, index) => {
    const suite = {
      name,
      id: index,
      ...countsOf(cases),
      skipped: cases.filter(({ skipped }) => skipped !== undefined).length,
      timestamp: run.startedAt.replace(/\.\d+Z$/u, ''),
    };
    const known = properties.map(([key, value]) => ['\n', h('property', { name: key, value })]);
    const tested = cases.map((one) => ['\n', elementOf(one)]);
    return ['\n', h('testsuite', suite, '\n', h('properties', null, known), tested)];
  });
  const text = renderToString(h('testsuites', root, elements));
  return `<?xml version="1.0" encoding="UTF-8"?>\n${text.replaceAll(']]>', ']]&gt;')}\n`;
}

function countsOf(cases: readonly Case[]): Record<string, number> {
  const failures = cases.filter(({ failure }) => failure).length;
  const errors = cases.filter(({ error }) => error !== undefined).length;
  return { tests: cases.length, failures, errors };
}

function elementOf({ attributes, failure, error, skipped, output }: Case): VNode {
  return h(
    'testcase',
    attributes,
    skipped !== undefined && h('skipped', null, skipped),
    error !== undefined && h('error', { message: error }, error),
    failure && h('failure', { type: failure.type, message: failure.message }, failure.text),
    output && h('system-out', null, output),
  );
}

function boundCases({ thresholds }: NonNullable<RunRecord['load']>): Case[] {
  return thresholds.map((threshold) => {
    const name = `${threshold.name} ${threshold.bound}`;
    const message = `${name}: ${thresholdText(threshold).measured}`;
    const outcome = thresholdOutcome(threshold);
    return {
      attributes: { name, classname: 'load.bounds' },
      ...(outcome === 'broken' && { failure: { type: 'bound', message, text: '' } }),
      ...(outcome === 'open' && { error: message }),
    };
  });
}

/** What spoils a run beside its requirements. */
function runCases({ problems }: RunView): Case[] {
  return problems.map(([name, error], index) => ({
    attributes: { name: `${index + 1}. ${name}`, classname: 'run' },
    error,
  }));
}

function propertiesOf({ suite, run, target, classes }: RunRecord): Record<string, string> {
  return {
    suite: `${suite.name} ${suite.version}`,
    run: run.id,
    target: target.name,
    baseUrl: target.baseUrl,
    ...(target.planGiven === false ? {} : { plan: target.plan }),
    profile: run.profile,
    seed: String(run.seed),
    command: run.command,
    ...Object.fromEntries(classes.map(({ id, verdict }) => [`verdict.${id}`, verdict])),
  };
}

const notJudged: ReadonlySet<string> = new Set(notJudgedOutcomes);

/** The causes, the most fundamental first: a case of their own would count a failure twice. */
function causeProperties(causes: readonly RunCause[]): Record<string, string> {
  return Object.fromEntries(
    causes.map(({ ids, message }, index) => [`cause.${index + 1}`, `${ids}: ${withoutCodeMarks(message)}`]),
  );
}

function caseOf(result: RequirementResult, causes: readonly RunCause[], record: RunRecord): Case {
  const { id, level, title, verdict, reason = '', notes = [], observations = [] } = result;
  const outcome = outcomeOf(result, record);
  const own = causes.filter(({ results }) => results.includes(result));
  const shared = own
    .filter(({ only }) => !only)
    .map(({ ids, message: what }) => `one cause of ${ids}: ${what}`);
  const texts = [
    ...result.findings.map((finding) => labelled(findingLines(finding)).join('\n')),
    ...[...own.flatMap(({ remarks }) => remarks), ...shared].map(withoutCodeMarks),
  ];
  const findings = texts.join('\n\n');
  const output = [
    ...(outcome === 'warn' || outcome === 'waived' ? [`${verdict}: ${findings}`] : []),
    ...notes,
    ...observations.map(({ subject, behaviour }) => `${subject}: ${behaviour}`),
  ];
  const message = withoutCodeMarks(result.findings[0]?.message ?? title);
  return {
    attributes: {
      name: `${id} ${withoutCodeMarks(title)} (${levelText(result)})`,
      classname: `${classOf(id)}.${id.split('-')[0]}`,
    },
    ...(result.waived && { skipped: waiverText(result.waived) }),
    ...(notJudged.has(outcome) && {
      [leavesClassOpen(result) ? 'error' : 'skipped']: `${verdictText(verdict)}: ${reason}`,
    }),
    ...(outcome === 'fail' && { failure: { type: level, message, text: findings } }),
    output: output.join('\n'),
  };
}
