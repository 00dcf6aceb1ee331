import type { JSX } from 'preact';
import { pageAddress } from '../../lib/explain/page-address.js';
import { isRequirementId } from '../../lib/specification/catalogue.js';
import { outcomeTexts } from '../summary/outcomes.js';
import type { RunCause } from '../summary/run-causes.js';
import { count } from '../text.js';
import { FindingView, type PageData } from './exchanges.js';
import { Prose } from './parts.js';

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
  const { colour, mark, word } = outcomeTexts[outcome];
  return (
    <article class={`cause ${colour}`} id={`cause-${id}`}>
      <h3>
        <span class="outcome" role="img" aria-label={word}>
          {mark}
        </span>{' '}
        <Prose text={message} />
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
