import type { JudgedDescription } from '../description/judged-description.js';
import type { LimitEvidence } from '../limits/limits-of-run.js';
import type { Exchange } from './exchange.js';
import { Pets, type Pet, type RefusedCreation } from './pets.js';
import { presenceIn } from './presence.js';
import { creationsIn, requestsIn } from './requests.js';
import type { OperationName } from './recorded-exchange.js';
import { removalDate } from '../specification/catalogue.js';
import type { Plan } from '../specification/plan.js';
import type { RunRecord } from './record/record.js';

/** What a rule has to know of the run beside its exchanges. */
export type EvidenceFacts = Readonly<ReturnType<typeof factsOf>>;

/** The facts of a run: what its record says of the target, and what else rules judge by. */
export function factsOf({ run, target }: Pick<RunRecord, 'run' | 'target'>) {
  const { consistencyMs = 2_000, categoryId } = run.options ?? {};
  const { plan: name, perMinute = 0, perDay = 0, planGiven = true } = target;
  return {
    ...target,
    plan: { name, perMinute, perDay } satisfies Plan,
    planGiven,
    /** By the run's date, from 5 December 2030 on (section 9.3). */
    removalDatePassed: Date.parse(run.startedAt) >= removalDate,
    /** Milliseconds after a creation in which the target need not show the animal everywhere. */
    consistencyMs,
    categoryId: categoryId === undefined ? undefined : BigInt(categoryId),
    isStopped: run.stopped !== undefined,
    /** Tells the key from other text. In exchanges that were recorded, redaction has replaced it already. */
    redact: (text: string) => text,
  };
}

/** What rules judge that is made of the exchanges, or of files, before they are asked; absent if nothing asked for it. */
export interface EvidenceParts {
  readonly limits?: LimitEvidence | undefined;
  readonly description?: JudgedDescription | undefined;
}

export type Evidence = ReturnType<typeof evidenceIn>;

/** All that a rule judges: the exchanges of a run, in the order in which they were complete, and facts of the run. */
export function evidenceIn(
  exchanges: readonly Exchange[],
  facts: EvidenceFacts,
  parts: EvidenceParts = {},
  pets = new Pets(exchanges),
) {
  const lost = facts.isStopped ? lostAtTheEnd(exchanges) : [];
  const all = exchanges.filter((one) => one.operation !== null && one.isEvidence && !lost.includes(one));
  const responses = all.filter(({ broken, response }) => broken === undefined && response);
  const repeated = new Set(exchanges.map(({ repeats }) => repeats));
  const isAnswer = ({ id, status }: Exchange): boolean => status !== 429 && !repeated.has(id);
  const answers = all.filter(isAnswer);
  const withKey = (operation: OperationName | null, from: readonly Exchange[] = answers): Exchange[] =>
    from.filter((one) => one.operation === operation && one.credential === 'valid');
  const [listings, fetches] = [requestsIn(withKey('listPets')), requestsIn(withKey('getPet'))];
  const creations = creationsIn(withKey('createPet'), facts.categoryId);
  /** Creations that were refused, and what they added. */
  const refusedIf = (isRefused: (status: number, one: Exchange) => boolean): RefusedCreation[] =>
    all.flatMap((one) =>
      one.operation === 'createPet' && isRefused(one.status ?? 0, one) ? pets.traced(one) : [],
    );
  const served = [...listings.all, ...fetches.all].filter(({ status }) => status === 200);
  const servedUrls = new Set(served.map(({ request }) => request.url));
  return {
    exchanges,
    facts,
    parts,
    pets,
    /** Every exchange with one of the three operations, 429s and broken ones included: what invariants are judged on. */
    all,
    /** Those that the network may not have broken: what headers and bodies are judged on. */
    responses,
    /** Those whose body was read, and is recorded, to its end: what fields are judged on. */
    whole: responses.filter(({ failure, response }) => !failure && !response?.body.truncated),
    /** With a method and path that the specification does not list, and the valid key. */
    unlisted: withKey(null, exchanges).filter(isAnswer),
    /** Not over the limit, and not sent again after they broke off. */
    answers,
    /** With a credential that must be refused (section 5.3). */
    unauthenticated: answers.filter(({ credential }) =>
      ['missing', 'unknown', 'malformed'].includes(credential),
    ),
    /** With the valid key, by their operations (sections 4.1 to 4.3). */
    listings,
    creations,
    fetches,
    /** Those of animals that were created before, and that nothing else may have changed. */
    fetchesOfOwn: fetches.specified.flatMap((one): Array<readonly [Exchange, Pet]> => {
      const pet = pets.created.get(one.petId);
      return pet?.isOwn && one.sentAt >= pet.creation.endedAt ? [[one, pet]] : [];
    }),
    refused: {
      invalid: refusedIf((status) => status >= 400 && status < 500 && status !== 401 && status !== 429),
      overLimit: refusedIf((status) => status === 429),
      unauthenticated: refusedIf((status, one) => status === 401 || one.credential === 'missing'),
    },
    presence: presenceIn(pets, listings.pages, facts.consistencyMs),

    /** Whether the target has accepted the same request with the valid key, so that the credential is the only difference. */
    isAcceptedWithKey: (one: Exchange): boolean =>
      one.operation === 'createPet'
        ? one.faults.length === 0 && creations.isControlled(one)
        : servedUrls.has(one.request.url),

    /** Whether the target has served an operation with the valid key: getPet with an animal in whatever form. */
    serves(operation: OperationName): boolean {
      if (operation === 'createPet') return creations.accepted.length > 0;
      const isShown = ({ json }: Exchange): boolean => typeof json === 'object' && json !== null;
      return served.some((one) => one.operation === operation && (operation === 'listPets' || isShown(one)));
    },
  };
}

/** Exchanges since the target's last whole response, which only show that it was lost, if it has responded and speaks HTTP. */
function lostAtTheEnd(exchanges: readonly Exchange[]): readonly Exchange[] {
  const since = exchanges.slice(exchanges.findLastIndex(({ broken }) => broken === undefined) + 1);
  if (since.at(-1)?.response || !exchanges.some(({ response }) => response)) return [];
  return since.filter(({ failure }) => failure?.kind !== 'not-http');
}
