/** `1,000`. Made by hand: the data of `Intl` takes as long to load as twenty requests. */
export function integer(value: number): string {
  return grouped(String(Math.round(value)));
}

/** `0.917`, `1,230`: three digits of a number, and no more. */
export function threeDigits(value: number): string {
  return grouped(String(Number(value.toPrecision(3))));
}

/** Digits before the point in groups of three. */
function grouped(digits: string): string {
  return digits.replaceAll(/(?<!\.\d*)\B(?=(?:\d{3})+(?!\d))/g, ',');
}

/** `1 request`, `1,000 requests`; the plural is the singular with an s, unless given. */
export function count(value: number, singular: string, plural = `${singular}s`): string {
  return `${integer(value)} ${value === 1 ? singular : plural}`;
}
