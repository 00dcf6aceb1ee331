import { keyVariable } from '../http/exchange/credential.js';
import type { Exchange } from '../evidence/exchange.js';
import { ifPossible } from '../session/if-possible.js';
import type { Store } from '../session/store.js';
import type { RequirementId } from '../specification/catalogue.js';
import type { Target } from '../options/target.js';

/** Why nothing of a target can be judged: more likely a mistake of the user than a fault of the service. */
export interface Obstacle {
  /** What was seen, and what to do. */
  readonly sentence: string;
  /** In a few words, for the requirements that it keeps from being judged. */
  readonly reason: string;
  /** The requirement that it belongs to. */
  readonly id: RequirementId;
}

const version = '/v1';
const collection = '/pets';
/** What a service answers below the path of its animals. */
const isNoListing: ReadonlySet<number | undefined> = new Set([400, 404, 405, 422]);
const refusals: ReadonlySet<number | undefined> = new Set([401, 403]);

/** The obstacle that the first requests meet, if they meet one. @param survey the response to the first listing */
export async function findObstacle(
  store: Store,
  target: Target,
  survey: Exchange,
): Promise<Obstacle | undefined> {
  return (await wrongAddress(store, target, survey)) ?? (await refusedKey(store, target, survey));
}

/** The service is not at the base address, but above it, or below it, where its version is part of the address. */
async function wrongAddress(
  store: Store,
  { baseUrl, optionNames }: Target,
  survey: Exchange,
): Promise<Obstacle | undefined> {
  if (baseUrl.endsWith(version) || survey.animals) return undefined;
  const isBelow = baseUrl.endsWith(collection) && isNoListing.has(survey.status);
  if (!isBelow && !(await isServedBelow(store, survey))) return undefined;
  const address = isBelow ? baseUrl.slice(0, -collection.length) : baseUrl + version;
  const wrong = isBelow
    ? `ends with ${collection}, which requests append to it`
    : `does not end with ${version}, and ${address}${collection} answers`;
  const todo = optionNames
    ? `Set ${optionNames.baseUrl} to ${address}`
    : `Give ${address} as the base address`;
  return {
    sentence: `The base address ${baseUrl} ${wrong}. ${todo}.`,
    reason: `the base address ${wrong}`,
    id: 'VERSION-01',
  };
}

async function isServedBelow(store: Store, survey: Exchange): Promise<boolean> {
  const { status, animals } = await store.api('survey').unlisted('GET', version + collection);
  return animals !== undefined || ((status === 401 || status === 429) && status !== survey.status);
}

/** No operation accepts the key. */
async function refusedKey(
  store: Store,
  { baseUrl, optionNames }: Target,
  survey: Exchange,
): Promise<Obstacle | undefined> {
  if (!refusals.has(survey.status)) return undefined;
  const got = await store.api('survey').getPet(1);
  if (!refusals.has(got.status)) return undefined;
  const created = (await ifPossible(store.accepted()))?.response ?? store.lastControl;
  if (created && !refusals.has(created.status)) return undefined;
  const statuses = [survey, got, ...(created ? [created] : [])].map(
    ({ operation, status }) => `${operation} ${status ?? ''}`,
  );
  const key = optionNames?.apiKey ?? keyVariable;
  const address = baseUrl.endsWith(version) ? baseUrl : `${baseUrl}, which does not end with ${version}`;
  return {
    sentence: `No operation accepts the key of ${key} (${statuses.join(', ')}). Does this key belong to ${address}?`,
    reason: 'the target refused the key',
    id: 'AUTH-04',
  };
}
