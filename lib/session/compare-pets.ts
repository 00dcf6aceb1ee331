import type { Exchange } from '../http/exchange/exchange.js';
import type { Probe } from '../requirement/requirement.js';
import { parseJson } from '../specification/json-value.js';
import { alterationOf } from './alteration.js';
import { valueText, type Animal } from './animal.js';
import { ApiResponse } from './api-response.js';
import { createdAnimal, getCreated } from './creation.js';
import { reproduceInTurn } from './reproduce.js';

/** The fields of a Pet (section 2) beside its identifier. Others that a target adds may change between responses. */
const fields = ['name', 'categoryId', 'status'] as const;

type Members = Readonly<Record<string, unknown>>;

/** An animal, and the response that shows it. */
export interface ShownAnimal {
  readonly animal: Animal;
  readonly response: ApiResponse;
}

/** A value that is shown otherwise than it was sent. */
interface ShownOtherwise {
  readonly id: string;
  readonly value: unknown;
  readonly operation: keyof typeof places;
  readonly creation: ApiResponse;
  readonly response: ApiResponse;
}

/** Where an animal is shown after its creation. */
const places = { listPets: 'a listing', getPet: 'getPet' } as const;

/**
 * Checks on every exchange so far that a field that a creation returned as it was sent is shown so by getPet and in
 * listings, too. What the target does not show is not compared.
 *
 * @param isComparable whether a value that is shown can be compared; one of another type is for others to judge
 */
export function judgeKept(
  { judgement, store: { knownPets }, exchanges }: Probe,
  field: (typeof fields)[number],
  isComparable: (shown: unknown) => boolean,
): void {
  const creations = new Map(knownPets.listable().map((created) => [created.exchange, created.animal]));
  const sent = new Map<string, { readonly text: string; readonly response: ApiResponse }>();
  /** What a listing showed before its creation is another animal under the same identifier. */
  const earlier = new Set<string>();
  /** Animals that getPet shows as they were sent. */
  const gotAsSent = new Set<string>();
  const wrong: Array<ShownOtherwise> = [];
  for (const exchange of exchanges) {
    const { operation, input } = exchange;
    const response = new ApiResponse(exchange);
    const created = creations.get(exchange);
    // A status that was not sent is not specified: later responses may show one that the creation did not.
    const isSent = created !== undefined && field in bodySent(exchange);
    const text = valueText(created && bodySent(exchange)[field]);
    const isOwn = isSent && !earlier.has(created.id) && !knownPets.isAmbiguous(created.id);
    if (isOwn && text === valueText(created.shown[field])) sent.set(created.id, { text, response });
    if (operation !== 'listPets' && (operation !== 'getPet' || input === 'silent')) continue;
    const animals = response.animals ?? (response.status === 200 && response.animal ? [response.animal] : []);
    for (const { id, shown } of animals) {
      const creation = sent.get(id);
      if (!creation) earlier.add(id);
      if (!creation || !isComparable(shown[field])) continue;
      if (valueText(shown[field]) !== creation.text)
        wrong.push({ id, value: shown[field], operation, creation: creation.response, response });
      else judgement.held();
      if (operation === 'getPet' && valueText(shown[field]) === creation.text) gotAsSent.add(id);
    }
  }
  for (const { id, value, operation, creation, response } of wrong) {
    const sent = bodySent(creation.exchange)[field];
    const shown = `${alterationOf(sent, value) ?? 'is another'} in ${places[operation]}`;
    judgement.fail([creation, response], {
      message: `\`${field}\` comes back from its creation${gotAsSent.has(id) ? ' and from getPet' : ''} as it was sent, and ${shown}`,
      expected: `${valueText(sent)} for \`id\` ${id}`,
      received: valueText(value),
      reproduce: reproduceInTurn([creation, response]),
      pointer: `/${field}`,
    });
  }
}

/** An animal is compared as often as a listing shows it; what was sent for it stays the same. */
const bodiesSent = new WeakMap<Exchange, Members>();

/** The members of the JSON object that was sent; none if the body was not one. */
export function bodySent(exchange: Exchange): Members {
  const known = bodiesSent.get(exchange);
  if (known) return known;
  const parsed = parseJson(exchange.request.body ?? '');
  const sent = parsed.ok ? { ...membersOf(parsed.value) } : {};
  bodiesSent.set(exchange, sent);
  return sent;
}

/** What requests that must not change an animal would have made of it. */
export interface Attempt {
  readonly name: string;
  /** Undefined if the target refuses every status that is given. */
  readonly status?: string | undefined;
}

/** An animal that must not have changed. */
export interface Untouched {
  readonly created: Animal;
  /** What getPet showed before the attempts, if it was requested. */
  readonly before: ApiResponse | undefined;
  readonly after: ApiResponse;
  /** What made the attempts, in words. */
  readonly by: string;
  readonly reproduce?: string | undefined;
}

/**
 * Checks that attempts did not change an animal: it is there, shows none of what they sent, and getPet shows it as it did
 * before them. It is compared with what getPet showed, so that a fault in showing animals is not mistaken for a change.
 */
export async function judgeUntouched(
  probe: Probe,
  { created, before, after, by, reproduce }: Untouched,
  attempts: readonly Attempt[],
): Promise<void> {
  const shown = membersOf(after.json);
  const former = before?.status === 200 ? before : undefined;
  const taken = attempts.some(
    ({ name, status }) =>
      shown.name === name ||
      (status !== undefined && shown.status === status && created.shown.status !== status),
  );
  const untouched = after.status === 200 && !taken && (!former || showSame(former, after));
  if (!untouched && !taken && former && !(await isShownUnchanged(probe)))
    return probe.judgement.leaveTo('GET-01', by);
  const expected = former ? membersOf(former.json) : created.shown;
  probe.judgement.check(untouched, [...(before ? [before] : []), after], () => ({
    message: after.status === 200 ? `${by} changed an animal` : `${by} removed an animal`,
    expected: `the animal as before: ${fields.map((field) => `${field} ${valueText(expected[field])}`).join(', ')}`,
    received: String(after),
    reproduce,
  }));
}

/** The control of what must not change an animal: one that nobody touches is shown the same way twice. */
async function isShownUnchanged(probe: Probe): Promise<boolean> {
  const { api, store } = probe;
  return store.once('shown unchanged', async () => {
    const animal = createdAnimal(await api.createPet(await probe.newPetOfOtherStatus()));
    if (!animal) return false;
    const first = await getCreated(probe, animal.id);
    const second = await api.getPet(animal.id);
    return first.status === second.status && showSame(first, second);
  });
}

function membersOf(json: unknown): Members {
  return typeof json === 'object' && json !== null ? (json as Members) : {};
}

/** Whether two responses show the same fields. */
export function showSame(one: ApiResponse, other: ApiResponse): boolean {
  const [first, second] = [membersOf(one.json), membersOf(other.json)];
  return fields.every((field) => valueText(first[field]) === valueText(second[field]));
}
