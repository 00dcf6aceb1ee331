import type { XMLBuilder } from 'xmlbuilder2/lib/interfaces.js';
import type { LoadMeasurement, RequirementResult, RunRecord } from '../lib/record/record.js';
import { findingText, withoutBackquotes } from './text/finding-text.js';
import { verdictInWords } from './summary/not-judged.js';
import { outcomeOf, tally } from './summary/requirement-outcome.js';
import { printableDeep } from './text/printable.js';
import type { Renderer } from './renderer.js';
import { classOfRow, requirementClasses } from './summary/requirement-classes.js';
import { sectionReference } from './text/section.js';

/**
 * JUnit XML in the dialect that Jenkins publishes a schema for: a suite for each class, a case for each requirement.
 * What was not judged and what is waived is skipped with its reason, so that no reader of it takes it for a pass.
 */
export const junit = {
  name: 'junit',
  file: 'junit.xml',
  summary: 'a test case for each requirement',
  async *render({ record }) {
    // Loaded only where it is asked for: it takes a tenth of a second.
    const { create } = await import('xmlbuilder2');
    const document = create({ version: '1.0', encoding: 'UTF-8', invalidCharReplacement: '\uFFFD' });
    addRun(document, printableDeep(record));
    yield document.end({ prettyPrint: true });
  },
} as const satisfies Renderer;

function addRun(document: XMLBuilder, record: RunRecord): void {
  const { run, requirements } = record;
  const suites = document.ele('testsuites', {
    name: 'Pet Store Service conformance',
    ...figuresOfAll(record),
    time: ((Date.parse(run.finishedAt) - Date.parse(run.startedAt)) / 1000).toFixed(3),
  });
  for (const [index, id] of requirementClasses.entries()) {
    const rows = requirements.filter((row) => classOfRow(row) === id);
    const suite = suites.ele('testsuite', {
      name: id,
      id: String(index),
      ...figures(rows, record),
      skipped: String(rows.filter((row) => isSkipped(row, record)).length),
      timestamp: run.startedAt.replace(/\.\d+Z$/u, ''),
    });
    addProperties(suite, record);
    for (const row of rows) addCase(suite, row, record);
  }
  if (record.load) addBounds(suites, record.load, record);
}

function figures(rows: readonly RequirementResult[], record: RunRecord) {
  return { tests: String(rows.length), failures: String(tally(rows, record).failed), errors: '0' };
}

/** The bounds of a load are cases, too. */
function figuresOfAll(record: RunRecord) {
  const { tests, failures, errors } = figures(record.requirements, record);
  const bounds = record.load?.thresholds ?? [];
  const missed = bounds.filter(({ kept }) => !kept).length;
  return {
    tests: String(Number(tests) + bounds.length),
    failures: String(Number(failures) + missed),
    errors,
  };
}

function addBounds(suites: XMLBuilder, { thresholds }: LoadMeasurement, { run }: RunRecord): void {
  const suite = suites.ele('testsuite', {
    name: 'load',
    id: String(requirementClasses.length),
    tests: String(thresholds.length),
    failures: String(thresholds.filter(({ kept }) => !kept).length),
    errors: '0',
    timestamp: run.startedAt.replace(/\.\d+Z$/u, ''),
  });
  for (const { name, bound, measured, kept } of thresholds) {
    const element = suite.ele('testcase', { name: `${name} ${bound}`, classname: 'load.bounds' });
    if (!kept) element.ele('failure', { type: 'bound', message: `${name} ${bound}: ${measured}` });
  }
}

function isSkipped(row: RequirementResult, record: RunRecord): boolean {
  return ['not judged', 'waived'].includes(outcomeOf(row, record));
}

function addProperties(suite: XMLBuilder, { suite: tool, run, target, classes }: RunRecord): void {
  const facts = {
    suite: `${tool.name} ${tool.version}`,
    run: run.id,
    target: target.name,
    baseUrl: target.baseUrl,
    plan: target.plan,
    profile: run.profile,
    seed: String(run.seed),
    command: run.command,
    ...Object.fromEntries(classes.map(({ id, verdict }) => [`verdict.${id}`, verdict])),
  };
  const properties = suite.ele('properties');
  for (const [name, value] of Object.entries(facts)) properties.ele('property', { name, value });
}

function addCase(suite: XMLBuilder, row: RequirementResult, record: RunRecord): void {
  const [group = row.id] = row.id.split('-');
  const element = suite.ele('testcase', {
    name: `${row.id} ${withoutBackquotes(row.title)} (${[row.level, sectionReference(row.section)].filter(Boolean).join(', ')})`,
    classname: `${classOfRow(row)}.${group}`,
    assertions: String(row.checks),
    status: row.verdict,
  });
  const outcome = outcomeOf(row, record);
  const findings = row.findings.map((finding) => findingText(finding).join('\n')).join('\n\n');
  if (row.waived) {
    const { reason, owner, until } = row.waived;
    element.ele('skipped').txt(`waived until ${until} by ${owner}: ${reason}`);
  } else if (outcome === 'not judged') {
    element.ele('skipped').txt(`${verdictInWords(row.verdict)}: ${row.reason ?? ''}`);
  } else if (outcome === 'failed') {
    const message = row.findings[0]?.message ?? row.title;
    element.ele('failure', { type: row.level, message: withoutBackquotes(message) }).txt(findings);
  }
  const told = [
    ...(outcome === 'warned' || outcome === 'waived' ? [`${row.verdict}: ${findings}`] : []),
    ...(row.notes ?? []),
    ...(row.observations ?? []).map(({ subject, behaviour }) => `${subject}: ${behaviour}`),
  ];
  if (told.length > 0) element.ele('system-out').txt(told.join('\n'));
}
