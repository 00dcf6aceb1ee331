/** The anchor of an exchange in the report. Ids come from a file that anyone may have edited: nothing odd passes. */
export function exchangeAnchor(id: string): string {
  return `exchange-${id.replaceAll(/[^\w-]/g, '-')}`;
}
