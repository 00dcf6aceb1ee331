import type { Exchange } from '../../../lib/http/exchange/exchange.js';
import type { RunRecord } from '../../../lib/record/record.js';
import { groupBy } from '../../text/group-by.js';
import { cut } from '../parts/text.js';
import { roomOf } from './room.js';
import type { CauseGroup, ObservationGroup } from './shown-findings.js';

/** The exchanges that the report holds, each at one place, and how many it had to leave out. */
export interface ShownExchanges {
  readonly leftOut: number;
  /** The exchange, if the report holds it. */
  find(id: string): Exchange | undefined;
  /** The exchanges at this place: under a finding's anchor, or in the appendix. */
  at(place: string): readonly Exchange[];
}

/** The place of exchanges that no finding shows. */
export const appendix = 'appendix';

/** The anchor of an exchange. Ids come from a file that anyone may have edited: nothing odd passes. */
export function exchangeAnchor(id: string): string {
  return `exchange-${id.replaceAll(/[^\w-]/g, '-')}`;
}

const exchangesOfAFinding = 3;
const exchangesOfACertificate = 12;
/** Exchanges shown in all, and the room that they may take, in characters of the document. */
const mostExchanges = 400;
const roomForExchanges = 260_000;
/** A body is kept up to this length: enough to lay out a page of a hundred animals. */
const longestBodyKept = 64_000;
const longestBodyShown = 4_000;
const longestHeaderShown = 500;

/** Exchange ids and their places, the most informative first: each finding's first, the observations', then further ones. */
function wantedExchanges(
  findings: readonly CauseGroup[],
  observations: readonly ObservationGroup[],
  { plans = [] }: RunRecord,
): Map<string, string> {
  const ofFindings = (from: number, to: number) =>
    findings.flatMap(({ shown }) =>
      shown.flatMap(({ finding, anchor }) => finding.exchanges.slice(from, to).map((id) => [id, anchor])),
    );
  const ofObservations = observations.flatMap(({ shown }) => shown.map(({ exchanges: [first] }) => first));
  const ofCertificates = plans.flatMap(({ explanation }) =>
    (explanation?.certificates ?? []).flatMap((one) => one.exchanges.slice(0, exchangesOfACertificate)),
  );
  const behind = [...ofObservations, ...ofCertificates].flatMap((id) =>
    id === undefined ? [] : [[id, appendix]],
  );
  const places = new Map<string, string>();
  for (const [id = '', place = ''] of [
    ...ofFindings(0, 1),
    ...behind,
    ...ofFindings(1, exchangesOfAFinding),
  ]) {
    if (!places.has(id)) places.set(id, place);
  }
  return places;
}

/** The exchange with bodies cut to what the report could ever show, so that memory stays bounded. */
function lightened(exchange: Exchange): Exchange {
  const { request, response } = exchange;
  const kept = (text: string | undefined): string | undefined => text && cut(text, longestBodyKept);
  const { text, base64 } = response?.body ?? {};
  const truncated = response?.body.truncated === true || (text ?? base64 ?? '').length > longestBodyKept;
  return {
    ...exchange,
    request: { ...request, body: kept(request.body) },
    response: response && {
      ...response,
      body: { ...response.body, text: kept(text), base64: kept(base64), truncated },
    },
  };
}

/** Gives the exchanges of these ids; an id that was not recorded is left out. */
export type ExchangesById = (ids: Iterable<string>) => Promise<ReadonlyMap<string, Exchange>>;

/**
 * The exchanges that findings, observations and certificates name: at most 400, with bodies cut, as many as there is room
 * for. Memory does not grow with the length of the run.
 */
export async function shownExchanges(
  findings: readonly CauseGroup[],
  observations: readonly ObservationGroup[],
  record: RunRecord,
  exchangesById: ExchangesById,
): Promise<ShownExchanges> {
  const wanted = wantedExchanges(findings, observations, record);
  const candidates = [...wanted.keys()].slice(0, mostExchanges);
  const found = await exchangesById(candidates);
  const takes = roomOf(roomForExchanges);
  const shown: Exchange[] = [];
  for (const exchange of candidates.flatMap((id) => found.get(id) ?? [])) {
    const { request, response } = exchange;
    const headers = [...request.headers, ...(response?.headers ?? [])];
    const bodies = [request.body, response?.body.text, response?.body.base64];
    const fits = takes(1_200 + headers.length * 16, [
      ...headers.flat().map((text) => [text, longestHeaderShown] as const),
      ...bodies.map((text) => [text, longestBodyShown] as const),
    ]);
    if (!fits) break;
    shown.push(lightened(exchange));
  }
  const byId = new Map(shown.map((exchange) => [exchange.id, exchange]));
  const byPlace = groupBy(shown, ({ id }) => wanted.get(id) ?? '');
  return {
    leftOut: wanted.size - shown.length,
    find: (id) => byId.get(id),
    at: (place) => byPlace.get(place) ?? [],
  };
}
