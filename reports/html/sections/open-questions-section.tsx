import type { JSX } from 'preact';
import { count } from '../../text/quantity.js';
import { ExchangeView } from '../evidence/exchange-view.js';
import { appendix, type ShownExchanges } from '../evidence/shown-exchanges.js';
import type { ObservationGroup } from '../evidence/shown-findings.js';
import { ExchangeLinks, SectionLinks } from '../parts/links.js';
import { Prose } from '../parts/text.js';

interface Properties {
  readonly groups: readonly ObservationGroup[];
  readonly exchanges: ShownExchanges;
}

/** What one requirement observed, as rows of the table. */
function Observations({ group, exchanges }: { group: ObservationGroup; exchanges: ShownExchanges }) {
  const { result, shown, leftOut } = group;
  return (
    <tbody id={`open-${result.id}`}>
      <tr>
        <th colSpan={3} scope="rowgroup">
          <a href={`#${result.id}`}>{result.id}</a> <Prose text={result.title} />{' '}
          <span class="quiet">
            <SectionLinks section={result.section} />
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
            <ExchangeLinks ids={ids} shown={exchanges} most={3} />
          </td>
        </tr>
      ))}
      {leftOut > 0 && (
        <tr>
          <td colSpan={3}>{count(leftOut, 'further observation')} in report.json</td>
        </tr>
      )}
    </tbody>
  );
}

/** What the specification leaves open, and what this service does; null if nothing was observed. */
export function OpenQuestionsSection({ groups, exchanges }: Properties): JSX.Element | null {
  if (groups.length === 0) return null;
  return (
    <section id="open" aria-labelledby="open-title">
      <h2 id="open-title">What the specification leaves open, and what this service does</h2>
      <details>
        <summary>{count(groups.length, 'open question')}: nothing here can fail</summary>
        <table class="open">
          <thead>
            <tr>
              <th scope="col">Sent</th>
              <th scope="col">What the service did</th>
              <th scope="col">Exchanges</th>
            </tr>
          </thead>
          {groups.map((group) => (
            <Observations group={group} exchanges={exchanges} />
          ))}
        </table>
      </details>
    </section>
  );
}

/** At the end: the exchanges that no finding shows. */
export function AppendixSection({ exchanges }: Pick<Properties, 'exchanges'>): JSX.Element | null {
  const shown = exchanges.at(appendix);
  if (shown.length === 0) return null;
  return (
    <section id="appendix" aria-labelledby="appendix-title">
      <h2 id="appendix-title">Further exchanges</h2>
      <details>
        <summary>{count(shown.length, 'exchange')} behind observations and limits</summary>
        {shown.map((exchange) => (
          <ExchangeView exchange={exchange} />
        ))}
      </details>
    </section>
  );
}
