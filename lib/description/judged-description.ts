import type { Exchange } from '../evidence/recorded-exchange.js';
import type { DescriptionRequirement } from './compare-description.js';
import type { DescriptionResult } from './comparison.js';
import type { LoadedDescription } from './document/load-description.js';

/** The target's interface description as it was compared with the specification, and how it judges responses. */
export type JudgedDescription =
  | { readonly ok: false; readonly message: string }
  | {
      readonly ok: true;
      readonly compared: Readonly<Record<DescriptionRequirement, DescriptionResult>>;
      readonly responses: (exchanges: readonly Exchange[]) => DescriptionResult;
    };

/** Compares a description. The modules that compare are imported here: a compiler of schemas takes long to import. */
export async function judgedDescription(loaded: LoadedDescription): Promise<JudgedDescription> {
  if (!loaded.ok) return loaded;
  const { description } = loaded;
  const [{ compareDescription }, { judgeResponses }] = await Promise.all([
    import('./compare-description.js'),
    import('./judge-responses.js'),
  ]);
  return {
    ok: true,
    compared: compareDescription(description),
    responses: (exchanges) => judgeResponses(description, exchanges),
  };
}
