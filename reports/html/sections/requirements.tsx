import type { ComponentChildren, JSX } from 'preact';
import type { Finding, RequirementResult } from '../../../lib/evidence/record/requirement-result.js';
import { isRequirementId, judgedText, requirementRow } from '../../../lib/specification/catalogue.js';
import { clauses, sectionOf } from '../../../lib/specification/clauses.js';
import { classFacts, outcomeOf, outcomeTexts, tally, tallyText } from '../../summary/outcomes.js';
import { count, groupBy, levelText, waiverText } from '../../text.js';
import { ExchangeViews } from '../evidence/exchange-view.js';
import { entriesOf, exchangeAnchor, mostEntries, type PageData } from '../evidence/shown-exchanges.js';
import { Facts, FindingFacts, OutcomeMark, Prose } from '../parts.js';

/** Notes shown of one requirement, and exchanges named of one finding: the rest is in the record. */
const mostNotes = 10;
const mostLinks = 4;

/** The part for those who audit: every requirement in the order of the specification, with its evidence. */
export function Requirements(page: PageData): JSX.Element {
  const { record } = page;
  return (
    <>
      <Facts facts={classFacts(record)} />
      {[...sectionsOf(record.requirements)].map(([title, own]) => (
        <details class="section">
          <summary>
            <h3>{title}</h3> <span class="note">{tallyText(tally(own, record))}</span>
          </summary>
          <ul>{own.map((result) => requirement(result, page))}</ul>
        </details>
      ))}
    </>
  );
}

/** The results by the sections of the specification, in the order of its clauses; at the end, others. */
function sectionsOf(results: readonly RequirementResult[]): Map<string, RequirementResult[]> {
  const clauseOf = ({ id }: RequirementResult): number =>
    isRequirementId(id)
      ? clauses.findIndex(({ anchor }) => anchor === requirementRow(id).clauses[0])
      : clauses.length;
  const inOrder = results.toSorted((one, other) => clauseOf(one) - clauseOf(other));
  return groupBy(inOrder, (result) => {
    const clause = clauses[clauseOf(result)];
    if (!clause) return result.own ? 'Your own rules' : 'Requirements that this version does not know';
    const number = sectionOf(clause.anchor);
    return `${number} ${clauses.find(({ anchor }) => anchor === number)?.title}`;
  });
}

/** A requirement: its outcome and why, what it shows, and how it was measured. */
function requirement(result: RequirementResult, { record, exchanges }: PageData): JSX.Element {
  const { id, title, checks, reason, waived, notes = [], findings } = result;
  const outcome = outcomeOf(result, record);
  const entries = entriesOf(result);
  const facts = [
    levelText(result),
    checks > 0 ? count(checks, 'check') : 'no check',
    ...(isRequirementId(id) ? [`Test: ${judgedText(requirementRow(id))}`] : []),
  ];
  const sentences = [reason, waived && waiverText(waived), ...notes.slice(0, mostNotes)].filter(Boolean);
  return (
    <li class={`requirement ${outcomeTexts[outcome].colour}`} id={id}>
      <OutcomeMark outcome={outcome} />
      <div>
        <p>
          <b>{id}</b> <Prose text={title} />
        </p>
        {sentences.length > 0 && <Prose text={sentences.join(' ')} />}
        <ul class="found">
          {entries.slice(0, mostEntries).map((entry) => (
            <li>
              <Prose text={entry.message} /> {linksTo(entry, exchanges)}
              <FindingFacts {...entry} />
            </li>
          ))}
          {entries.length > mostEntries && <li>{entries.length - mostEntries} further in report.json</li>}
        </ul>
        <ExchangeViews exchanges={exchanges} place={id} findings={findings} />
        <p class="note">
          <Prose text={facts.join(' · ')} />
        </p>
      </div>
    </li>
  );
}

/** The exchanges that show a finding; those that the page holds lead to their place. */
function linksTo(
  { exchanges: ids, occurrences = 0 }: Finding,
  { byId }: PageData['exchanges'],
): ComponentChildren {
  const rest = Math.max(occurrences, ids.length) - mostLinks;
  const links = ids
    .slice(0, mostLinks)
    .map((id, index) => [index > 0 && ', ', byId.has(id) ? <a href={`#${exchangeAnchor(id)}`}>{id}</a> : id]);
  return [links, rest > 0 && ` and ${rest} more`];
}
