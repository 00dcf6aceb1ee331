import type { Exchange } from '../../../lib/http/exchange/exchange.js';
import { cutText } from '../text/cut-text.js';
import { renderedLength } from '../text/rendered-length.js';
import type { FindingGroup } from './shown-findings.js';
import type { ObservationGroup } from './shown-observations.js';

/** The exchanges that the report holds, each at one place, and what it had to leave out. */
export interface ShownExchanges {
  /** Exchanges that findings or observations name and that are left out to keep the report small. */
  readonly leftOut: number;
  /** The exchange, where the report holds it. */
  find(id: string): Exchange | undefined;
  /** The exchanges whose place is here: under a finding's anchor, or in the list behind the observations. */
  at(place: string): readonly Exchange[];
}

/** The place of exchanges that only observations name. */
export const behindObservations = 'observed-exchanges';

/** Exchanges shown of one finding, and of one observation. */
const exchangesOfAFinding = 3;
const exchangesOfAnObservation = 1;
/** Exchanges shown in all, and the room in characters that they may take. */
const mostExchanges = 400;
const roomForExchanges = 260_000;
/** A body is kept up to this length: enough to lay out a page of a hundred animals. */
const longestBodyKept = 64_000;
/** What an exchange costs beside its texts, and what its layout shows of a body at the most. */
const costOfAnExchange = 1_200;
const longestBodyCounted = 4_000;
const longestHeaderCounted = 500;

interface Wanted {
  readonly id: string;
  readonly place: string;
}

/** What is wanted, the most telling first: each finding's first exchange, the observations', then the further ones. */
function wantedExchanges(groups: readonly FindingGroup[], observed: readonly ObservationGroup[]): Wanted[] {
  const findings = groups.flatMap((group) => group.shown);
  const ofFindings = (from: number, to: number): Wanted[] =>
    findings.flatMap(({ finding, anchor }) =>
      finding.exchanges.slice(from, to).map((id) => ({ id, place: anchor })),
    );
  const ofObservations = observed
    .flatMap((group) => group.shown)
    .flatMap((observation) =>
      observation.exchanges
        .slice(0, exchangesOfAnObservation)
        .map((id) => ({ id, place: behindObservations })),
    );
  return [...ofFindings(0, 1), ...ofObservations, ...ofFindings(1, exchangesOfAFinding)];
}

/** The exchange with bodies cut to what the report could ever show, so that memory stays bounded. */
function lightened(exchange: Exchange): Exchange {
  const { request, response } = exchange;
  const sent = request.body === undefined ? undefined : cutText(request.body, longestBodyKept);
  const light: Exchange = sent?.leftOut
    ? { ...exchange, request: { ...request, body: sent.shown } }
    : exchange;
  if (!response) return light;
  const { text, base64 } = response.body;
  if ((text ?? base64 ?? '').length <= longestBodyKept) return light;
  const body = {
    ...response.body,
    truncated: true,
    ...(text !== undefined && { text: cutText(text, longestBodyKept).shown }),
    ...(base64 !== undefined && { base64: base64.slice(0, longestBodyKept) }),
  };
  return { ...light, response: { ...response, body } };
}

function cost({ request, response, curl }: Exchange): number {
  const headers = [...request.headers, ...(response?.headers ?? [])].flat();
  const bodies = [request.body, response?.body.text, response?.body.base64];
  return (
    costOfAnExchange +
    headers.reduce((sum, text) => sum + renderedLength(text, longestHeaderCounted) + 8, 0) +
    [...bodies, curl].reduce((sum, text) => sum + renderedLength(text, longestBodyCounted), 0)
  );
}

/** Gives the exchanges of these ids; an id that was not recorded is left out. */
export type ExchangesById = (ids: Iterable<string>) => Promise<ReadonlyMap<string, Exchange>>;

/**
 * Takes from the evidence what findings and observations name: at most 400 exchanges, with bodies cut, as many as there
 * is room for. Memory does not grow with the length of the run.
 */
export async function shownExchanges(
  groups: readonly FindingGroup[],
  observed: readonly ObservationGroup[],
  exchangesById: ExchangesById,
): Promise<ShownExchanges> {
  const placeOf = new Map<string, string>();
  for (const { id, place } of wantedExchanges(groups, observed)) if (!placeOf.has(id)) placeOf.set(id, place);
  const candidates = [...placeOf].slice(0, mostExchanges);
  const found = await exchangesById(candidates.map(([id]) => id));

  const kept = new Map<string, Exchange>();
  const places = new Map<string, Exchange[]>();
  let room = roomForExchanges;
  for (const [id, place] of candidates) {
    const recorded = found.get(id);
    if (!recorded) continue;
    const exchange = lightened(recorded);
    room -= cost(exchange);
    if (room < 0) break;
    kept.set(id, exchange);
    places.set(place, [...(places.get(place) ?? []), exchange]);
  }
  return {
    leftOut: placeOf.size - kept.size,
    find: (id) => kept.get(id),
    at: (place) => places.get(place) ?? [],
  };
}
