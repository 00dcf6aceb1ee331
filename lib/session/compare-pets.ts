import type { Exchange } from '../http/exchange/exchange.js';
import type { Probe } from '../requirement/requirement.js';
import { parseJson } from '../specification/json-value.js';
import type { Judgement } from '../verdict/judgement.js';
import { valueText, type Animal } from './animal.js';
import type { ApiResponse } from './api-response.js';
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

/** What shows an animal that is compared with its creation. */
export interface Showing {
  /** In words: `the listing`. */
  readonly by: string;
  readonly responses: readonly ApiResponse[];
  /** How many responses show it, if they are more than those given. */
  readonly times?: number;
}

/**
 * Checks that an animal is shown as its creation showed it: each field the same, 64-bit integers digit by digit. A field
 * that the creation did not return as it had been sent is passed over: CREATE requirements judge it.
 *
 * @param mayOmitStatus whether the status of an animal may be left out, which section 2 does not require
 */
export function judgeAsCreated(
  judgement: Judgement,
  created: ShownAnimal,
  shown: Animal,
  { by, responses, times = 1 }: Showing,
  mayOmitStatus = false,
): void {
  const sent = bodySent(created.response.exchange);
  const differing = fields.find((field) => {
    const returned = valueText(created.animal.shown[field]);
    // The status after its omission is not specified: the creation need not return it.
    const unspecified = field === 'status' && !(field in sent) && returned === 'absent';
    const returnedOtherwise = field in sent && valueText(sent[field]) !== returned;
    const omitted = mayOmitStatus && field === 'status' && shown.shown.status === undefined;
    return returned !== valueText(shown.shown[field]) && !unspecified && !returnedOtherwise && !omitted;
  });
  if (differing === undefined) return judgement.held(times);
  const without = differing in sent ? '' : ` without \`${differing}\``;
  const received = valueText(shown.shown[differing]);
  judgement.fail([created.response, ...responses], {
    message: `${by} shows another \`${differing}\` than the creation${without} returned`,
    expected: `${valueText(created.animal.shown[differing])} for \`id\` ${created.animal.id}`,
    received: `${received === 'absent' ? `no \`${differing}\`` : received} for \`id\` ${shown.id}`,
    reproduce: reproduceInTurn([created.response, ...responses.slice(-1)]),
    pointer: `/${differing}`,
    occurrences: times,
  });
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
