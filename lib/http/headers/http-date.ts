/** IMF-fixdate, and the two obsolete forms that recipients must read too (RFC 9110 5.6.7). */
const forms = [
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

/** An HTTP date in any of its three forms, in milliseconds since the Unix epoch; undefined for anything else. */
export function parseHttpDate(text: string): number | undefined {
  const value = text.trim();
  if (!forms.some((form) => form.test(value))) return undefined;
  // The third form names no zone; it is always UTC.
  const time = Date.parse(value.endsWith('GMT') ? value : `${value} GMT`);
  return Number.isNaN(time) ? undefined : time;
}

/** The same in the only form that a sender may write, IMF-fixdate, with the right day of the week. */
export function parseSentHttpDate(text: string): number | undefined {
  const time = parseHttpDate(text);
  return time !== undefined && new Date(time).toUTCString() === text.trim() ? time : undefined;
}
