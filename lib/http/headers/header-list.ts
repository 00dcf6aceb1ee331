/** Header fields as they came: names as the server spelt them, in order, repeated fields apart. */
export type HeaderList = ReadonlyArray<readonly [name: string, value: string]>;

/** Names and values that stand by turns. White space around a value is not part of it (RFC 9110 5.5). */
export function fieldsOf(raw: readonly string[]): HeaderList {
  return Array.from({ length: Math.floor(raw.length / 2) }, (_, index) => {
    const value = raw[2 * index + 1] ?? '';
    // Parsers remove only what precedes it.
    return [raw[2 * index] ?? '', value.replace(/(?<![ \t])[ \t]+$/, '')] as const;
  });
}

/** All values of a header, by its name in any case, in the order received. */
export function valuesOf(headers: HeaderList, name: string): string[] {
  const wanted = name.toLowerCase();
  return headers
    .filter(([header]) => header.length === wanted.length && header.toLowerCase() === wanted)
    .map(([, value]) => value);
}

/** The first of them; undefined if the header is not there. */
export function firstValueOf(headers: HeaderList, name: string): string | undefined {
  return valuesOf(headers, name)[0];
}
