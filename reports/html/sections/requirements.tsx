import type { JSX } from 'preact';
import type { RunRecord } from '../../../lib/evidence/record/record.js';
import { isRequirementId, judgedText, requirementRow } from '../../../lib/specification/catalogue.js';
import { clauses, requirementsAt, sectionOf } from '../../../lib/specification/clauses.js';
import { classSummaries } from '../../summary/class-summary.js';
import {
  outcomeOf,
  outcomes,
  outcomeTexts,
  tally,
  tallyColumns,
  tallyText,
} from '../../summary/requirement-outcome.js';
import { levelText, waiverText } from '../../text/finding-text.js';
import { count, integer } from '../../text/quantity.js';
import { ExchangeView } from '../evidence/exchange-view.js';
import { FindingFacts } from '../evidence/finding-facts.js';
import { placeOf, type ShownExchanges } from '../evidence/shown-exchanges.js';
import type { ShownResult } from '../evidence/shown-findings.js';
import { ExchangeLinks } from '../parts/links.js';
import { OutcomeMark } from '../parts/outcome-mark.js';
import { Facts, Table } from '../parts/table.js';
import { Prose } from '../parts/text.js';

/** Notes shown of one requirement: the rest is in the record. */
const mostNotes = 10;

export interface RequirementsProperties {
  readonly record: RunRecord;
  readonly results: readonly ShownResult[];
  readonly exchanges: ShownExchanges;
}

type RequirementProperties = Omit<RequirementsProperties, 'results'> & { readonly shown: ShownResult };

/** The findings and observations of a requirement, each with the exchanges that show it. */
function Found({ shown, exchanges }: RequirementProperties): JSX.Element {
  const { findings, observations, leftOut } = shown;
  const own = exchanges.at(placeOf.requirement(shown));
  return (
    <>
      <ul class="found">
        {findings.map((finding) => {
          const more = (finding.occurrences ?? 0) - finding.exchanges.length;
          return (
            <li>
              <Prose text={finding.message} /> <ExchangeLinks ids={finding.exchanges} exchanges={exchanges} />
              {more > 0 && `, and ${count(more, 'more time')}`}
              <FindingFacts finding={finding} />
            </li>
          );
        })}
        {observations.map(({ subject, behaviour, exchanges: ids }) => (
          <li>
            <Prose text={`${subject}: ${behaviour}`} /> <ExchangeLinks ids={ids} exchanges={exchanges} />
          </li>
        ))}
        {leftOut.findings > 0 && <li>{count(leftOut.findings, 'further finding')} in report.json</li>}
        {leftOut.observations > 0 && (
          <li>{count(leftOut.observations, 'further observation')} in report.json</li>
        )}
      </ul>
      {own.map((exchange) => (
        <ExchangeView
          exchange={exchange}
          finding={findings.find(({ exchanges: ids }) => ids.includes(exchange.id))}
        />
      ))}
    </>
  );
}

/** A requirement: its outcome and why, its own findings, and how it was measured. */
function Requirement({ shown, exchanges, record }: RequirementProperties): JSX.Element {
  const { result } = shown;
  const { id, title, checks, reason, waived, notes = [] } = result;
  const outcome = outcomeOf(result, record);
  const facts = [
    levelText(result),
    checks > 0 ? count(checks, 'check') : 'no check',
    ...(isRequirementId(id) ? [`Test: ${judgedText(requirementRow(id))}`] : []),
  ];
  const sentences = [reason, waived && waiverText(waived), ...notes.slice(0, mostNotes)];
  return (
    <li class={`requirement ${outcomeTexts[outcome].colour}`} id={id}>
      <OutcomeMark outcome={outcome} />
      <div>
        <p>
          <b>{id}</b> <Prose text={title} />
        </p>
        {sentences.map((text) => text && <Prose text={`${text} `} />)}
        <Found shown={shown} exchanges={exchanges} record={record} />
        <p class="note">
          <Prose text={facts.join(' · ')} />
        </p>
      </div>
    </li>
  );
}

/** A section of the specification, folded under its tally. */
function Section({ title, record, results, exchanges }: RequirementsProperties & { title: string }) {
  const all = results.map(({ result }) => result);
  return (
    <details class="section">
      <summary>
        <h3>{title}</h3> <span class="note">{tallyText(tally(all, record))}</span>
      </summary>
      <ul>
        {results.map((shown) => (
          <Requirement shown={shown} record={record} exchanges={exchanges} />
        ))}
      </ul>
    </details>
  );
}

/** The verdict of each class, and how many of its requirements have each outcome. */
function Classes({ record }: { readonly record: RunRecord }): JSX.Element {
  const columns = tallyColumns.filter(([, key]) =>
    classSummaries(record).some(({ counts }) => counts[key] > 0),
  );
  return (
    <Table
      caption="Verdict by class"
      head={['Class', 'Verdict', ...columns.map(([name]) => name)]}
      rows={classSummaries(record).map(({ name, verdict, counts, reason }) => [
        name,
        <Prose text={verdict ?? reason} />,
        ...columns.map(([, key]) => (verdict ? integer(counts[key]) : '–')),
      ])}
    />
  );
}

/** The sections of the specification, each with its requirements in the order of its clauses; at the end, unknown ones. */
function sectionsOf(results: readonly ShownResult[]): [title: string, results: ShownResult[]][] {
  const numbers = [...new Set(clauses.map(sectionOf))];
  const known = numbers.map((number): [string, ShownResult[]] => {
    const ids: string[] = clauses.filter((clause) => sectionOf(clause) === number).flatMap(requirementsAt);
    const own = ids.flatMap((id) => results.find(({ result }) => result.id === id) ?? []);
    return [`${number} ${clauses.find(({ anchor }) => anchor === number)?.title ?? ''}`, own];
  });
  const unknown = results.filter(({ result }) => !isRequirementId(result.id));
  return [...known, ['Requirements that this version does not know', unknown]];
}

/** The part for those who audit: every requirement in the order of the specification, with its evidence. */
export function Requirements({ record, results, exchanges }: RequirementsProperties): JSX.Element {
  const meanings = outcomes.map((outcome) => outcomeTexts[outcome]);
  return (
    <section id="requirements" aria-labelledby="requirements-title">
      <h2 id="requirements-title">Every requirement, in the order of the specification</h2>
      <Classes record={record} />
      {sectionsOf(results)
        .filter(([, own]) => own.length > 0)
        .map(([title, own]) => (
          <Section title={title} record={record} results={own} exchanges={exchanges} />
        ))}
      <details class="section">
        <summary>
          <h3>What the words mean</h3>
        </summary>
        <Facts facts={meanings.map(({ word, meaning }) => [word, meaning])} />
      </details>
    </section>
  );
}
