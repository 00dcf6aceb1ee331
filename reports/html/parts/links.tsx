import type { JSX } from 'preact';
import { exchangeAnchor } from '../evidence/shown-exchanges.js';
import { usePage } from '../page-data.js';
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

/** Ids of exchanges; those that the page holds lead to their place. */
export function ExchangeLinks({ ids }: { readonly ids: readonly string[] }): JSX.Element {
  const { exchanges } = usePage();
  const rest = ids.length - mostLinks;
  const links = ids.slice(0, mostLinks).map((id, index) => {
    const text = <TargetText text={id} />;
    return [index > 0 && ', ', exchanges.has(id) ? <a href={`#${exchangeAnchor(id)}`}>{text}</a> : text];
  });
  return <>{[links, rest > 0 && ` and ${rest} more`]}</>;
}
