import type { JSX } from 'preact';
import type { RequirementResult } from '../../lib/evidence/record/record.js';
import { pageAddress } from '../../lib/explain/page-address.js';
import {
  isRequirementId,
  requirementRow,
  sectionOf,
  sectionTitles,
} from '../../lib/specification/catalogue.js';
import { classFacts, outcomeOf, outcomeTexts, tallyText } from '../summary/outcomes.js';
import type { RunCause } from '../summary/run-causes.js';
import { count, groupBy, levelText, waiverText } from '../text.js';
import { entriesOf, FindingView, mostEntries, type PageData } from './exchanges.js';
import { Facts, OutcomeMark, Prose } from './parts.js';

/** Causes that are unfolded at first, and those that stand in sight: the ones after them may be settled with them. */
const unfolded = 3;
const inSight = 8;

export function Causes({ causes, exchanges }: PageData): JSX.Element {
  const card = (cause: RunCause, index: number): JSX.Element => causeCard(cause, exchanges, index < unfolded);
  // A line for one is no shorter than the one.
  const end = causes.length > inSight + 1 ? inSight : causes.length;
  const more = causes.slice(end);
  return (
    <>
      {causes.slice(0, end).map(card)}
      {more.length > 0 && (
        <details>
          <summary>{count(more.length, 'more cause')}</summary>
          {more.map((cause) => card(cause, end))}
        </details>
      )}
    </>
  );
}

function causeCard(cause: RunCause, exchanges: PageData['exchanges'], isOpen: boolean): JSX.Element {
  const { id, outcome, message, named, shown, findings, remarks, fix, root } = cause;
  return (
    <article class={`cause ${outcomeTexts[outcome].colour}`} id={`cause-${id}`}>
      <h3>
        <Prose text={message} /> <OutcomeMark outcome={outcome} />
      </h3>
      <ul class="chips">
        {named.map((one) => (
          <li>
            <a href={`#${one.id}`}>{one.id}</a>
          </li>
        ))}
      </ul>
      {fix !== undefined && root && isRequirementId(root.id) && (
        <p>
          <b>What to do:</b> <Prose text={fix} />{' '}
          <a href={pageAddress(root.id)} rel="noreferrer">
            More on {root.id}
          </a>
        </p>
      )}
      {remarks.map((remark) => (
        <p class="note">{remark}</p>
      ))}
      {shown && (
        <details open={isOpen}>
          <summary>What shows it</summary>
          <FindingView exchanges={exchanges} finding={shown} />
          {findings.length > 1 && (
            <p class="note">{count(findings.length - 1, 'further finding')}: see the requirements.</p>
          )}
        </details>
      )}
    </article>
  );
}

const mostNotes = 10;

/** The part for those who audit: every requirement in the order of the specification, with its evidence. */
export function Requirements(page: PageData): JSX.Element {
  const { record } = page;
  const sections = groupBy(record.requirements, ({ id, own }) => {
    if (!isRequirementId(id)) return own ? 'Your own rules' : 'Requirements that this version does not know';
    const number = sectionOf(requirementRow(id).clauses[0]);
    return `${number} ${sectionTitles[number - 1]}`;
  });
  const inOrder = [...sections].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return (
    <>
      <Facts facts={classFacts(record)} />
      {inOrder.map(([title, own]) => (
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

function requirement(result: RequirementResult, { record, exchanges }: PageData): JSX.Element {
  const { id, title, checks, reason, waived, notes = [] } = result;
  const outcome = outcomeOf(result, record);
  const entries = entriesOf(result);
  const facts = [
    levelText(result),
    checks > 0 ? count(checks, 'check') : 'no check',
    ...(isRequirementId(id) ? [`Test: ${requirementRow(id).judged}`] : []),
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
