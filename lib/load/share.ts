/**
 * One of N parts of a load, which N machines send. Request i of the whole load, from 0, belongs to share (i mod N) + 1 and
 * keeps its planned moment: the shares together are the load that one machine would send.
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

/** The volley of a load, by which a merged one tells its shares apart: `load`, `share 2/5`. */
export function nameOfLoad(share: Share | undefined): string {
  return share ? `share ${share.number}/${share.of}` : 'load';
}

/** A share's requests by their places in the whole load, from 0. */
export function* placesOf({ number, of }: Share, requests: number): Generator<number> {
  for (let place = number - 1; place < requests; place += of) yield place;
}
