import type { ReferenceKey } from '../keys.js';

/**
 * The key that an `Authorization` header brings in the form `Bearer <API_KEY>`. The scheme's name is case-insensitive
 * (RFC 9110 section 11.1), the key is not.
 */
export function bearerKey(
  authorization: string | undefined,
  keys: readonly ReferenceKey[],
): ReferenceKey | undefined {
  const token = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  return keys.find(({ key }) => key === token);
}
