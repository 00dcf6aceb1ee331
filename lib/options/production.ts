import type { Addresses } from './environment.js';

/** Whether a target is precious by its name: `production`, `prod-eu`, `LIVE_1`. */
function isProductionName(name: string): boolean {
  return /^\W*(?:prod|live)/i.test(name);
}

/**
 * The production target that is meant: nothing is created there, and no load sent, unless the user allows it. It has such
 * a name, or the host of a target that has one. Undefined if neither holds.
 */
export function productionOf(
  name: string,
  baseUrl: string | undefined,
  addresses: Addresses,
): string | undefined {
  if (isProductionName(name)) return `the production target ${name}`;
  const host = hostOf(baseUrl);
  const known = addresses.find(([other, address]) => isProductionName(other) && hostOf(address) === host);
  return known && host !== undefined ? `${host} (the host of the production target ${known[0]})` : undefined;
}

/** Host and port: plain HTTP leads to the same service. */
function hostOf(baseUrl: string | undefined): string | undefined {
  return baseUrl !== undefined && URL.canParse(baseUrl)
    ? new URL(baseUrl).host.replace(/\.(?=$|:)/, '')
    : undefined;
}
