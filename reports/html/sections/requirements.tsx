import type { JSX } from 'preact';
import { isRequirementId, judgedText, requirementRow } from '../../../lib/specification/catalogue.js';
import { clauses, requirementsAt, sectionOf } from '../../../lib/specification/clauses.js';
import { outcomeOf, outcomeTexts, tally, tallyText } from '../../summary/requirement-outcome.js';
import { classFacts } from '../../summary/class-summary.js';
import { levelText, waiverText } from '../../text/finding-text.js';
import { count } from '../../text/quantity.js';
import { ExchangeViews } from '../evidence/exchange-view.js';
import { FindingFacts } from '../evidence/finding-facts.js';
import { exchangeAnchor } from '../evidence/shown-exchanges.js';
import type { ShownResult } from '../evidence/shown-results.js';
import { usePage } from '../page-data.js';
import { OutcomeMark, OutcomeMeanings } from '../parts/outcome-mark.js';
import { PartView } from '../parts/table.js';
import { Prose, TargetText } from '../parts/text.js';

/** Notes shown of one requirement: the rest is in the record. */
const mostNotes = 10;

/** The part for those who audit: every requirement in the order of the specification, with its evidence. */
export function Requirements(): JSX.Element {
  const { record, results } = usePage();
  const sections = sectionsOf(results).filter(([, own]) => own.length > 0);
  return (
    <>
      <PartView part={{ title: '', facts: classFacts(record) }} />
      {sections.map(([title, own]) => {
        const counts = tally(
          own.map(({ result }) => result),
          record,
        );
        return (
          <details class="section">
            <summary>
              <h3>{title}</h3> <span class="note">{tallyText(counts)}</span>
            </summary>
            <ul>
              {own.map((shown) => (
                <Requirement {...shown} />
              ))}
            </ul>
          </details>
        );
      })}
      <details class="section">
        <summary>
          <h3>What the words mean</h3>
        </summary>
        <OutcomeMeanings />
      </details>
    </>
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
  const others = results.filter(({ result }) => !isRequirementId(result.id));
  return [
    ...known,
    ['Your own rules', others.filter(({ result }) => result.own)],
    ['Requirements that this version does not know', others.filter(({ result }) => !result.own)],
  ];
}

/** A requirement: its outcome and why, its own findings, and how it was measured. */
function Requirement(shown: ShownResult): JSX.Element {
  const { record } = usePage();
  const { result } = shown;
  const { id, title, checks, reason, waived, notes = [] } = result;
  const outcome = outcomeOf(result, record);
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
        <Found {...shown} />
        <p class="note">
          <Prose text={facts.join(' · ')} />
        </p>
      </div>
    </li>
  );
}

/** What a requirement shows, each entry with the exchanges that show it. */
function Found({ result, entries, leftOut }: ShownResult): JSX.Element {
  return (
    <>
      <ul class="found">
        {entries.map(({ text, exchanges: ids, finding }) => {
          const more = (finding?.occurrences ?? 0) - ids.length;
          return (
            <li>
              <Prose text={text} /> <ExchangeLinks ids={ids} />
              {more > 0 && `, and ${count(more, 'more time')}`}
              {finding && <FindingFacts finding={finding} />}
            </li>
          );
        })}
        {leftOut > 0 && <li>{leftOut} further in report.json</li>}
      </ul>
      <ExchangeViews place={result.id} findings={result.findings} />
    </>
  );
}

/** Named of one finding: the record has the others. */
const mostLinks = 4;

/** Ids of exchanges; those that the page holds lead to their place. */
function ExchangeLinks({ ids }: { readonly ids: readonly string[] }): JSX.Element {
  const { exchanges } = usePage();
  const rest = ids.length - mostLinks;
  const links = ids.slice(0, mostLinks).map((id, index) => {
    const text = <TargetText text={id} />;
    return [index > 0 && ', ', exchanges.has(id) ? <a href={`#${exchangeAnchor(id)}`}>{text}</a> : text];
  });
  return <>{[links, rest > 0 && ` and ${rest} more`]}</>;
}
