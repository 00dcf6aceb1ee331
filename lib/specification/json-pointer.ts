/** A path as a JSON pointer (RFC 6901): `['0', 'categoryId']` is `/0/categoryId`; the whole is the empty text. */
export function jsonPointer(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
