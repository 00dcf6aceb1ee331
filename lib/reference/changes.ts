import type { ServiceResponse, ServiceRequest } from './http-message.js';
import type { Alteration, Place, Service } from './behaviour.js';
import type { ReferenceOptions } from './options.js';
import type { RefusalKind } from './operations/refused-request.js';

/** The options that one alteration makes. */
export function withBehaviour(alteration: Alteration): ReferenceOptions {
  return { alterations: [alteration] };
}

/** Changes answers. */
export function withResponses(
  change: (response: ServiceResponse, request: ServiceRequest, service: Service) => ServiceResponse,
): ReferenceOptions {
  return withBehaviour(({ finish }) => ({
    finish: async (response, request, service) =>
      change(await finish(response, request, service), request, service),
  }));
}

/** Changes the Error bodies, or whole responses, of the refusals of these kinds. */
export function withRefusals(
  kinds: readonly RefusalKind[],
  change: (response: ServiceResponse, request: ServiceRequest) => ServiceResponse,
): ReferenceOptions {
  return withBehaviour(({ refuse }) => ({
    refuse(refusal, request, service) {
      const response = refuse(refusal, request, service);
      return kinds.includes(refusal.kind) ? change(response, request) : response;
    },
  }));
}

/** Changes the fields of the Error bodies of these refusals. */
export function withErrorFields(
  kinds: readonly RefusalKind[],
  change: (error: Readonly<Record<string, unknown>>, request: ServiceRequest) => unknown,
): ReferenceOptions {
  return withRefusals(kinds, (response, request) => ({
    ...response,
    content: change(response.content as Readonly<Record<string, unknown>>, request),
  }));
}

/** Changes the JSON of animals in the answers of these places. */
export function withAnimals(
  places: readonly Place[],
  change: (animal: Readonly<Record<string, unknown>>) => unknown,
): ReferenceOptions {
  return withBehaviour(({ show }) => ({
    show(animal, place) {
      const shown = show(animal, place);
      return places.includes(place) ? change(shown as Readonly<Record<string, unknown>>) : shown;
    },
  }));
}
