import type { Credential, Credentials } from '../http/exchange/credential.js';
import type { RepeatedRequest } from '../record/repeated-request.js';
import { createdAnimal } from '../session/creation.js';
import { showsAllOf } from '../session/side-effects.js';
import { petStatuses } from '../specification/body-schema.js';
import type { ApiResponse } from '../session/api-response.js';
import { ofOneAnimal } from '../session/known-pets.js';
import { burstSize, fullPage, type Store } from '../session/store.js';
import type { RequirementId } from '../specification/catalogue.js';
import { writeJson } from '../specification/json-value.js';
import { idInPath, renamed } from './likeness.js';

/** Requirements on animals that a page shows: how long it is does not matter. */
const ofOneOnAPage: ReadonlySet<string> = new Set<RequirementId>(['LIST-06', 'LIST-10']);

/**
 * Sends requests of an earlier run again as they were, in their order, those at the same time that were so. What they
 * create has names of its own; an identifier in a path becomes that of the animal which was created again.
 */
export async function sendAgain(
  store: Store,
  requests: readonly RepeatedRequest[],
  marker: string,
): Promise<void> {
  const created = new Map<string, string>();
  const categories = new Map<string, string>();
  /** What was created at the same moment; and the category that no other animal has, another one in each run. */
  const prepare = async ({
    purpose,
    operation,
    body = '',
    created: before,
  }: RepeatedRequest): Promise<boolean> => {
    // The run has controls of its own.
    if (purpose === 'control' && before !== undefined) {
      created.set(before, (await store.accepted()).animal.id);
      return true;
    }
    if (purpose === 'control' && operation === 'getPet') {
      await store.got();
      return true;
    }
    if (operation !== 'createPet') return false;
    if (purpose === 'stock') {
      if (!store.hasBurst) await store.burst(burstSize);
      return true;
    }
    if (purpose !== ofOneAnimal) return false;
    const { sent } = await store.unknownCategory();
    categories.set(categoryIn(body), categoryIn(writeJson(sent)));
    return true;
  };
  /** An animal that is refused now is not there; one that the earlier run left may be, as it was then. */
  const pathOf = async ({ path }: RepeatedRequest, id: string): Promise<string> => {
    if (!requests.some((one) => one.created === id)) return path;
    return `/pets/${created.get(id) ?? (await store.animal()).id}`;
  };
  const send = async (request: RepeatedRequest): Promise<void> => {
    if (await prepare(request)) return;
    // An empty page shows little; what is wrong with a page may depend on how long it is.
    const { length = 0 } = request.operation === 'listPets' ? request : {};
    const isOfPage = request.of.some((id) => id.startsWith('LIST') && !ofOneOnAPage.has(id));
    // Nobody knows how long a page was that broke off.
    const isBroken = request.operation === 'listPets' && request.status === undefined;
    if (length > 0 || isBroken) await store.fill(isBroken ? fullPage : isOfPage ? length - 1 : 0);
    const id = idInPath(request.path);
    const api = store.api(request.purpose);
    const { operation, method, headers = [], input, body, latin1 } = request;
    const planned = {
      operation,
      method,
      path: await pathOf(request, id),
      headers,
      ...(body === undefined ? {} : { body: withCategories(renamed(body, marker), categories) }),
      ...(latin1 && { latin1 }),
    };
    const as = credentialOf(request, api.credentials);
    const options = { as, unspecified: input === 'silent' };
    const once = async (): Promise<ApiResponse> => {
      const response = await api.send(planned, options);
      if (response.broken === undefined) return response;
      return api.send(planned, options, undefined, response.exchange);
    };
    const response = request.of.includes('LIST-08')
      ? await store.retryUntil(once, (page) => showsWhatIsKnown(page, store))
      : await once();
    const animal = createdAnimal(response);
    if (request.created !== undefined && animal) created.set(request.created, animal.id);
  };
  const wanted = requests.filter(
    ({ asItWas, operation }) =>
      asItWas && operation !== null && !(store.readOnly && operation === 'createPet'),
  );
  for (let index = 0; index < wanted.length;) {
    let next = index + 1;
    while (wanted[next]?.besidePrevious) next += 1;
    await Promise.all(wanted.slice(index, next).map(send));
    index = next;
  }
}

function categoryIn(body: string): string {
  return /"categoryId":\s*(\d+)/.exec(body)?.[1] ?? '';
}

function withCategories(body: string, categories: ReadonlyMap<string, string>): string {
  return [...categories].reduce((text, [before, now]) => text.replaceAll(before, now), body);
}

/** Whether a page shows all animals of the run that it must show, or is full. */
function showsWhatIsKnown(response: ApiResponse, { knownPets }: Store): boolean {
  const { query, animals } = response;
  const status = petStatuses.find((one) => one === query.get('status'));
  const limit = query.has('limit') ? Number(query.get('limit')) : undefined;
  const expected = knownPets.listable(status).map(({ animal }) => animal);
  return showsAllOf({ status, response, animals, limit }, expected);
}

/** What the record shows of a credential names it. */
function credentialOf(
  { credential, authorization = '' }: RepeatedRequest,
  { valid, missing, lowerCaseScheme, nearMisses, malformed, unknown }: Credentials,
): Credential {
  switch (credential) {
    case 'valid':
    case 'other':
      return valid;
    case 'equivalent':
      return lowerCaseScheme;
    case 'missing':
      return missing;
    case 'malformed':
    case 'unknown':
      return (
        [...nearMisses, ...malformed].find(({ display }) => display === authorization) ??
        unknown(authorization.replace(/^Bearer /, ''))
      );
  }
}
