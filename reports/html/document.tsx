import { createHash } from 'node:crypto';
import type { JSX } from 'preact';
import type { RunRecord } from '../../lib/record/record.js';
import type { EvidenceFile } from './evidence/evidence-files.js';
import type { ShownExchanges } from './evidence/shown-exchanges.js';
import type { FindingGroup } from './evidence/shown-findings.js';
import type { ObservationGroup } from './evidence/shown-observations.js';
import { subjectOf } from '../summary/headline.js';
import { isLoad } from '../summary/load-summary.js';
import { count } from '../text/quantity.js';
import { EvidenceSection, LeftoversSection } from './sections/evidence-section.js';
import { FindingsSection } from './sections/findings-section.js';
import { LimitsSection } from './sections/limits-section.js';
import { LoadSection } from './sections/load-section.js';
import { NotJudgedSection } from './sections/not-judged-section.js';
import { AppendixSection, OpenSection } from './sections/open-section.js';
import { RunSection } from './sections/run-section.js';
import { SpecificationSection } from './sections/specification-section.js';
import { Headline, VerdictSection } from './sections/verdict-section.js';
import { stylesheet } from './style/stylesheet.js';
import { visibleText } from './text/unseen-characters.js';
import { headlineOf } from './verdict/report-headline.js';
import { outcomeCounts } from './parts/outcome.js';
import { OutcomeSymbol, OutcomeSymbols } from './parts/outcome-mark.js';

export interface DocumentProperties {
  /** With a row for every id of the catalogue. */
  readonly record: RunRecord;
  readonly findings: readonly FindingGroup[];
  readonly observations: readonly ObservationGroup[];
  readonly exchanges: ShownExchanges;
  readonly files?: readonly EvidenceFile[] | undefined;
}

/** Nothing is loaded and nothing runs: the one style is known by its hash, so that no data can bring another. */
function contentSecurityPolicy(style: string): string {
  const hash = createHash('sha256').update(style).digest('base64');
  return `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
}

type Link = readonly [address: string, text: string];

/** The parts of a report; that of a load has nothing of the specification to tell. */
function linksOf(record: RunRecord): readonly Link[] {
  const evidence: Link = ['#evidence', 'Evidence'];
  if (isLoad(record)) return [['#load', 'Load'], ['#run', 'Run'], ['#leftovers', 'Left behind'], evidence];
  const counts = outcomeCounts(record.requirements);
  const findings = record.requirements.reduce((sum, row) => sum + row.findings.length, 0);
  const unjudged = counts.inconclusive + counts['not-tested'] + counts['not-applicable'];
  return [
    ['#findings', `Findings (${count(findings)})`],
    ...(unjudged > 0 ? [['#not-judged', `Not judged (${count(unjudged)})`] as const] : []),
    ['#specification', 'Specification'],
    ...((record.plans ?? []).length > 0 ? [['#limits', 'Limits'] as const] : []),
    ['#open', 'Left open'],
    evidence,
  ];
}

/** The bar that stays in sight: the verdict, and the way to each part. */
function Contents({ record }: { readonly record: RunRecord }): JSX.Element {
  const { word, outcome } = headlineOf(record);
  return (
    <nav class="contents" aria-label="Contents">
      <ul>
        <li class={`summary is-${outcome}`}>
          <OutcomeSymbol outcome={outcome} />
          {word}
        </li>
        {linksOf(record).map(([address, text]) => (
          <li>
            <a href={address}>{text}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** What a run says of the specification, clause by clause. */
function Judged({ record, findings, observations, exchanges }: DocumentProperties): JSX.Element {
  return (
    <>
      <FindingsSection groups={findings} exchanges={exchanges} />
      <NotJudgedSection record={record} />
      <LimitsSection record={record} />
      <SpecificationSection record={record} />
      <OpenSection groups={observations} exchanges={exchanges} />
    </>
  );
}

/** The whole report as one document without a script and without a request. */
export function ReportDocument(properties: DocumentProperties): JSX.Element {
  const { record, exchanges, files } = properties;
  const { suite, run } = record;
  const { kind, claim } = headlineOf(record);
  const title = visibleText(`${subjectOf(record)} ${claim}`);
  const load = isLoad(record);
  const style = stylesheet({
    subject: visibleText(`${kind}: ${title}`),
    run: visibleText(`Run ${run.id}, ${suite.name} ${suite.version}`),
  });
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={contentSecurityPolicy(style)} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <title>{`${title} · ${kind}`}</title>
        <style dangerouslySetInnerHTML={{ __html: style }} />
      </head>
      <body>
        <a class="skip" href="#report">
          Skip to the report
        </a>
        <OutcomeSymbols />
        <Headline record={record} />
        <Contents record={record} />
        <main id="report">
          {load ? <LoadSection record={record} /> : <VerdictSection record={record} />}
          <RunSection record={record} />
          {!load && <Judged {...properties} />}
          <LeftoversSection record={record} />
          <EvidenceSection record={record} exchanges={exchanges} files={files} />
          <AppendixSection exchanges={exchanges} />
        </main>
        <footer class="page-end">
          Made by {visibleText(`${suite.name} ${suite.version}`)} from the record of run {visibleText(run.id)}
          . This page loads nothing and runs nothing.
        </footer>
      </body>
    </html>
  );
}
