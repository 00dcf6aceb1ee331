const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const fixDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d\d) ([A-Z][a-z]{2}) (\d{4}) (\d\d):(\d\d):(\d\d) GMT$/;

/**
 * Reads an HTTP date in the one form that a sender may write, IMF-fixdate (RFC 9110 5.6.7). `Date.parse` takes many
 * others, and a wrong day of the week too; undefined for those.
 */
export function httpDate(text: string): Date | undefined {
  const [, weekday, day, month = '', year, hour, minute, second] = fixDate.exec(text.trim()) ?? [];
  const date = new Date(
    Date.UTC(Number(year), months.indexOf(month), Number(day), Number(hour), Number(minute), Number(second)),
  );
  if (Number.isNaN(date.getTime()) || date.getUTCDate() !== Number(day)) return undefined;
  return date.toUTCString().startsWith(`${weekday ?? ''},`) ? date : undefined;
}
