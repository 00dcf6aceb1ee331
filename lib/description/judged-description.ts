import type { Exchange } from '../evidence/exchange.js';
import { compareDescription } from './compare-description.js';
import type { DescriptionResult } from './comparison.js';
import { judgeResponses } from './judge-responses.js';
import type { LoadedDescription } from './load-description.js';

/** The target's interface description as it was compared with the specification, and how it judges responses. */
export type JudgedDescription =
  | { readonly ok: false; readonly message: string }
  | {
      readonly ok: true;
      readonly compared: ReturnType<typeof compareDescription>;
      readonly responses: (exchanges: readonly Exchange[]) => DescriptionResult;
    };

/** Judges a description, if there is one. */
export function judgedDescription(loaded: LoadedDescription): JudgedDescription {
  if (!loaded.ok) return loaded;
  const { description } = loaded;
  return {
    ok: true,
    compared: compareDescription(description),
    responses: (exchanges) => judgeResponses(description, exchanges),
  };
}
