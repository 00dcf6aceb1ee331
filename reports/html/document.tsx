import { createHash } from 'node:crypto';
import type { JSX } from 'preact';
import type { RunRecord } from '../../lib/record/record.js';
import { isLoad } from '../summary/load-summary.js';
import { tally } from '../summary/requirement-outcome.js';
import { subjectOf, verdictOf } from '../summary/verdict-sentences.js';
import { printable } from '../../lib/usage/printable.js';
import { integer } from '../text/quantity.js';
import type { ShownExchanges } from './evidence/shown-exchanges.js';
import type { CauseGroup, ObservationGroup } from './evidence/shown-findings.js';
import { OutcomeSymbol, OutcomeSymbols } from './parts/outcome-mark.js';
import { EvidenceSection, LeftoversSection } from './sections/evidence-section.js';
import { FindingsSection, NotJudgedSection } from './sections/findings-section.js';
import { LimitsSection } from './sections/limits-section.js';
import { LoadSection } from './sections/load-section.js';
import { AppendixSection, OpenQuestionsSection } from './sections/open-questions-section.js';
import { RunSection } from './sections/run-section.js';
import { SpecificationSection } from './sections/specification-section.js';
import { Headline, VerdictSection } from './sections/verdict-section.js';
import { stylesheet } from './style/stylesheet.js';

export interface DocumentProperties {
  /** With a result for every id of the catalogue. */
  readonly record: RunRecord;
  readonly findings: readonly CauseGroup[];
  readonly observations: readonly ObservationGroup[];
  readonly exchanges: ShownExchanges;
}

/** Nothing is loaded and nothing runs: the one style is known by its hash, so that no data can bring another. */
function contentSecurityPolicy(style: string): string {
  const hash = createHash('sha256').update(style).digest('base64');
  return `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
}

/** The bar that stays in sight: the verdict, and the way to each part. */
function Contents({ record, findings }: Pick<DocumentProperties, 'record' | 'findings'>): JSX.Element {
  const { word, outcome } = verdictOf(record);
  const open = tally(record.requirements, record)['not judged'];
  const parts: [address: string, text: string, isThere?: boolean][] = isLoad(record)
    ? [
        ['#load', 'Load'],
        ['#run', 'Run'],
        ['#leftovers', 'Left behind'],
      ]
    : [
        ['#findings', `Causes (${integer(findings.length)})`],
        ['#not-judged', `Not judged (${integer(open)})`, open > 0],
        ['#limits', 'Limits', (record.plans ?? []).length > 0],
        ['#specification', 'Specification'],
        ['#open', 'Left open'],
      ];
  return (
    <nav class="contents" aria-label="Contents">
      <ul>
        <li class={`summary is-${outcome}`}>
          <OutcomeSymbol outcome={outcome} />
          {word}
        </li>
        {[...parts, ['#evidence', 'Evidence'] as const]
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

/** The whole report as one document without a script and without a request. */
export function ReportDocument({ record, findings, observations, exchanges }: DocumentProperties) {
  const { suite, run } = record;
  const { kind, word } = verdictOf(record);
  const title = printable(`${subjectOf(record)}: ${word}`);
  const maker = printable(`${suite.name} ${suite.version}`);
  const load = isLoad(record);
  const style = stylesheet({ subject: `${kind}: ${title}`, run: `Run ${printable(run.id)}, ${maker}` });
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
        <Contents record={record} findings={findings} />
        <main id="report">
          {load ? <LoadSection record={record} /> : <VerdictSection record={record} />}
          <RunSection record={record} />
          {!load && (
            <>
              <FindingsSection groups={findings} exchanges={exchanges} />
              <NotJudgedSection record={record} />
              <LimitsSection record={record} exchanges={exchanges} />
              <SpecificationSection record={record} />
              <OpenQuestionsSection groups={observations} exchanges={exchanges} />
            </>
          )}
          <LeftoversSection record={record} />
          <EvidenceSection record={record} exchanges={exchanges} />
          <AppendixSection exchanges={exchanges} />
        </main>
        <footer class="page-end">
          Made by {maker} from the record of run {printable(run.id)}. This page loads nothing and runs
          nothing.
        </footer>
      </body>
    </html>
  );
}
