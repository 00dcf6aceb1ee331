import { keyVariable } from '../http/exchange/credential.js';
import type { Exchange } from '../http/exchange/exchange.js';

/** A key as services give it, which no text of a run holds. */
const usual = 'Qx7vR2mWk9TzLbN4hYs8DfGj3PcE6aUq';

/**
 * A key to judge a run's exchanges with: near misses of it are written in the record as those of the real one, of which
 * the record shows where its middle is, which letters changed it, and whether it has letters in both cases.
 */
export function standInKey(exchanges: readonly Exchange[]): string {
  const shown = new Set(
    exchanges.flatMap(({ request }) =>
      request.headers.flatMap(([name, value]) =>
        name === 'Authorization' ? [value.replace(/^Bearer /, '')] : [],
      ),
    ),
  );
  const find = (pattern: RegExp): string | undefined =>
    [...shown].map((one) => pattern.exec(one)?.[1]).find((found) => found !== undefined);
  const middle = Number(find(new RegExp(`^\\$\\{${keyVariable}:0:(\\d+)\\}`)) ?? 12);
  const key = usual.repeat(Math.ceil((2 * middle) / usual.length)).slice(0, 2 * middle);
  // A key in one case alone has one near miss less.
  const [upper, lower] = ['^^', ',,'].map((change) => shown.has(`\${${keyVariable}${change}}`));
  const cased = upper === lower ? key : upper ? key.toLowerCase() : key.toUpperCase();
  // A character that is changed becomes an x, or a y if it is one.
  const replaced = (text: string, at: number, changed: string | undefined): string =>
    text.slice(0, at) + (changed === 'y' ? 'x' : text[at]) + text.slice(at + 1);
  const first = find(new RegExp(`^([xy])\\$\\{${keyVariable}#\\?\\}`));
  const inside = find(new RegExp(`^\\$\\{${keyVariable}:0:\\d+\\}([xy])`));
  const last = find(new RegExp(`^\\$\\{${keyVariable}(?:%\\?)?\\}([xy])$`));
  return replaced(replaced(replaced(cased, 0, first), middle, inside), cased.length - 1, last);
}
