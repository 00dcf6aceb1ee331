/** Made when it is needed: it takes as long as ten requests. */
let integers: Intl.NumberFormat | undefined;

/** `1,000`. */
export function integer(value: number): string {
  integers ??= new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 });
  return integers.format(value);
}

/** `1 request`, `1,000 requests`; the plural is the singular with an s, unless given. */
export function count(value: number, singular: string, plural = `${singular}s`): string {
  return `${integer(value)} ${value === 1 ? singular : plural}`;
}
