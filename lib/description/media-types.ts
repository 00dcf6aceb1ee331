import type { DescriptionNode } from './description-node.js';
import { named } from './told.js';

/** The media type object for `application/json`, parameters and case aside (section 4, RFC 9110 8.3.1). */
export function jsonContent(described: DescriptionNode): DescriptionNode | undefined {
  return described
    .at('content')
    .members()
    .find(([name]) => /^application\/json\s*(;|$)/i.test(name.trim()))?.[1];
}

/** The media types that are described, for a finding. */
export function contentNames(described: DescriptionNode): string {
  return named(
    described
      .at('content')
      .members()
      .map(([name]) => name),
  );
}
