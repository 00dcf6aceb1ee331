import type { JSX } from 'preact';
import { exchangeAnchor, type ShownExchanges } from '../evidence/shown-exchanges.js';
import { TargetText } from './text.js';

/** Ids of requirements, each leading to its place in the part for those who audit. */
export function RequirementChips({ ids }: { readonly ids: readonly string[] }): JSX.Element {
  return (
    <ul class="chips">
      {ids.map((id) => (
        <li>
          <a href={`#${id}`}>{id}</a>
        </li>
      ))}
    </ul>
  );
}

/** Named of one finding: the record has the others. */
const mostLinks = 4;

export interface ExchangeLinksProperties {
  readonly ids: readonly string[];
  readonly exchanges: ShownExchanges;
}

/** Ids of exchanges; those that the page holds lead to their place. */
export function ExchangeLinks({ ids, exchanges }: ExchangeLinksProperties): JSX.Element {
  const rest = ids.length - mostLinks;
  return (
    <>
      {ids.slice(0, mostLinks).map((id, index) => {
        const text = <TargetText text={id} />;
        const link = exchanges.has(id) ? <a href={`#${exchangeAnchor(id)}`}>{text}</a> : text;
        return [index > 0 && ', ', link];
      })}
      {rest > 0 && ` and ${rest} more`}
    </>
  );
}
