import { keyVariable } from '../http/exchange/credential.js';
import type { Exchange } from '../evidence/exchange.js';
import type { RequirementId } from '../specification/catalogue.js';
import { ifPossible } from '../verdict/outcome.js';
import type { Session } from './session.js';

/** Why nothing of a target can be judged: more likely a mistake of the user than a fault of the service. */
export interface Obstacle {
  /** What was seen, and what to do. */
  readonly sentence: string;
  /** The requirement that it belongs to. */
  readonly id: RequirementId;
}

const version = '/v1';
const collection = '/pets';
const refusals: ReadonlySet<number | undefined> = new Set([401, 403]);

/**
 * Sends the first requests, and keeps the obstacle that they meet, if they meet one.
 * @throws RunStopped if the target does not respond
 */
export async function findObstacle(session: Session): Promise<void> {
  const survey = await session.store.survey();
  const { response, failure } = survey;
  if (!response)
    throw session.client.stop(`the target did not respond to the first requests: ${failure?.message ?? ''}`);
  session.obstacle = (await wrongAddress(session, survey)) ?? (await refusedKey(session, survey));
}

/** The service is not at the base address, but above it, or below it, where its version is part of the address. */
async function wrongAddress({ store, settings }: Session, survey: Exchange): Promise<Obstacle | undefined> {
  const { baseUrl, optionNames } = settings.target;
  if (baseUrl.endsWith(version) || survey.animals) return undefined;
  const tell = (what: string, address: string): Obstacle => ({
    sentence: `The base address ${baseUrl} ${what}. Give ${address} as ${optionNames?.baseUrl ?? 'the base address'}.`,
    id: 'VERSION-01',
  });
  if (baseUrl.endsWith(collection))
    return tell(`ends with ${collection}, which requests append to it`, baseUrl.slice(0, -collection.length));
  const below = version + collection;
  const found = await store.api('survey').unlisted('GET', below);
  const isRefused = (found.status === 401 || found.status === 429) && found.status !== survey.status;
  return found.animals || isRefused
    ? tell(`does not end with ${version}, and ${baseUrl}${below} answers`, baseUrl + version)
    : undefined;
}

/** No operation accepts the key. */
async function refusedKey(
  { store, client, settings }: Session,
  survey: Exchange,
): Promise<Obstacle | undefined> {
  if (!refusals.has(survey.status) || !refusals.has((await store.api('survey').getPet(1)).status))
    return undefined;
  await ifPossible(store.accepted());
  const sent = client.log.exchanges.filter(({ operation }) => operation !== null);
  if (!sent.every(({ status }) => refusals.has(status))) return undefined;
  const { baseUrl, optionNames } = settings.target;
  const statuses = new Set(sent.map(({ operation, status }) => `${operation} ${status ?? ''}`));
  const key = optionNames?.apiKey ?? keyVariable;
  const address = baseUrl.endsWith(version) ? baseUrl : `${baseUrl}, which does not end with ${version}`;
  return {
    sentence: `No operation accepts the key of ${key} (${[...statuses].join(', ')}). Does this key belong to ${address}?`,
    id: 'AUTH-04',
  };
}
