import type { Animal } from './animal.js';
import type { ServiceResponse, ServiceRequest } from '../http-message.js';
import type { Service } from '../behaviour.js';
import { removalTime } from './deprecation.js';
import { isJsonObject } from './pet-body.js';
import { Refusal, refusals } from './refused-request.js';

/** Section 4.1. */
export function listPets(request: ServiceRequest, { behaviour, store }: Service): ServiceResponse {
  const query = {
    limit: behaviour.readLimit(request.query.getAll('limit')),
    status: behaviour.readStatusFilter(request.query.getAll('status')),
  };
  const page = behaviour.page(behaviour.order(store, request), query);
  return { status: 200, headers: [], content: page.map((animal) => behaviour.show(animal, 'listed')) };
}

/** Section 4.2. */
export async function createPet(request: ServiceRequest, service: Service): Promise<ServiceResponse> {
  const { behaviour, basePath } = service;
  const body = behaviour.parseBody(behaviour.readBodyText(request));
  const newPet = behaviour.readNewPet(body, service);
  const status = newPet.status ?? behaviour.statusWhenOmitted();
  const id = await behaviour.assignId(service, isJsonObject(body) ? body : {});
  const animal: Animal = {
    ...newPet,
    ...(status === undefined ? {} : { status }),
    id,
    createdAt: request.at,
  };
  behaviour.keep(animal, service);
  return {
    status: 201,
    headers: [['Location', `${basePath}/pets/${id}`]],
    content: behaviour.show(animal, 'created'),
  };
}

/** Section 4.3, gone from the announced date on. */
export function getPet(request: ServiceRequest, service: Service): ServiceResponse {
  const { behaviour } = service;
  if (request.at >= removalTime)
    throw new Refusal('removed', 'This operation was removed. List animals instead.');
  const animal = behaviour.find(behaviour.readPetId(request.petId), service);
  if (!animal) throw new Refusal('not-found', 'There is no such animal.', 'petId');
  return { status: 200, headers: [], content: behaviour.show(animal, 'got') };
}

/** Everything that the specification does not list: 405 on a path that it does, 404 elsewhere (RFC 9110 section 15.5). */
export function unlisted(request: ServiceRequest, { basePath }: Service): ServiceResponse {
  const below = request.path.startsWith(`${basePath}/`) ? request.path.slice(basePath.length) : '';
  if (below === '/pets')
    throw new Refusal('method-not-allowed', 'This resource allows GET and POST.', 'GET, POST');
  if (/^\/pets\/[^/]+$/.test(below))
    throw new Refusal('method-not-allowed', 'This resource allows GET.', 'GET');
  throw new Refusal('not-found', 'There is no such resource.', 'path');
}

/** Section 7: every refusal has an Error body. */
export function refuse(refusal: Refusal, request: ServiceRequest, { behaviour }: Service): ServiceResponse {
  const { status, code } = refusals[refusal.kind];
  return {
    status,
    headers: [
      ...(status === 401 ? behaviour.challenge(request) : []),
      ...(refusal.kind === 'method-not-allowed' ? ([['Allow', refusal.detail]] as const) : []),
    ],
    content: { code, message: refusal.message, status },
  };
}
