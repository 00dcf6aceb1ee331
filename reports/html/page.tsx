import type { JSX } from 'preact';
import { isLoad } from '../summary/load-summary.js';
import { copyScript } from './copy-script.js';
import { PageContext, type PageData } from './page-data.js';
import { Document } from './parts/document.js';
import { Facts } from './parts/table.js';
import { Causes } from './sections/causes.js';
import { Limits } from './sections/limits.js';
import { Requirements } from './sections/requirements.js';
import { Run } from './sections/run.js';
import { kindOf, nameOf, Verdict, Warnings } from './sections/verdict.js';

/** A part of the page, to which its contents lead. */
type Section = readonly [id: string, title: string, content: JSX.Element];

/** The whole report as one document that asks for nothing. */
export function Page(data: PageData): JSX.Element {
  const { record, causes, parts, word } = data;
  const { suite, run, plans = [] } = record;
  const judged: Section[] = [
    ...(causes.length > 0 ? [['causes', 'What is wrong', <Causes />] as const] : []),
    ...(plans.length > 0 ? [['limits', 'The limits', <Limits />] as const] : []),
    ['requirements', 'Every requirement', <Requirements />],
  ];
  const sections: Section[] = [
    ...(isLoad(record)
      ? parts.map(({ title, facts }) => ['load', title, <Facts facts={facts} />] as const)
      : judged),
    ['run', 'How it was measured', <Run />],
  ];
  return (
    <PageContext.Provider value={data}>
      <Document title={`${nameOf(record)}: ${word} · ${kindOf(record)}`} script={copyScript}>
        <Verdict />
        <nav aria-label="Contents">
          {sections.map(([id, title]) => (
            <a href={`#${id}`}>{title}</a>
          ))}
        </nav>
        <main>
          <Warnings />
          {sections.map(([id, title, content]) => (
            <section id={id} aria-labelledby={`${id}-title`}>
              <h2 id={`${id}-title`}>{title}</h2>
              {content}
            </section>
          ))}
        </main>
        <footer class="note">
          {`Made by ${suite.name} ${suite.version} from the record of run ${run.id}. This page loads nothing.`}
        </footer>
      </Document>
    </PageContext.Provider>
  );
}
