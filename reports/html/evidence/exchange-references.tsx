import type { JSX } from 'preact';
import { TargetText } from '../parts/target-text.js';
import { exchangeAnchor } from './exchange-anchor.js';
import type { ShownExchanges } from './shown-exchanges.js';

export interface ExchangeReferencesProperties {
  readonly ids: readonly string[];
  readonly shown: ShownExchanges;
}

/** Exchange ids; those that the report holds lead to their place. */
export function ExchangeReferences({ ids, shown }: ExchangeReferencesProperties): JSX.Element {
  return (
    <>
      {ids.map((id, index) => (
        <>
          {index > 0 && ', '}
          {shown.find(id) ? (
            <a href={`#${exchangeAnchor(id)}`}>
              <TargetText text={id} />
            </a>
          ) : (
            <TargetText text={id} />
          )}
        </>
      ))}
    </>
  );
}
