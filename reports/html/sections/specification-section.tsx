import type { JSX } from 'preact';
import type { RequirementResult, RunRecord } from '../../../lib/record/record.js';
import { isRequirementId, judgedText, requirementRow } from '../../../lib/specification/catalogue.js';
import { outcomeOf, outcomes, outcomeTexts, tally } from '../../summary/requirement-outcome.js';
import { count } from '../../text/quantity.js';
import { clauses, requirementsAt, sectionOf, type Clause } from '../clauses.js';
import { RequirementLinks, SectionLinks } from '../parts/links.js';
import { Counts, OutcomeMark } from '../parts/outcome-mark.js';
import { Reason, RequirementItem, WaiverNote } from '../parts/requirement-item.js';
import { Facts } from '../parts/table.js';
import { Prose } from '../parts/text.js';

/** Notes shown of one requirement: the rest is in the record. */
const mostNotes = 10;

/** How the requirement is tested. */
function testOf(id: string): string {
  return isRequirementId(id) ? judgedText(requirementRow(id)) : '';
}

function EvidenceLink({ result }: { readonly result: RequirementResult }): JSX.Element | null {
  const { id, level, findings, observations = [] } = result;
  if (findings.length > 0) return <a href={`#findings-of-${id}`}>{count(findings.length, 'finding')}</a>;
  if (level !== 'OBSERVE' || observations.length === 0) return null;
  return <a href={`#open-${id}`}>{count(observations.length, 'observation')}</a>;
}

/** A requirement at its place in the specification: its outcome, why, and how it was tested. */
function Requirement({ result, record }: { result: RequirementResult; record: RunRecord }): JSX.Element {
  const { id, title, level, section, checks } = result;
  const heading = (
    <>
      <b class="requirement-id">{id}</b> <Prose text={title} />
    </>
  );
  return (
    <RequirementItem outcome={outcomeOf(result, record)} id={id} title={heading}>
      {result.reason !== undefined && <Reason text={result.reason} />}
      {result.waived && <WaiverNote waived={result.waived} />}
      {(result.notes ?? []).slice(0, mostNotes).map((note) => (
        <p class="note">
          <Prose text={note} />
        </p>
      ))}
      <p class="note">
        <span class="level">{level}</span>{' '}
        {section === '' ? 'beside the specification' : <SectionLinks section={section} />} ·{' '}
        {checks > 0 ? count(checks, 'check') : 'no check'} <EvidenceLink result={result} />
        {testOf(id) !== '' && (
          <>
            {' · Test: '}
            <Prose text={testOf(id)} />
          </>
        )}
      </p>
    </RequirementItem>
  );
}

function ClauseView({
  clause,
  record,
}: {
  readonly clause: Clause;
  readonly record: RunRecord;
}): JSX.Element {
  const inner = clauses.filter((each) => each !== clause && sectionOf(each) === clause.anchor);
  const { here, see } = requirementsAt(clause);
  const anchor = `section-${clause.anchor}`;
  const content = (
    <>
      <p class="says">
        <Prose text={clause.says} />
      </p>
      {see.length > 0 && (
        <p class="note see">
          See also <RequirementLinks ids={see} />
        </p>
      )}
      {here.length > 0 && (
        <ul class="requirements">
          {record.requirements
            .filter(({ id }) => here.includes(id))
            .map((result) => (
              <Requirement result={result} record={record} />
            ))}
        </ul>
      )}
      {inner.map((each) => (
        <ClauseView clause={each} record={record} />
      ))}
    </>
  );
  const isSection = clause.anchor === sectionOf(clause);
  const Heading = isSection ? 'h3' : 'h4';
  const heading = (
    <Heading id={`${anchor}-title`}>
      {/^[\d.]+$/.test(clause.anchor) && <span class="clause-number">{clause.anchor}</span>}{' '}
      <Prose text={clause.title} />
    </Heading>
  );
  if (!isSection)
    return (
      <div class="clause" id={anchor}>
        {heading}
        {content}
      </div>
    );
  const ids = new Set([clause, ...inner].flatMap((each) => requirementsAt(each).here));
  return (
    <details class="clause section" id={anchor}>
      <summary>
        {heading}
        {ids.size === 0 ? (
          <span class="quiet">nothing to judge</span>
        ) : (
          <Counts
            counts={tally(
              record.requirements.filter(({ id }) => ids.has(id)),
              record,
            )}
          />
        )}
      </summary>
      {content}
    </details>
  );
}

function Legend(): JSX.Element {
  const facts = outcomes.map(
    (outcome) => [<OutcomeMark outcome={outcome} />, outcomeTexts[outcome].meaning] as const,
  );
  return (
    <details class="legend">
      <summary>What the words mean</summary>
      <Facts kind="particulars" facts={facts} />
      <p class="note">A requirement of an RFC is at the clause that it makes more precise.</p>
    </details>
  );
}

/** The requirements of a record of another version, which have no place in this catalogue. */
function Unknown({ record }: { readonly record: RunRecord }): JSX.Element | null {
  const unknown = record.requirements.filter(({ id }) => !isRequirementId(id));
  if (unknown.length === 0) return null;
  return (
    <section aria-labelledby="unknown-title">
      <h3 id="unknown-title">Requirements that this version does not know</h3>
      <ul class="requirements">
        {unknown.map((result) => (
          <Requirement result={result} record={record} />
        ))}
      </ul>
    </section>
  );
}

/** The specification, section by section, with each requirement at its place exactly once. */
export function SpecificationSection({ record }: { readonly record: RunRecord }): JSX.Element {
  return (
    <section id="specification" class="specification" aria-labelledby="specification-title">
      <h2 id="specification-title">The specification, annotated</h2>
      <Legend />
      {clauses
        .filter((clause) => clause.anchor === sectionOf(clause))
        .map((clause) => (
          <ClauseView clause={clause} record={record} />
        ))}
      <Unknown record={record} />
    </section>
  );
}
