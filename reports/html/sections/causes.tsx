import type { JSX } from 'preact';
import { pageAddress } from '../../../lib/explain/page-address.js';
import { isRequirementId } from '../../../lib/specification/catalogue.js';
import { outcomeTexts } from '../../summary/outcomes.js';
import type { RunCause } from '../../summary/run-causes.js';
import { count } from '../../text.js';
import { ExchangeViews } from '../evidence/exchange-view.js';
import { causeAnchor, type PageData } from '../evidence/shown-exchanges.js';
import { Command, FindingFacts, Prose } from '../parts.js';

/** Causes that are unfolded at first, and those that stand in sight: the ones after them may be settled with them. */
const unfolded = 3;
const inSight = 8;

/** The part for those who fix. */
export function Causes({ causes, exchanges }: PageData): JSX.Element {
  const cards = causes.map((cause, index) => causeCard(cause, exchanges, index < unfolded));
  // A line for one is no shorter than the one.
  const end = cards.length > inSight + 1 ? inSight : cards.length;
  return (
    <>
      {cards.slice(0, end)}
      {end < cards.length && (
        <details>
          <summary>{count(cards.length - end, 'more cause')}</summary>
          {cards.slice(end)}
        </details>
      )}
    </>
  );
}

/** One defect, told once: what is wrong, what to do, what shows it. */
function causeCard(cause: RunCause, exchanges: PageData['exchanges'], isOpen: boolean): JSX.Element {
  const { outcome, message, named, shown, findings, remarks, fix, root } = cause;
  const { colour, mark, word } = outcomeTexts[outcome];
  const anchor = causeAnchor(cause);
  return (
    <article class={`cause ${colour}`} id={anchor}>
      <h3>
        <span class="outcome" role="img" aria-label={word}>
          {mark}
        </span>{' '}
        <Prose text={message} />
      </h3>
      <ul class="chips">
        {named.map(({ id }) => (
          <li>
            <a href={`#${id}`}>{id}</a>
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
          <FindingFacts {...shown} />
          {shown.reproduce !== undefined && <Command text={shown.reproduce} />}
          <ExchangeViews exchanges={exchanges} place={anchor} findings={[shown]} />
          {findings.length > 1 && (
            <p class="note">{count(findings.length - 1, 'further finding')}: see the requirements.</p>
          )}
        </details>
      )}
    </article>
  );
}
