import { createHash } from 'node:crypto';
import type { ComponentChildren, JSX } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { RunRecord } from '../../lib/evidence/record/record.js';
import { catalogue, isRequirementId } from '../../lib/specification/catalogue.js';
import { OutcomeMark } from '../html/parts/outcome-mark.js';
import { Prose, TargetText } from '../html/parts/text.js';
import { stylesheet } from '../html/stylesheet.js';
import { classSummaries } from '../summary/class-summary.js';
import { outcomeOf, outcomes, outcomeTexts } from '../summary/requirement-outcome.js';

/** A run of an implementation, and the folder of the site that holds its report. */
export interface Implementation {
  readonly name: string;
  readonly folder: string;
  readonly record: RunRecord;
}

const digest = createHash('sha256').update(stylesheet).digest('base64');
const contentSecurityPolicy = `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'`;

/** The table of requirements by implementation, each cell leading to its evidence. */
export function renderIndex(all: readonly Implementation[]): string {
  return `<!doctype html>\n${renderToString(<IndexPage all={all} />)}\n`;
}

interface Shown {
  readonly all: readonly Implementation[];
}

function IndexPage({ all }: Shown): JSX.Element {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={contentSecurityPolicy} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Pet Store Service: conformance of implementations</title>
        <style dangerouslySetInnerHTML={{ __html: stylesheet }} />
      </head>
      <body>
        <header class="verdict">
          <p class="note">Pet Store Service Specification</p>
          <h1>Conformance of implementations</h1>
        </header>
        <main>
          <Matrix caption="Requirements by implementation" all={all} />
          <h2>Marks</h2>
          <dl>
            {outcomes.map((outcome) => (
              <div>
                <dt>
                  <OutcomeMark outcome={outcome} />
                </dt>
                <dd>{outcomeTexts[outcome].meaning}</dd>
              </div>
            ))}
          </dl>
        </main>
        <footer class="note">
          Made from the records of the runs, which stand beside each report. This page loads nothing.
        </footer>
      </body>
    </html>
  );
}

/** The classes, and every requirement in the order of the catalogue; those of other versions stand behind. */
function Matrix({ all, caption }: Shown & { readonly caption: string }): JSX.Element {
  const others = all.flatMap(({ record }) => record.requirements.filter(({ id }) => !isRequirementId(id)));
  const known = new Map([...catalogue, ...others].map((one) => [one.id, one]));
  const classes = (all[0] ? classSummaries(all[0].record) : []).map(({ id, name }) => ({ id, name }));
  return (
    <div class="scrolled" role="region" aria-label={caption} tabIndex={0}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Requirement</th>
            {all.map(({ name, folder, record }) => (
              <th scope="col">
                <a href={`${folder}/report.html`}>
                  <TargetText text={name} longest={60} />
                </a>{' '}
                {record.run.startedAt.slice(0, 10)}, suite {record.suite.version}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {classes.map(({ id, name }) => (
            <Row
              head={<b>{name}</b>}
              all={all}
              cell={({ record }) => record.classes.find((one) => one.id === id)?.verdict ?? 'not selected'}
            />
          ))}
          {[...known.values()].map(({ id, level, title }) => (
            <Row
              head={
                <>
                  {id} <Prose text={`${level}: ${title}`} />
                </>
              }
              all={all}
              cell={(one) => <Cell id={id} {...one} />}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProperties extends Shown {
  readonly head: ComponentChildren;
  readonly cell: (one: Implementation) => ComponentChildren;
}

function Row({ head, all, cell }: RowProperties): JSX.Element {
  return (
    <tr>
      <th scope="row">{head}</th>
      {all.map((one) => (
        <td>{cell(one)}</td>
      ))}
    </tr>
  );
}

function Cell({ id, folder, record }: Implementation & { readonly id: string }): JSX.Element | null {
  const result = record.requirements.find((one) => one.id === id);
  if (!result) return null;
  return (
    <a href={`${folder}/report.html#${id}`}>
      <OutcomeMark outcome={outcomeOf(result, record)} />
    </a>
  );
}
