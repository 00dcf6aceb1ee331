/** When each request of a load is planned, and which share sends it. Requests are numbered from 0. */

const mostPerSecond = 10_000;

/** Reads `10/s` and `55/min` as requests per second; undefined for other texts, and for more than 10,000. */
export function rateOf(text: string): number | undefined {
  const [, number, unit] = /^(\d+(?:\.\d+)?)\/(s|min|m)$/.exec(text) ?? [];
  const perSecond = Number(number) / (unit === 's' ? 1 : 60);
  return perSecond > 0 && perSecond <= mostPerSecond ? perSecond : undefined;
}

/** Requests of a whole load, at least one. @param ratePerSecond may be a fraction */
export function requestsIn(ratePerSecond: number, durationMs: number): number {
  return Math.max(1, Math.floor((ratePerSecond * durationMs) / 1_000));
}

/**
 * One of N parts of a load, which N machines send. Request i of the whole load belongs to share (i mod N) + 1 and keeps its
 * planned moment: the shares together are the load that one machine would send.
 */
export interface Share {
  /** From 1. */
  readonly number: number;
  readonly of: number;
}

const mostShares = 1_000;

/** Reads `2/5`; undefined for a share that is out of range, and for other texts. */
export function shareOf(text: string): Share | undefined {
  const [, number = 0, of = 0] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number);
  return number >= 1 && number <= of && of <= mostShares ? { number, of } : undefined;
}

/** `share 2/5`: the phase of its exchanges, by which a merged run tells the shares apart. */
export function shareName({ number, of }: Share): string {
  return `share ${number}/${of}`;
}

/** How many of the requests of the whole load are a share's. */
export function ownRequests(requests: number, { number, of }: Share): number {
  return Math.ceil((requests - number + 1) / of);
}

/** Which request of the whole load a share's request is. */
export function placeInLoad(index: number, { number, of }: Share): number {
  return index * of + number - 1;
}
