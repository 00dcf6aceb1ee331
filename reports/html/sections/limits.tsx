import type { JSX } from 'preact';
import { limitFacts, limitsTitle } from '../../summary/limit-summary.js';
import { drawnWindows, flagsOf } from '../evidence/drawn-windows.js';
import { ExchangeViews } from '../evidence/exchange-view.js';
import type { PageData } from '../evidence/shown-exchanges.js';
import { Facts } from '../parts/table.js';
import { WindowBar } from './window-bar.js';

/** What the limiter did, in words and drawn. */
export function Limits({ record, exchanges }: PageData): JSX.Element {
  const { plans = [], target } = record;
  return (
    <>
      <p class="note">
        Dots are Remaining as reported, the band is Remaining as a conforming limiter would have reported it.
        Strokes below are the requests.
      </p>
      {plans.map((measurement) => (
        <>
          <h3>{limitsTitle(measurement)}</h3>
          <Facts facts={limitFacts(measurement)} />
          {drawnWindows(measurement).map((drawn) => {
            const rejection = exchanges.byId.get(drawn.rejected?.id ?? '');
            const flags = flagsOf(drawn, rejection, target.clockDifferenceMs ?? 0);
            return (
              <>
                <WindowBar drawn={drawn} flags={flags} perMinute={measurement.perMinute} />
                <ExchangeViews exchanges={exchanges} place={drawn.anchor} />
              </>
            );
          })}
        </>
      ))}
    </>
  );
}
