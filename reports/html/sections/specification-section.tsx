import type { JSX } from 'preact';
import type { RequirementResult, RunRecord } from '../../../lib/record/record.js';
import { count } from '../../text/quantity.js';
import { allClauses, specificationOutline, type Clause } from '../specification-outline.js';
import { Prose } from '../text/prose.js';
import { RequirementLinks } from '../text/requirement-links.js';
import { outcomeCounts, outcomes, outcomeTexts, type Outcome } from '../parts/outcome.js';
import { OutcomeMark, OutcomeSymbol } from '../parts/outcome-mark.js';
import { RequirementEntry } from './requirement-entry.js';

type Rows = ReadonlyMap<string, RequirementResult>;

function Remark({ clause }: { readonly clause: Clause }): JSX.Element | null {
  const see = clause.see ?? [];
  if (see.length > 0) {
    return (
      <p class="note see">
        See also <RequirementLinks ids={see} />
      </p>
    );
  }
  const below = allClauses(clause.clauses ?? []).some((each) => each.requirements.length > 0);
  if (clause.requirements.length > 0 || below) return null;
  return <p class="note see">Nothing to judge here.</p>;
}

function ClauseView({ clause, rows, depth }: { clause: Clause; rows: Rows; depth: 3 | 4 }): JSX.Element {
  const Heading = depth === 3 ? 'h3' : 'h4';
  const anchor = `section-${clause.anchor}`;
  return (
    <section class="clause" id={anchor} aria-labelledby={`${anchor}-title`}>
      <Heading id={`${anchor}-title`}>
        {clause.number !== undefined && <span class="clause-number">{clause.number}</span>}{' '}
        <Prose text={clause.title} />
      </Heading>
      <p class="says">
        <Prose text={clause.says} />
      </p>
      <Remark clause={clause} />
      {clause.requirements.length > 0 && (
        <ul class="requirements">
          {clause.requirements.map((id) => {
            const row = rows.get(id);
            return row && <RequirementEntry row={row} />;
          })}
        </ul>
      )}
      {(clause.clauses ?? []).map((inner) => (
        <ClauseView clause={inner} rows={rows} depth={4} />
      ))}
    </section>
  );
}

/** Radio buttons that style alone turns into a filter: no script, and on paper nothing is hidden. */
function Filter({ counts }: { readonly counts: Record<Outcome, number> }): JSX.Element {
  const total = outcomes.reduce((sum, outcome) => sum + counts[outcome], 0);
  return (
    <fieldset class="filter">
      <legend>Show</legend>
      <label>
        <input type="radio" name="show" id="show-all" checked /> All {count(total)}
      </label>
      {outcomes
        .filter((outcome) => counts[outcome] > 0)
        .map((outcome) => (
          <label class={`is-${outcome}`}>
            <input type="radio" name="show" id={`show-${outcome}`} />
            <OutcomeSymbol outcome={outcome} />
            {outcomeTexts[outcome].word} {count(counts[outcome])}
          </label>
        ))}
    </fieldset>
  );
}

function Legend(): JSX.Element {
  return (
    <details class="legend">
      <summary>What the words mean</summary>
      <dl>
        {outcomes.map((outcome) => (
          <div>
            <dt>
              <OutcomeMark outcome={outcome} />
            </dt>
            <dd>{outcomeTexts[outcome].meaning}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** The specification, section by section, with each requirement at its place exactly once. */
export function SpecificationSection({ record }: { readonly record: RunRecord }): JSX.Element {
  const rows = new Map(record.requirements.map((row) => [row.id, row]));
  return (
    <section id="specification" class="specification" aria-labelledby="specification-title">
      <h2 id="specification-title">The specification, annotated</h2>
      <p class="lead">
        Its sections in order, each requirement at the clause that it stands on. What only an RFC asks stands
        at the clause that it sharpens.
      </p>
      <Legend />
      <Filter counts={outcomeCounts(record.requirements)} />
      {specificationOutline.map((clause) => (
        <ClauseView clause={clause} rows={rows} depth={3} />
      ))}
    </section>
  );
}
