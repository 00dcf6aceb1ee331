import type { RequirementResult, RunRecord, Verdict } from '../lib/record/record.js';
import { planNamed } from './summary/run-summary.js';
import type { Renderer } from './renderer.js';
import { findingLines, labelled, levelText, waiverText } from './text/finding-text.js';

/**
 * W3C Evaluation and Report Language 1.0 as JSON-LD, for tools that gather the results of many testers. The context is
 * in the file, so that a reader fetches nothing.
 */
export const earl = {
  name: 'earl',
  file: 'earl.jsonld',
  summary: 'W3C EARL 1.0: an assertion for each requirement',
  async *render({ record }) {
    yield `${JSON.stringify(earlDocument(record), null, 2)}\n`;
  },
} as const satisfies Renderer;

const context = {
  '@version': 1.1,
  earl: 'http://www.w3.org/ns/earl#',
  dct: 'http://purl.org/dc/terms/',
  doap: 'http://usefulinc.com/ns/doap#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
  id: '@id',
  type: '@type',
  title: 'dct:title',
  description: 'dct:description',
  identifier: 'dct:identifier',
  date: { '@id': 'dct:date', '@type': 'xsd:dateTime' },
  version: 'dct:hasVersion',
  source: 'dct:source',
  homepage: 'doap:homepage',
  assertedBy: { '@id': 'earl:assertedBy', '@type': '@id' },
  subject: { '@id': 'earl:subject', '@type': '@id' },
  mode: { '@id': 'earl:mode', '@type': '@id' },
  outcome: { '@id': 'earl:outcome', '@type': '@id' },
  test: 'earl:test',
  result: 'earl:result',
  info: 'earl:info',
} as const;

/** The outcome of a SHOULD that is not met: EARL has none, and lets one be added to a class of outcomes. */
const warning = 'urn:petstore-conformance:outcome:warning';

/** An observation neither passes nor fails. */
const outcomes = {
  pass: 'earl:passed',
  fail: 'earl:failed',
  warn: warning,
  observed: 'earl:cantTell',
  inconclusive: 'earl:cantTell',
  'not-applicable': 'earl:inapplicable',
  'not-tested': 'earl:untested',
} as const satisfies Record<Verdict, string>;

function earlDocument(record: RunRecord) {
  const { suite, run, target } = record;
  const assertor = `urn:${suite.name}:version:${encodeURIComponent(suite.version)}`;
  const subject = `urn:${suite.name}:run:${encodeURIComponent(run.id)}:target`;
  return {
    '@context': context,
    '@graph': [
      { id: assertor, type: ['earl:Assertor', 'earl:Software'], title: suite.name, version: suite.version },
      {
        id: subject,
        type: ['earl:TestSubject', 'earl:Software'],
        title: target.name,
        homepage: target.baseUrl,
        description: `${['Pet Store Service', ...planNamed(target)].join(', ')}. The run's verdict: ${record.verdict}.`,
      },
      {
        id: warning,
        type: ['earl:OutcomeValue', 'earl:CannotTell'],
        title: 'Warning',
        description: 'A SHOULD is not met, which does not fail the run.',
      },
      ...record.requirements.map((row) => ({
        type: 'earl:Assertion',
        assertedBy: assertor,
        subject,
        mode: 'earl:automatic',
        test: {
          id: `urn:${suite.name}:requirement:${row.id}`,
          type: ['earl:TestCriterion', 'earl:TestRequirement'],
          identifier: row.id,
          title: row.title,
          description: levelText(row),
        },
        result: resultOf(row, run.finishedAt),
      })),
    ],
  };
}

function resultOf(row: RequirementResult, date: string) {
  const { verdict, reason, findings, observations = [], waived } = row;
  const description = [
    ...(reason === undefined ? [] : [reason]),
    ...findings.map((finding) => labelled(findingLines(finding)).join('\n')),
    ...observations.map(({ subject, behaviour }) => `${subject}: ${behaviour}`),
  ];
  return {
    type: 'earl:TestResult',
    outcome: outcomes[verdict],
    date,
    ...(description.length > 0 && { description: description.join('\n\n') }),
    ...(waived && { info: waiverText(waived) }),
  };
}
