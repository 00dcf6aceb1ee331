import type { JSX } from 'preact';
import type { RequirementResult } from '../../lib/evidence/record/record.js';
import {
  isRequirementId,
  judgedText,
  requirementRow,
  sectionOf,
  sectionTitles,
} from '../../lib/specification/catalogue.js';
import { classFacts, outcomeOf, outcomeTexts, tallyText } from '../summary/outcomes.js';
import { count, groupBy, levelText, waiverText } from '../text.js';
import { entriesOf, FindingView, mostEntries, type PageData } from './exchanges.js';
import { Facts, OutcomeMark, Prose } from './parts.js';

const mostNotes = 10;

/** The part for those who audit: every requirement in the order of the specification, with its evidence. */
export function Requirements(page: PageData): JSX.Element {
  const { record } = page;
  return (
    <>
      <Facts facts={classFacts(record)} />
      {sectionsOf(record.requirements).map(([title, own]) => (
        <details class="section">
          <summary>
            <h3>{title}</h3> <span class="note">{tallyText(own, record)}</span>
          </summary>
          <ul>{own.map((result) => requirement(result, page))}</ul>
        </details>
      ))}
    </>
  );
}

function sectionsOf(results: readonly RequirementResult[]): [string, RequirementResult[]][] {
  const sections = groupBy(results, ({ id, own }) => {
    if (!isRequirementId(id)) return own ? 'Your own rules' : 'Requirements that this version does not know';
    const number = sectionOf(requirementRow(id).clauses[0]);
    return `${number} ${sectionTitles[number - 1]}`;
  });
  return [...sections].toSorted(([one], [other]) => (one < other ? -1 : 1));
}

function requirement(result: RequirementResult, { record, exchanges }: PageData): JSX.Element {
  const { id, title, checks, reason, waived, notes = [] } = result;
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
        <Prose text={sentences.join(' ')} />
        <ul class="found">
          {entries.slice(0, mostEntries).map((entry) => (
            <li>
              <Prose text={entry.message} /> <FindingView exchanges={exchanges} finding={entry} />
            </li>
          ))}
          {entries.length > mostEntries && <li>{entries.length - mostEntries} further in report.json</li>}
        </ul>
        <p class="note">
          <Prose text={facts.join(' · ')} />
        </p>
      </div>
    </li>
  );
}
