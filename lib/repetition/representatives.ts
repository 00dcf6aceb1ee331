import type { Exchange } from '../http/exchange/exchange.js';
import type { RequirementResult } from '../record/record.js';
import { declaredInvariants } from '../requirement/requirement.js';
import { ApiResponse } from '../session/api-response.js';
import { bodySent } from '../session/compare-pets.js';
import { burstSize, fullPage } from '../session/store.js';

type Finding = RequirementResult['findings'][number];

/** A finding that a round tries again, with the exchanges of it whose requests it sends. */
export interface TriedFinding {
  readonly id: string;
  readonly finding: Finding;
  readonly exchanges: readonly Exchange[];
  /** An invariant: whoever sends the request, it is judged. */
  readonly isInvariant: boolean;
  /** It shows that something was refused that must not be, or the other way round. */
  readonly isRefused: boolean;
}

/** Requests that a round of ten has room for beside its controls. */
const room = 4;
/** Requests alike that are sent again of one finding: some findings compare two. */
const mostAlike = 2;

/**
 * Findings that stand for all of a run: at least one of each requirement, and then those that differ most from them, as
 * many as a round has room for.
 */
export function representatives(
  results: readonly RequirementResult[],
  byId: ReadonlyMap<string, Exchange>,
): TriedFinding[] {
  const invariants = new Set<string>(declaredInvariants().map(({ id }) => id));
  const left = results.flatMap(({ id, findings }) =>
    findings.map((finding) => triedFinding(id, finding, byId, invariants.has(id))),
  );
  const chosen: TriedFinding[] = [];
  const [ids, traits, sent] = [new Set<string>(), new Set<string>(), new Set<Exchange>()];
  while (left.length > 0) {
    const more = (one: TriedFinding): number =>
      one.exchanges
        .filter((exchange) => !sent.has(exchange))
        .reduce((sum, { purpose }) => sum + (purpose === 'stock' ? burstSize : 1), 0);
    const news = (one: TriedFinding): number =>
      (ids.has(one.id) ? 0 : 1_000) + traitsOf(one).filter((trait) => !traits.has(trait)).length - more(one);
    const best = left.reduce((one, other) => (news(other) > news(one) ? other : one));
    left.splice(left.indexOf(best), 1);
    if (ids.has(best.id) && sent.size + more(best) > room) continue;
    chosen.push(best);
    ids.add(best.id);
    for (const trait of traitsOf(best)) traits.add(trait);
    for (const exchange of best.exchanges) sent.add(exchange);
  }
  return chosen;
}

/** What makes trying a finding different from trying another one. */
function traitsOf({ id, finding, exchanges }: TriedFinding): string[] {
  return exchanges.flatMap(({ operation, response, credential }) => {
    const look = `${operation ?? ''} ${response?.status ?? ''}`;
    return [operation ?? '', look, `${credential} ${look}`, `${id} ${look}`, `${id} ${finding.message}`];
  });
}

function triedFinding(
  id: string,
  finding: Finding,
  byId: ReadonlyMap<string, Exchange>,
  isInvariant: boolean,
): TriedFinding {
  const shown = finding.exchanges.flatMap((one) => byId.get(one) ?? []);
  // Some findings compare exchanges; otherwise each of them shows it.
  const isEach = isInvariant && shown.length <= (finding.occurrences ?? 1);
  const isRefused = shown.some(({ response }) => (response?.status ?? 0) >= 400);
  return { id, finding, exchanges: differing(shown, isEach), isInvariant, isRefused };
}

/** Exchanges that stand for all that a finding shows. @param isEach each of them shows it alone */
function differing(exchanges: readonly Exchange[], isEach: boolean): Exchange[] {
  const alike = new Map<string, number>();
  // The fewer animals there must be, or come at once, the fewer requests it takes.
  const cost = (exchange: Exchange): number =>
    exchange.purpose === 'stock' ? fullPage : (new ApiResponse(exchange).length ?? 0);
  if (exchanges.some(({ purpose }) => purpose === 'commands')) return [...exchanges];
  const chosen = exchanges
    .toSorted((one, other) => cost(one) - cost(other))
    .filter((exchange) => {
      const { operation, credential, request, response } = exchange;
      const own = isEach ? [] : [credential, formOf(exchange)];
      const look = JSON.stringify([operation, request.method, response?.status, ...own]);
      alike.set(look, (alike.get(look) ?? 0) + 1);
      return (alike.get(look) ?? 0) <= (isEach ? 1 : mostAlike);
    });
  // What is listed was created first, and both are needed.
  const [creations, others] = [chosen.filter(isOfCreation), chosen.filter((one) => !isOfCreation(one))];
  const most = Math.max(mostAlike, room - others.length);
  return [
    // Which of those without a name of its own added an animal, nobody can tell.
    ...creations.filter((one, index) => index < most || !isNamed(one)),
    ...others.slice(0, Math.max(mostAlike, room - creations.length)),
  ];
}

function isOfCreation({ operation }: Exchange): boolean {
  return operation === 'createPet';
}

function isNamed(exchange: Exchange): boolean {
  return typeof bodySent(exchange).name === 'string';
}

/** The members of a body and their types. */
function formOf(exchange: Exchange): string {
  const form = Object.entries(bodySent(exchange)).map(([name, value]) => {
    return [name, Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value];
  });
  return JSON.stringify(form);
}
