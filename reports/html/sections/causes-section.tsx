import type { ComponentChildren, JSX } from 'preact';
import type { RunRecord } from '../../../lib/record/record.js';
import { pageAddress } from '../../../lib/explain/page-address.js';
import { isRequirementId } from '../../../lib/specification/catalogue.js';
import type { RunCause } from '../../summary/run-causes.js';
import { wasNothingJudged } from '../../summary/verdict-sentences.js';
import { changesSince } from '../../summary/since-previous.js';
import { levelText } from '../../text/finding-text.js';
import { count, moment } from '../../text/quantity.js';
import { Particulars } from '../evidence/particulars.js';
import type { CauseGroup } from '../evidence/shown-findings.js';
import { RequirementLinks } from '../parts/links.js';
import { FirstCauses } from '../parts/first-causes.js';
import { OutcomeMark } from '../parts/outcome-mark.js';
import { Prose, TargetText } from '../parts/text.js';

/** Requirements of a cause of which the first screen says what must hold. */
const requirementsTold = 5;
/** Causes whose repair is shown in full; those after them may be settled with them. */
const causesToDo = 3;

/** A cause in a row: what is wrong, and which requirements show it. */
function CauseRow({ cause }: { readonly cause: RunCause }): JSX.Element {
  const { id, outcome, message, named } = cause;
  return (
    <li class={`cause is-${outcome}`}>
      <OutcomeMark outcome={outcome} />
      <p class="cause-ids">
        <RequirementLinks ids={named.map((result) => result.id)} />
      </p>
      <div>
        <p class="cause-message">
          <a href={`#cause-${id}`}>
            <Prose text={message} />
          </a>
        </p>
        {named.slice(0, requirementsTold).map((result) => (
          <p class="note">
            <TargetText text={`${named.length > 1 ? `${result.id} ` : ''}${levelText(result)}`} /> ·{' '}
            <Prose text={result.title} />
          </p>
        ))}
      </div>
    </li>
  );
}

/** What changed since the previous run of the same target. */
function Since({ record: { previous } }: { readonly record: RunRecord }): JSX.Element | null {
  if (!previous) return null;
  const changes = changesSince(previous);
  return (
    <p class="since">
      Since the run of <TargetText text={moment(previous.startedAt)} />:{' '}
      {changes.length === 0
        ? 'every requirement came out as before.'
        : changes.map(([how, ids], index) => (
            <>
              {index > 0 && '; '}
              {how} <RequirementLinks ids={ids} />
            </>
          ))}
    </p>
  );
}

export interface CausesSectionProperties {
  readonly record: RunRecord;
  readonly groups: readonly CauseGroup[];
}

/** The first screen: every cause in a row, failures first. */
export function CausesSection({ record, groups }: CausesSectionProperties): JSX.Element {
  return (
    <section id="causes" aria-labelledby="causes-title">
      <h2 id="causes-title">What is wrong</h2>
      <Since record={record} />
      {groups.length === 0 ? (
        <p>{wasNothingJudged(record) ? 'It is not known: nothing was judged.' : 'Nothing was found.'}</p>
      ) : (
        <FirstCauses
          groups={groups}
          list={(some) => (
            <ol class="causes">
              {some.map(({ cause }) => (
                <CauseRow cause={cause} />
              ))}
            </ol>
          )}
        />
      )}
    </section>
  );
}

/** How the first requirement of a cause is usually met, and the page that says more. */
function fixOf({ fix, root }: RunCause): ComponentChildren {
  if (fix === undefined || !root || !isRequirementId(root.id)) return undefined;
  return (
    <>
      <Prose text={fix} />{' '}
      <a href={pageAddress(root.id)} rel="noreferrer">
        More on {root.id}
      </a>
    </>
  );
}

function Step({ title, children }: { title: ComponentChildren; children?: ComponentChildren }): JSX.Element {
  return (
    <li class="step">
      <h3>{title}</h3>
      {children}
    </li>
  );
}

/** The causes in the order in which they are best repaired, each with what was expected and the command that shows it. */
export function ToDoSection({ record, groups }: CausesSectionProperties): JSX.Element | null {
  const failed = groups.filter(({ cause }) => cause.isUrgent);
  if (failed.length === 0) return null;
  const rest = failed.length - causesToDo;
  return (
    <section id="to-do" aria-labelledby="to-do-title">
      <h2 id="to-do-title">What to do</h2>
      <p class="lead">
        Fix the causes in this order: the first ones may keep others from being judged. Each command shows its
        failure until it is fixed.
      </p>
      <ol class="steps">
        {failed.slice(0, causesToDo).map(({ cause, shown: [first] }) => (
          <Step title={<Prose text={`${cause.ids}: ${cause.only?.title ?? cause.message}`} />}>
            {first && <Particulars finding={first.finding} fix={fixOf(cause)} />}
            {cause.remarks.map((remark) => (
              <p class="note">
                <TargetText text={remark} />
              </p>
            ))}
          </Step>
        ))}
        {rest > 0 && (
          <Step title={`Then ${count(rest, 'more cause')}`}>
            <p>
              <a href="#evidence">The evidence</a> has their commands.
            </p>
          </Step>
        )}
        <Step title="Run again">
          <pre class="command">
            <TargetText text={record.run.command} />
          </pre>
          <p class="note">
            With <code>--again=DIR</code>, the folder of this page, only what failed is tried.
          </p>
        </Step>
      </ol>
    </section>
  );
}
