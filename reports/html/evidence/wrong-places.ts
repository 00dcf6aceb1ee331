import type { ExchangeResponse } from '../../../lib/http/exchange/exchange.js';
import type { Finding } from '../../../lib/record/record.js';

/** What of an answer, beside its body, a finding is about. */
export interface WrongPlaces {
  readonly status: boolean;
  /** Names of response headers, in small letters. */
  readonly headers: ReadonlySet<string>;
}

/** One-word header names in the specification's requirements; other header names are recognised by their hyphen. */
const namesWithoutHyphen = new Set(['deprecation', 'sunset', 'location', 'link']);

function words(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[a-z][a-z-]*[a-z]/g) ?? []);
}

function statuses(text: string | undefined): Set<string> {
  return new Set(text?.match(/\b[1-5]\d\d\b/g) ?? []);
}

/**
 * Reads off a finding which headers of the answer it names, and whether it complains of the status: one that it
 * received and did not expect.
 */
export function wrongPlaces(
  finding: Finding,
  title: string,
  response: Pick<ExchangeResponse, 'status' | 'headers'>,
): WrongPlaces {
  const named = words([title, finding.message, finding.expected, finding.received].join(' '));
  const headers = new Set(
    response.headers
      .map(([name]) => name.toLowerCase())
      .filter((name) => (name.includes('-') || namesWithoutHyphen.has(name)) && named.has(name)),
  );
  const status = String(response.status);
  const expected = statuses(finding.expected);
  return {
    headers,
    status: expected.size > 0 && !expected.has(status) && statuses(finding.received).has(status),
  };
}
