import type { JSX } from 'preact';
import { Foreign } from '../text/foreign.js';
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
              <Foreign text={id} />
            </a>
          ) : (
            <Foreign text={id} />
          )}
        </>
      ))}
    </>
  );
}
