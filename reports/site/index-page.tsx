import type { JSX } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { RunRecord } from '../../lib/evidence/record/record.js';
import { clip } from '../../lib/explain/clip.js';
import { catalogue, isRequirementId } from '../../lib/specification/catalogue.js';
import { Document } from '../html/parts/document.js';
import { OutcomeMark } from '../html/parts/outcome-mark.js';
import { Table } from '../html/parts/table.js';
import { Prose } from '../html/parts/text.js';
import { classNames } from '../summary/class-summary.js';
import { outcomeOf } from '../summary/requirement-outcome.js';

/** A run of an implementation, and the folder of the site that holds its report. */
export interface Implementation {
  readonly name: string;
  readonly folder: string;
  readonly record: RunRecord;
}

/** The table of requirements by implementation, each cell leading to its evidence. */
export function renderIndex(all: readonly Implementation[]): string {
  const page = (
    <Document title="Pet Store Service: conformance of implementations">
      <header class="verdict">
        <p class="note">Pet Store Service Specification</p>
        <h1>Conformance of implementations</h1>
      </header>
      <main>
        <Matrix all={all} />
      </main>
      <footer class="note">
        Made from the records of the runs, which stand beside each report. This page loads nothing.
      </footer>
    </Document>
  );
  return `<!doctype html>\n${renderToString(page)}\n`;
}

/** The classes, and every requirement in the order of the catalogue; those of other versions stand behind. */
function Matrix({ all }: { readonly all: readonly Implementation[] }): JSX.Element {
  const others = all.flatMap(({ record }) => record.requirements.filter(({ id }) => !isRequirementId(id)));
  const known = new Map([...catalogue, ...others].map((one) => [one.id, one]));
  const classes = Object.entries(classNames).map(([id, name]) => [
    <b>{name}</b>,
    ...all.map(({ record }) => record.classes.find((one) => one.id === id)?.verdict ?? 'not selected'),
  ]);
  const requirements = [...known.values()].map(({ id, level, title }) => [
    <>
      {id} <Prose text={`${level}: ${title}`} />
    </>,
    ...all.map((one) => <Cell id={id} {...one} />),
  ]);
  return (
    <Table
      caption="Requirements by implementation"
      head={['Requirement', ...all.map((one) => <Heading {...one} />)]}
      rows={[...classes, ...requirements]}
    />
  );
}

function Heading({ name, folder, record }: Implementation): JSX.Element {
  return (
    <>
      <a href={`${folder}/report.html`}>{clip(name, 60)}</a> {record.run.startedAt.slice(0, 10)}, suite{' '}
      {record.suite.version}
    </>
  );
}

function Cell({ id, folder, record }: Implementation & { readonly id: string }): JSX.Element | null {
  const result = record.requirements.find((one) => one.id === id);
  return result ? (
    <a href={`${folder}/report.html#${id}`}>
      <OutcomeMark outcome={outcomeOf(result, record)} />
    </a>
  ) : null;
}
