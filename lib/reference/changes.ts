import type { Answer, Asked } from './answer.js';
import type { Alteration, Place, Service } from './behaviour.js';
import type { ReferenceOptions } from './options.js';
import type { RefusalKind } from './refusal.js';

/** The options that one alteration makes. */
export function altered(alteration: Alteration): ReferenceOptions {
  return { alterations: [alteration] };
}

/** Changes answers on their way out. */
export function answers(
  change: (answer: Answer, asked: Asked, service: Service) => Answer,
): ReferenceOptions {
  return altered(({ finish }) => ({
    finish: async (answer, asked, service) => change(await finish(answer, asked, service), asked, service),
  }));
}

/** Changes the Error bodies, or whole answers, of the refusals of these kinds. */
export function refused(
  kinds: readonly RefusalKind[],
  change: (answer: Answer, asked: Asked) => Answer,
): ReferenceOptions {
  return altered(({ refuse }) => ({
    refuse(refusal, asked, service) {
      const answer = refuse(refusal, asked, service);
      return kinds.includes(refusal.kind) ? change(answer, asked) : answer;
    },
  }));
}

/** Changes the fields of the Error bodies of these refusals. */
export function errorFields(
  kinds: readonly RefusalKind[],
  change: (error: Readonly<Record<string, unknown>>, asked: Asked) => unknown,
): ReferenceOptions {
  return refused(kinds, (answer, asked) => ({
    ...answer,
    content: change(answer.content as Readonly<Record<string, unknown>>, asked),
  }));
}

/** Changes the JSON of animals in the answers of these places. */
export function animals(
  places: readonly Place[],
  change: (animal: Readonly<Record<string, unknown>>) => unknown,
): ReferenceOptions {
  return altered(({ show }) => ({
    show(animal, place) {
      const shown = show(animal, place);
      return places.includes(place) ? change(shown as Readonly<Record<string, unknown>>) : shown;
    },
  }));
}
