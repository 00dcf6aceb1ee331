import type { JSX } from 'preact';
import { ExchangeReferences } from '../evidence/exchange-references.js';
import { ExchangeView } from '../evidence/exchange-view.js';
import { behindObservations, type ShownExchanges } from '../evidence/shown-exchanges.js';
import type { ObservationGroup } from '../evidence/shown-observations.js';
import { counted } from '../../text/quantity.js';
import { Prose } from '../text/prose.js';
import { RequirementLinks } from '../text/requirement-links.js';
import { SectionReference } from '../text/section-reference.js';
import { notJudged, verdictInWords } from '../../summary/not-judged.js';

function Question({
  group,
  exchanges,
}: {
  readonly group: ObservationGroup;
  readonly exchanges: ShownExchanges;
}) {
  const { row, shown, leftOut } = group;
  return (
    <tbody id={`open-${row.id}`}>
      <tr>
        <th colSpan={3} scope="rowgroup">
          <a href={`#${row.id}`}>{row.id}</a> <Prose text={row.title} />{' '}
          <span class="quiet">
            <SectionReference section={row.section} />
          </span>
        </th>
      </tr>
      {shown.map(({ subject, behaviour, exchanges: ids }) => (
        <tr>
          <td>
            <Prose text={subject} />
          </td>
          <td>
            <Prose text={behaviour} />
          </td>
          <td class="references">
            <ExchangeReferences ids={ids.slice(0, 3)} shown={exchanges} />
            {ids.length > 3 && `, and ${ids.length - 3} more`}
          </td>
        </tr>
      ))}
      {leftOut > 0 && (
        <tr>
          <td colSpan={3}>{counted(leftOut, 'further observation')} in report.json</td>
        </tr>
      )}
    </tbody>
  );
}

export interface OpenSectionProperties {
  readonly groups: readonly ObservationGroup[];
  readonly exchanges: ShownExchanges;
}

/** The rows that nothing can fail: what the specification does not say, and what this service does. */
export function OpenSection({ groups, exchanges }: OpenSectionProperties): JSX.Element {
  const seen = groups.filter(isSeen);
  const unseen = notJudged(groups.filter((group) => !isSeen(group)).map(({ row }) => row));
  return (
    <section id="open" aria-labelledby="open-title">
      <h2 id="open-title">What the specification leaves open, and what this service does</h2>
      <p class="lead">
        Nothing here can fail. For the service’s owner it is the raw material of the rules that are not
        written yet.
      </p>
      {seen.length > 0 && (
        <table class="open">
          <thead>
            <tr>
              <th scope="col">Asked</th>
              <th scope="col">What the service did</th>
              <th scope="col">Seen in</th>
            </tr>
          </thead>
          {seen.map((group) => (
            <Question group={group} exchanges={exchanges} />
          ))}
        </table>
      )}
      {unseen.map(({ verdict, reason, ids }) => (
        <p class="note">
          <RequirementLinks ids={ids} inRanges />: {verdictInWords(verdict)}, <Prose text={reason} />
        </p>
      ))}
    </section>
  );
}

function isSeen({ row, shown, leftOut }: ObservationGroup): boolean {
  return shown.length > 0 || leftOut > 0 || row.verdict === 'observed';
}

/** An appendix, at the end: the exchanges that only observations name. */
export function AppendixSection({ exchanges }: Pick<OpenSectionProperties, 'exchanges'>): JSX.Element | null {
  const behind = exchanges.at(behindObservations);
  if (behind.length === 0) return null;
  return (
    <section id="appendix" aria-labelledby="appendix-title">
      <h2 id="appendix-title">Appendix: exchanges behind the observations</h2>
      {behind.map((exchange) => (
        <ExchangeView exchange={exchange} />
      ))}
    </section>
  );
}
