import { createHash } from 'node:crypto';
import type { JSX } from 'preact';
import type { RunRecord } from '../../lib/record/record.js';
import { isLoad } from '../summary/load-summary.js';
import type { RunView } from '../summary/run-view.js';
import { printable } from '../../lib/usage/printable.js';
import { integer } from '../text/quantity.js';
import type { ShownExchanges } from './evidence/shown-exchanges.js';
import type { CauseGroup, ObservationGroup } from './evidence/shown-findings.js';
import { OutcomeSymbols } from './parts/outcome-mark.js';
import { CausesSection, ToDoSection } from './sections/causes-section.js';
import { EvidenceSection, NotJudgedSection } from './sections/evidence-section.js';
import { FilesSection, LeftoversSection } from './sections/files-section.js';
import { LimitsSection } from './sections/limits-section.js';
import { LoadSection } from './sections/load-section.js';
import { AppendixSection, OpenQuestionsSection } from './sections/open-questions-section.js';
import { RunSection } from './sections/run-section.js';
import { SpecificationSection } from './sections/specification-section.js';
import { Headline, nameOf, VerdictSection, Warnings } from './sections/verdict-section.js';
import { stylesheet } from './style/stylesheet.js';

export interface DocumentProperties {
  /** With a result for every id of the catalogue. */
  readonly record: RunRecord;
  readonly view: RunView;
  readonly findings: readonly CauseGroup[];
  readonly observations: readonly ObservationGroup[];
  readonly exchanges: ShownExchanges;
}

/** Nothing is loaded, and nothing runs. The one style is known by its hash, so that no data can bring another. */
const styleHash = createHash('sha256').update(stylesheet).digest('base64');
const contentSecurityPolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'`;

/** The bar that stays in sight: the way to each part. */
function Contents({
  record,
  view,
  findings,
  observations,
}: Omit<DocumentProperties, 'exchanges'>): JSX.Element {
  const open = view.notJudged.flatMap(({ ids }) => ids).length;
  const parts: [address: string, text: string, isThere?: boolean][] = isLoad(record)
    ? [['#load', 'Load']]
    : [
        ['#causes', `Causes (${integer(findings.length)})`],
        ['#evidence', 'Evidence', findings.length > 0],
        ['#not-judged', `Not judged (${integer(open)})`, open > 0],
        ['#limits', 'Limits', (record.plans ?? []).length > 0],
        ['#specification', 'Specification'],
        ['#open', 'Left open', observations.length > 0],
      ];
  return (
    <nav class="contents" aria-label="Contents">
      <ul>
        {[...parts, ['#run', 'Run'] as const]
          .filter(([, , isThere = true]) => isThere)
          .map(([address, text]) => (
            <li>
              <a href={address}>{text}</a>
            </li>
          ))}
      </ul>
    </nav>
  );
}

/** The whole report as one document, without a request and without a script. */
export function ReportDocument({
  record,
  view,
  findings,
  observations,
  exchanges,
}: DocumentProperties): JSX.Element {
  const { suite, run } = record;
  const { kind, word } = view;
  const title = printable(`${nameOf(record)}: ${word}`);
  const maker = printable(`${suite.name} ${suite.version}`);
  const classes = <VerdictSection record={record} />;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={contentSecurityPolicy} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <title>{`${title} · ${kind}`}</title>
        <style dangerouslySetInnerHTML={{ __html: stylesheet }} />
      </head>
      <body>
        <a class="skip" href="#report">
          Skip to the report
        </a>
        <OutcomeSymbols />
        <Headline record={record} view={view} />
        <Contents record={record} view={view} findings={findings} observations={observations} />
        <main id="report">
          <Warnings record={record} view={view} />
          {isLoad(record) ? (
            <LoadSection record={record} />
          ) : (
            <>
              {findings.length === 0 && classes}
              <CausesSection record={record} groups={findings} />
              <ToDoSection record={record} groups={findings} />
              <EvidenceSection groups={findings} exchanges={exchanges} />
              {findings.length > 0 && classes}
              <NotJudgedSection view={view} />
              <LimitsSection record={record} exchanges={exchanges} />
              <SpecificationSection record={record} />
              <OpenQuestionsSection groups={observations} exchanges={exchanges} />
              <AppendixSection exchanges={exchanges} />
            </>
          )}
          <RunSection record={record} />
          <LeftoversSection record={record} />
          <FilesSection record={record} exchanges={exchanges} />
        </main>
        <footer class="page-end">
          <label class="whole">
            <input type="checkbox" id="print-whole" /> Print with all details
          </label>
          <p>
            Made by {maker} from the record of run {printable(run.id)}. This page loads nothing.
          </p>
        </footer>
      </body>
    </html>
  );
}
