import { firstValueOf } from '../http/headers/header-list.js';
import type { KeyName } from '../http/exchange/credential.js';
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
  const middle = Number(find(/sed 's\/\.\/[xy]\/(\d+)'\)$/u) ?? 13) - 1;
  const key = usual.repeat(Math.ceil((2 * middle) / usual.length)).slice(0, 2 * middle);
  // A key in one case alone has one near miss less.
  const [upper, lower] = ['tr a-z A-Z)', 'tr A-Z a-z)'].map((change) =>
    [...shown].some((one) => one.endsWith(change)),
  );
  const cased = upper === lower ? key : upper ? key.toLowerCase() : key.toUpperCase();
  // A character that is changed becomes an x, or a y if it is one.
  const replaced = (text: string, at: number, changed: string | undefined): string =>
    text.slice(0, at) + (changed === 'y' ? 'x' : text[at]) + text.slice(at + 1);
  const first = find(/sed 's\/\^\.\/([xy])\/'\)$/u);
  const inside = find(/sed 's\/\.\/([xy])\/\d+'\)$/u);
  const last = find(/sed 's\/\.?\$\/([xy])\/'\)$/u);
  return replaced(replaced(replaced(cased, 0, first), middle, inside), cased.length - 1, last);
}

/** How the key of a run was named in its exchanges; undefined if none of them has a valid key. */
export function keyNameIn(exchanges: readonly Exchange[]): KeyName | undefined {
  const { caller: variable, request } = exchanges.find(({ credential }) => credential === 'valid') ?? {};
  const shell = request && firstValueOf(request.headers, 'Authorization');
  return variable === undefined ? undefined : { variable, shell: shell?.replace(/^Bearer /u, '') };
}
